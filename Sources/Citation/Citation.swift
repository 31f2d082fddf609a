// Citation is the vocabulary of citation. A capture is a list of numbered, timed packets, and every
// result is derived from them and cites them; these are the types of those citations.
//
//   Timestamp PacketRef        when, and which packet
//   Direction Endpoint FlowKey FlowID   whose bytes
//   CitedBytes ByteSpan        bytes of a stream that know their packets
//   IncrementalParser DirectionEnd   how a layer is fed, and how its input ends
//   TCPObservation             what was seen of the transport itself
//   ByteReader Excerpt UTF8Stream   reading, quoting and checking untrusted bytes
//
// It imports nothing, does no I/O and knows no protocol. Every other module may import it.
