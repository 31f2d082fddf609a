// HTTPSemantics is the vocabulary of HTTP messages: shared by the parsers of all versions, events,
// rules and reports. It holds values only; it parses no stream and judges nothing.
//
//   Method Status HTTPVersion RequestTarget     the words of a start line
//   HeaderBlock HeaderField PacketTrail         fields as received, in order, that know their packets
//   FieldList ContentType                       reading inside a field value
//   MessageHead Framing FramingReason           a head, and how its body ends
//   ChunkSizeLine Chunk MessageEnd              the parts of a body
//   Lenience FramingError                       deviations that were tolerated, and errors that were not
//
// Names and values stay bytes, in one array per head, because their encoding is not known. Comparisons
// ignore case where HTTP does; received bytes keep their case.
