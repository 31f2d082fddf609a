import Citation

/// Responses over TCP: each message behind its length in two bytes (RFC 1035 §4.2.2, RFC 7766 §8).
///
/// Keeps one message at most, and no byte of it before it has come. Bytes that are no response, and a hole, end the
/// reading: where the next length stands is not known any more.
package struct DNSOverTCP: IncrementalParser, Sendable {
  package enum Token: Sendable, Equatable {
    /// A response that gives addresses, or says that there are none, and the packet that completed it.
    case response(DNSMessage, PacketRef)
    /// What follows is not read.
    case lost
  }

  /// Of the length and the header behind it (RFC 1035 §4.1.1).
  private enum Field { static let flags = 4, questions = 6, length = 2, header = 12 }

  /// A length and the message so far, where it came in several pieces.
  private var held: [UInt8] = []
  private var isLost = false

  package init() {}

  package mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [Token]) {
    let bytes = chunk.bytes
    var at = 0
    while at < bytes.count, !isLost {
      let rest = bytes.extracting(at..<bytes.count)
      if held.isEmpty, let size = DNSOverTCP.size(rest), rest.count >= size {
        read(rest.extracting(0..<size), chunk.released, into: &tokens)
        at += size
      } else {
        at += hold(rest)
        guard DNSOverTCP.isPlausible(held.span) else { return lose(into: &tokens) }
        guard let size = DNSOverTCP.size(held.span), held.count == size else { continue }
        var whole: [UInt8] = []
        swap(&whole, &held)
        read(whole.span, chunk.released, into: &tokens)
        whole.removeAll(keepingCapacity: true)
        swap(&whole, &held)
      }
    }
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [Token]) {
    lose(into: &tokens)
  }

  package mutating func finish(_ end: DirectionEnd, into tokens: inout [Token]) {
    held = []
  }

  /// Keeps what belongs to the message that is being collected: first its length, then the rest.
  private mutating func hold(_ bytes: Span<UInt8>) -> Int {
    let wanted = DNSOverTCP.size(held.span) ?? Field.length
    let taken = min(wanted - held.count, bytes.count)
    bytes.extracting(0..<taken).withUnsafeBufferPointer { held.append(contentsOf: $0) }
    return taken
  }

  private mutating func read(_ bytes: Span<UInt8>, _ packet: PacketRef, into tokens: inout [Token]) {
    guard DNSOverTCP.isPlausible(bytes) else { return lose(into: &tokens) }
    if let message = DNSMessage(bytes.extracting(Field.length..<bytes.count)) {
      tokens.append(.response(message, packet))
    }
  }

  private mutating func lose(into tokens: inout [Token]) {
    if isLost { return }
    isLost = true
    held = []
    tokens.append(.lost)
  }

  /// Of a message and its length; nil before that is known.
  private static func size(_ bytes: Span<UInt8>) -> Int? {
    bytes.count < Field.length ? nil : Field.length + Int(bytes[0]) << 8 + Int(bytes[1])
  }

  /// As far as there is anything: the length has room for a header, which is of a response to one question or to none,
  /// as zone transfers have them.
  private static func isPlausible(_ bytes: Span<UInt8>) -> Bool {
    if let size = size(bytes), size < Field.length + Field.header { return false }
    if bytes.count > Field.flags, bytes[Field.flags] & 0x80 == 0 { return false }
    guard bytes.count > Field.questions + 1 else { return true }
    return bytes[Field.questions] == 0 && bytes[Field.questions + 1] <= 1
  }
}
