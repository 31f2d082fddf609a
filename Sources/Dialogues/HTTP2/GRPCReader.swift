import Citation
import Events

/// Counts the messages in the body of one side of a call: each has a prefix of five bytes, a flag and a length.
///
/// Of a message only the prefix is kept, and a length is only counted down from.
struct GRPCReader: Sendable {
  private(set) var side = GRPCRecord.Side()
  private let isWeb: Bool
  private var prefix: [UInt8] = []
  private var first = PacketRef.none
  private var length: UInt64 = 0
  private var remaining: UInt64 = 0
  private var isInside = false
  /// What follows cannot be read.
  private var isOver = false

  init(isWeb: Bool) {
    self.isWeb = isWeb
  }

  mutating func read(_ bytes: Span<UInt8>, in packet: PacketRef) {
    var position = 0
    while position < bytes.count, !isOver {
      if isInside {
        let taken = min(remaining, UInt64(bytes.count - position))
        remaining -= taken
        position += Int(taken)
      } else {
        if prefix.isEmpty { first = packet }
        prefix.append(bytes[position])
        position += 1
        guard prefix.count == 5 else { continue }
        begin(packet)
      }
      if isInside, remaining == 0 { end(packet) }
    }
  }

  private mutating func begin(_ packet: PacketRef) {
    let allowed: UInt8 = isWeb ? 0x81 : 0x01
    guard prefix[0] & ~allowed == 0 else {
      side.badPrefix = GRPCRecord.BadPrefix(bytes: prefix, packet: first)
      isOver = true
      return
    }
    length = prefix[1...].reduce(0) { $0 << 8 | UInt64($1) }
    remaining = length
    isInside = true
    if length > side.largest || side.largestAt == nil {
      side.largest = length
      side.largestAt = packet
    }
  }

  private mutating func end(_ packet: PacketRef) {
    isInside = false
    defer { prefix.removeAll(keepingCapacity: true) }
    guard prefix[0] & 0x80 == 0 else {
      side.hasTrailer = true
      return
    }
    side.messages += 1
    side.bytes &+= length
    if side.first == nil { side.first = packet }
    side.last = packet
    let pause = MessageRecord.Pause(from: first, to: packet)
    if pause.nanoseconds > side.slowest?.nanoseconds ?? 0 { side.slowest = pause }
  }

  /// Bytes are missing: where the next message begins is not known.
  mutating func miss() {
    isOver = true
    isInside = false
    prefix = []
  }

  /// Nothing more comes.
  mutating func finish() -> GRPCRecord.Side {
    if isInside {
      side.open = GRPCRecord.Part(have: length - remaining, need: length)
    } else if !prefix.isEmpty, !isOver {
      side.open = GRPCRecord.Part(have: UInt64(prefix.count), need: 5)
    }
    return side
  }
}
