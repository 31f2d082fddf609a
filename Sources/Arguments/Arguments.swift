// Arguments is a table of flags and everything that follows from it. An entry says how a flag is written, what it is
// good for and what it does to the options; parsing, the usage text, shell completion and the man page read the same
// entry, so none of them can say something the others do not.
//
//   Flag Command          an entry with its effect; what one command takes: this is what parses
//   FlagForm CommandForm  the same without the effect: all that a text needs
//   Program               the commands together: which one was meant, and its texts
//   Help Completion ManualPage   the texts
//   UsageError            what a person has to change
//
// It imports nothing, prints nothing and never exits: the program decides what becomes of a text or an error.
