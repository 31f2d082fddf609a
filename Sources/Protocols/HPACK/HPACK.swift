import HTTP2Semantics
import HTTPSemantics

// HPACK reads the header blocks of HTTP/2 (RFC 7541): HPACKDecoder keeps the dynamic table of one direction and turns
// each block into an HPACKSection, whose fields know where in the block they were encoded.
//
//   HuffmanCode     the code of strings, by table
//   StaticTable     the 61 entries that everybody has
//   DynamicTable    the entries that one encoder made, newest first
//
// A capture may begin in the middle of a connection. Then the table holds entries that nobody saw: a reference to one
// gives a field named `(unknown entry n)`, never a guess, while static entries, literals and all that is inserted from
// then on are exact.

/// What a block says, or as much of it as could be read.
package struct HPACKSection: Hashable, Sendable {
  /// The fields written out as lines, `name: value`; at most HeaderBlock.limit bytes.
  package var bytes: [UInt8] = []
  package var fields: [HeaderField] = []
  /// Where in the block each of `fields` was encoded.
  package var places: [Place] = []
  /// Fields beyond the limits: they were read, and are not kept.
  package var fieldsCut = 0
  /// The sum over all fields of name, value and 32 (RFC 9113 §6.5.2); a lower bound where fields are unknown.
  package var listSize: UInt64 = 0
  /// Fields whose name, or both name and value, are entries of the table that nobody saw.
  package var unknown = 0
  package var faults: [HPACKFault] = []

  package init() {}

  /// A run of bytes of the block.
  package struct Place: Hashable, Sendable {
    package var start: UInt32
    package var end: UInt32

    package var range: Range<Int> { Int(start)..<Int(max(start, end)) }
  }
}

/// Something in a block that an encoder must not do.
package struct HPACKFault: Hashable, Sendable {
  package var kind: HPACKFaultKind
  /// The instruction in the block, as far as it was read.
  package var place: HPACKSection.Place
  package var value: UInt64
  package var limit: UInt64
}
