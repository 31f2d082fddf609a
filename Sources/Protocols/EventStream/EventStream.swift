// EventStream reads what gives a streamed body its meaning: the events of text/event-stream (WHATWG HTML §9.2, server-sent
// events) and the lines of newline-delimited JSON. It sees a body with its framing and its content coding undone, in
// arbitrary pieces, and reports when an event or a line was complete, and which packets carried it.
//
//   EventStreamParser   events, comments, retry, and deviations that it tolerated
//   JSONLineParser      lines
//
// Nothing of the payload is kept but the last id, the name of an event, the beginning of a line and, where it is asked
// for, of what an event or a line says, each bounded.
import Citation

/// An event, from its first line to the empty line that ends it. Without that line there is no event.
package struct ServerSentEvent: Hashable, Sendable {
  /// Of its lines and the end of the empty line, in the decoded body.
  package var range: Range<UInt64>
  /// The packets of the first and last byte of its lines, without line ends after the last.
  package var first: PacketRef
  package var last: PacketRef
  /// The packet of the end of the empty line; in one that has no end, of the last byte that came.
  package var completed: PacketRef
  /// Of its data, joined by line feeds as receivers see it.
  package var dataLength: UInt64
  /// Lines of data. An event without any is dropped by receivers, after its id was noted.
  package var dataLines: UInt64
  /// The value of its event field, at most `EventStreamParser.nameLimit` bytes.
  package var name: [UInt8]
  /// The beginning of its data, where the parser was asked to keep it.
  package var data: [UInt8]

  package init(
    range: Range<UInt64>, first: PacketRef, last: PacketRef, completed: PacketRef, dataLength: UInt64,
    dataLines: UInt64, name: [UInt8], data: [UInt8] = []
  ) {
    self.range = range
    self.first = first
    self.last = last
    self.completed = completed
    self.dataLength = dataLength
    self.dataLines = dataLines
    self.name = name
    self.data = data
  }

  package var carriesData: Bool { dataLines > 0 }
  /// How long its end was awaited when all else was there.
  package var hold: Int64 { completed.time.since(last.time) }
}

/// A deviation that receivers answer by ignoring something.
package struct EventStreamLenience: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// U+FEFF at the beginning of a line that is not the first: it is taken for a part of the field's name.
    case byteOrderMark
    /// A field that is none of data, event, id and retry.
    case unknownField
    /// A line without one of these names, behind data and before the end of the event.
    case strayLine
    /// Not digits alone.
    case retryInvalid
    /// An id with NUL in it.
    case idNUL
    case invalidUTF8
  }

  package var kind: Kind
  /// Of the line or, where the bytes are wrong, from the wrong one on; in the decoded body.
  package var range: Range<UInt64>
  package var packet: PacketRef
  /// The beginning of the line; given with the first of each kind.
  package var excerpt: Excerpt

  package init(_ kind: Kind, _ range: Range<UInt64>, in packet: PacketRef, _ excerpt: Excerpt) {
    self.kind = kind
    self.range = range
    self.packet = packet
    self.excerpt = excerpt
  }
}

package enum EventStreamToken: Hashable, Sendable {
  case event(ServerSentEvent)
  /// A line that begins with a colon; the packet that ended it.
  case comment(PacketRef)
  /// Milliseconds, held at UInt64.max.
  case retry(UInt64, PacketRef)
  case lenience(EventStreamLenience)
  /// Lines of an event without the empty line, at the end of the input; `midLine` where the last has no end either.
  /// Receivers discard it.
  case unfinished(ServerSentEvent, midLine: Bool)
}
