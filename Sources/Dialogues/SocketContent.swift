import Citation
import Events

/// What applications get of one message, while it comes: counted, its beginning kept, text checked against UTF-8.
struct SocketContent: Sendable {
  private(set) var bytes: UInt64 = 0
  private(set) var opening: [UInt8] = []
  private(set) var fault: WebSocketMessage.Fault?
  /// Of all bytes, where they are to be compared.
  private(set) var hash: UInt64?
  private let isText: Bool
  private var utf8 = UTF8Stream()

  /// Bytes of the beginning that are kept.
  private let limit: Int

  init(isText: Bool, keeping limit: Int, isHashed: Bool = false) {
    self.isText = isText
    self.limit = limit
    hash = isHashed ? ContentHash.start : nil
  }

  /// Whether the bytes themselves are wanted, and not their number alone.
  @inline(__always)
  var isReading: Bool { isText && fault == nil || opening.count < limit || hash != nil }

  mutating func count(_ more: Int) {
    bytes &+= UInt64(truncatingIfNeeded: more)
  }

  mutating func take(_ more: Span<UInt8>, in packet: PacketRef) {
    if isText, fault == nil, let bad = utf8.take(more) {
      fault = WebSocketMessage.Fault(packet: packet, offset: bytes &+ UInt64(truncatingIfNeeded: bad))
    }
    let kept = min(more.count, limit - opening.count)
    if kept > 0 { more.extracting(first: kept).withUnsafeBufferPointer { opening.append(contentsOf: $0) } }
    if var hash {
      ContentHash.extend(&hash, more)
      self.hash = hash
    }
    count(more.count)
  }

  /// The last frame is over: a character that is not is none.
  mutating func finish(in packet: PacketRef) {
    if isText, fault == nil, utf8.isOpen { fault = WebSocketMessage.Fault(packet: packet, offset: bytes) }
  }
}
