// Dialogues is the room between parsers and events: a dialogue follows both directions of a connection, pairs what
// they say and turns tokens into events. So far every connection is followed as TCP alone; the parsers that wait below
// (HTTP1) are tested, and nothing calls them yet.
