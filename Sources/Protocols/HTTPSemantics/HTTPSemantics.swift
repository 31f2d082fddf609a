// HTTPSemantics is the vocabulary of HTTP messages: what a parser of any version says about them, and what events,
// rules and reports repeat. It holds values only; it parses no stream and judges nothing.
//
//   Method Status HTTPVersion RequestTarget     the words of a start line
//   HeaderBlock HeaderField PacketTrail         fields as received, in order, that know their packets
//   FieldList ContentType                       reading inside a field value
//   MessageHead Framing FramingReason           a head, and how its body ends
//   ChunkSizeLine Chunk MessageEnd              the parts of a body
//   Lenience FramingError                       what had to be forgiven, and what could not be
//
// Names and values stay bytes, in one array per head, because nobody vouches for their encoding. All comparisons that
// HTTP makes without case are made without case; what was received keeps its case.
