import Citation
import Events
import HTTPSemantics

/// Reads the messages of one side of a call: each has a prefix of five bytes, a flag and a length.
///
/// Of a message only the prefix is kept, and as much of its data as is to be shown; a length is only counted down from.
/// Where the body is Base64, that is undone symbol by symbol.
struct GRPCReader: Sendable {
  /// A message that came whole.
  struct Message {
    /// The packet of the first byte of its prefix.
    var first: PacketRef
    var length: UInt64
    var isCompressed: Bool
  }

  private var side = GRPCRecord.Side()
  private let isWeb: Bool
  private let isText: Bool
  private let limit: Int
  private var runs = Base64Runs()
  /// The packet of the symbol before, in which the next byte may have begun.
  private var symbolPacket = PacketRef.none
  private var flag: UInt8 = 0
  private var length: UInt64 = 0
  /// How many bytes of the prefix are there; all five of them inside a message.
  private var prefixBytes = 0
  private var first = PacketRef.none
  /// The last packet of a message that is not over.
  private var seen = PacketRef.none
  private var remaining: UInt64 = 0
  /// Of the message at hand, and of the one that ended last. Not in the message: nearly every packet ends one, and most runs
  /// keep no data.
  private var data: [UInt8] = []
  private(set) var lastData: [UInt8] = []
  /// How much of the message is kept.
  private var kept = 0
  /// What follows cannot be read.
  private var isOver = false

  init(_ type: GRPCType?, keepingData limit: Int) {
    isWeb = type == .web || type == .webText
    isText = type == .webText
    self.limit = limit
  }

  private static let prefixLength = 5
  /// The flag of a frame that holds trailers, and of what they hold, how much is looked at.
  private static let trailerFlag: UInt8 = 0x80
  private static let trailerLimit = 1_024

  private var isInside: Bool { prefixBytes == Self.prefixLength }
  /// Not inside of a message.
  var isAtEdge: Bool { prefixBytes == 0 && runs.isAtEdge }

  /// The next message that ends in these bytes, all of which came in the packet.
  mutating func next(in bytes: Span<UInt8>, at position: inout Int, _ packet: PacketRef) -> Message? {
    if prefixBytes > 0 { goOn(in: packet) }
    defer { seen = packet }
    guard !isText else { return next(inText: bytes, at: &position, packet) }
    while position < bytes.count, !isOver {
      if isInside {
        let taken = Int(min(remaining, UInt64(bytes.count - position)))
        for index in position..<position + min(taken, kept - data.count) { data.append(bytes[index]) }
        remaining -= UInt64(taken)
        position += taken
      } else if prefixBytes == 0, bytes.count - position >= Self.prefixLength {
        // Few prefixes are cut.
        first = packet
        flag = bytes[position]
        length =
          UInt64(bytes[position + 1]) << 24 | UInt64(bytes[position + 2]) << 16 | UInt64(bytes[position + 3]) << 8
          | UInt64(bytes[position + 4])
        prefixBytes = Self.prefixLength
        position += Self.prefixLength
        begin(packet)
      } else {
        take(prefix: bytes[position], packet)
        position += 1
      }
      if isInside, remaining == 0, let message = end(packet) { return message }
    }
    return nil
  }

  private mutating func goOn(in packet: PacketRef) {
    let pause = MessageRecord.Pause(from: seen, to: packet)
    if pause.nanoseconds > side.longestPause?.nanoseconds ?? 0 { side.longestPause = pause }
  }

  private mutating func next(inText symbols: Span<UInt8>, at position: inout Int, _ packet: PacketRef) -> Message? {
    while position < symbols.count, !isOver {
      let symbol = symbols[position]
      position += 1
      switch runs.take(symbol) {
      case .byte(let byte):
        if isInside {
          if data.count < kept { data.append(byte) }
          remaining -= 1
        } else {
          take(prefix: byte, symbolPacket)
        }
      case .none: break
      case .invalid: stop(at: symbol, packet)
      }
      symbolPacket = packet
      if isInside, remaining == 0, let message = end(packet) { return message }
    }
    return nil
  }

  /// What is no Base64 takes the place of a message where one would begin.
  private mutating func stop(at symbol: UInt8, _ packet: PacketRef) {
    if prefixBytes == 0 { side.badPrefix = GRPCRecord.BadPrefix(bytes: [symbol], packet: packet) }
    miss()
  }

  private mutating func take(prefix byte: UInt8, _ packet: PacketRef) {
    if prefixBytes == 0 {
      first = packet
      flag = byte
      length = 0
    } else {
      length = length << 8 | UInt64(byte)
    }
    prefixBytes += 1
    if isInside { begin(packet) }
  }

  private mutating func begin(_ packet: PacketRef) {
    let allowed: UInt8 = isWeb ? 0x81 : 0x01
    guard flag & ~allowed == 0 else {
      let bytes = [flag] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
      side.badPrefix = GRPCRecord.BadPrefix(bytes: bytes, packet: first)
      return miss()
    }
    remaining = length
    kept = flag & Self.trailerFlag == 0 ? limit : Self.trailerLimit
    if length > side.largest || side.largestAt == nil {
      side.largest = length
      side.largestAt = packet
    }
  }

  /// nil for the trailers of gRPC-Web, which are no message.
  private mutating func end(_ packet: PacketRef) -> Message? {
    prefixBytes = 0
    lastData = []
    swap(&data, &lastData)
    guard flag & Self.trailerFlag == 0 else {
      side.hasTrailer = true
      if side.status == nil, flag == Self.trailerFlag, let code = GRPCTrailers.status(in: lastData) {
        side.status = GRPCRecord.CitedStatus(code: code, packet: packet)
      }
      return nil
    }
    side.messages += 1
    side.bytes &+= length
    if side.first == nil { side.first = packet }
    side.last = packet
    return Message(first: first, length: length, isCompressed: flag & 0x01 != 0)
  }

  /// Bytes are missing, or are none of a message: where the next one begins is not known.
  mutating func miss() {
    isOver = true
    side.isUnread = true
    prefixBytes = 0
    data = []
  }

  /// Nothing more comes.
  mutating func finish() -> GRPCRecord.Side {
    if isInside {
      side.open = GRPCRecord.Part(have: length - remaining, need: length)
    } else if prefixBytes > 0 {
      side.open = GRPCRecord.Part(have: UInt64(prefixBytes), need: UInt64(Self.prefixLength))
    }
    return side
  }
}
