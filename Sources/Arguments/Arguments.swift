// Arguments is a table of flags and everything that follows from it. An entry states how a flag is written, what it is
// for and what it does to the options. Parsing, usage text, shell completion and man page read the same entry, so they
// always agree.
//
//   Flag Command          an entry with its effect; what one command takes: this is what parses
//   FlagForm CommandForm  the same without the effect: all that a text needs
//   Program               the commands together: which one was meant, and its texts
//   Help Completion ManualPage   the texts
//   UsageError            what the user has to change
//
// It imports nothing, prints nothing and never exits: the program decides what to do with a text or an error.
