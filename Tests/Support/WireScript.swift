import Citation

/// A TCP conversation as people write it down: a line per packet.
///
///     > SYN                      the client sends; `<` is the server
///     < SYN ACK
///     > ACK
///     > "GET / HTTP/1.1\r\n\r\n" ①   payload; ① names the packet for the expectations
///     +250ms                     the clock moves; every packet moves it by 1 ms by itself
///     < "HTTP/1.1 200 OK\r\n" !lost  sent and received, but not captured
///     < "again" @0               payload at a stream offset of one's own choice
///     > FIN
///     < RST seq+100000           the sequence number moved
///
/// Sequence numbers and acknowledgements follow by themselves: a side acknowledges all that the other has sent. Further
/// words: `ts=N/M` (clock and echo), `sack=N-M` (stream offsets, as an option), `icmp=3/4` (an ICMP error about the other side's newest packet, in place of a
/// segment), `now` (at the time of the packet before), `ack=N` (a stream offset), `noack`, `win=N`, `ttl=N`, `id=N`, `scale=N`, `mac=N` (the last byte of the link-layer
/// source), `len=N` (N filler bytes), `wire=N` (payload on the wire, more than captured), `urg`. `x"0d0a"` is payload in hexadecimal. `#` begins a comment.
///
/// `dns=shop.example/10.0.0.2/10.0.0.3` is the response of a name server, behind its length as TCP carries it, or with
/// the word `udp` in a datagram; `life=N` before it gives the seconds that it may be kept, 60 by itself.
package struct WireScript: Sendable {
  /// A packet of the script, before any link or IP header is put round it.
  package struct Packet: Sendable {
    package var nanoseconds: Int64
    package var direction: Direction
    package var flags: UInt8 = 0
    package var sequence: UInt32 = 0
    package var acknowledgment: UInt32 = 0
    package var window: UInt16 = 65_535
    package var scale: UInt8?
    package var timeToLive: UInt8 = 64
    package var identification: UInt16 = 0
    /// The last byte of the link-layer source: several of a side are several places where its packets were captured.
    package var linkSource: UInt8?
    package var payload: [UInt8] = []
    /// Payload on the wire, where more than captured.
    package var wireLength: Int
    package var isDatagram = false
    /// The sender's clock and the one that it echoes, as a TCP option.
    package var stamps: (value: UInt32, echo: UInt32)?
    /// Bytes of the other side that it says to have, as a TCP option.
    package var selectiveAck: ClosedRange<UInt32>?
    /// An ICMP error with type and code, about the newest packet of the other side.
    package var error: (type: UInt8, code: UInt8, quoted: Int)?
  }

  package private(set) var packets: [Packet] = []
  /// Packet numbers by marker, `1` for ①.
  package private(set) var markers: [Int: UInt64] = [:]
  package private(set) var problems: [String] = []

  private static let circled = Array("①②③④⑤⑥⑦⑧⑨")
  private var clock: Int64
  private var origins: BothDirections<UInt32>
  private var next = BothDirections<UInt64>(repeating: 0)
  private var hasSentFin = BothDirections(repeating: false)

  /// `origins` are the initial sequence numbers; those near 2^32 try the wrap.
  package init(
    _ text: String, start: Int64 = 1_700_000_000_000_000_000,
    origins: BothDirections<UInt32> = BothDirections(toServer: 1_000, toClient: 500)
  ) {
    clock = start
    self.origins = origins
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) { read(line) }
  }

  private mutating func read(_ line: Substring) {
    let words = WireScript.words(line)
    guard let first = words.first else { return }
    if first.first == "+" {
      clock += WireScript.duration(first) ?? 0
    } else if first == ">" || first == "<" {
      add(words.dropFirst(), first == ">" ? .toServer : .toClient)
    } else {
      problems.append("not understood: \(line)")
    }
  }

  private mutating func add(_ words: ArraySlice<String>, _ direction: Direction) {
    clock += 1_000_000
    var packet = Packet(nanoseconds: clock, direction: direction, wireLength: 0)
    var offset = next[direction]
    var isLost = false
    var isFree = false
    var acknowledges = true
    var marker: Int?
    var shift: Int64 = 0
    var life: UInt32 = 60
    // Filler is that of its place in the stream, wherever the place stands in the line.
    if let place = words.first(where: { $0.hasPrefix("@") }) { offset = UInt64(place.dropFirst()) ?? 0 }
    for word in words {
      let value = word.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      switch word {
      case "SYN": packet.flags |= 0x02
      case "ACK": packet.flags |= 0x10
      case "FIN": packet.flags |= 0x01
      case "RST": packet.flags |= 0x04
      case "PSH": packet.flags |= 0x08
      case "urg": packet.flags |= 0x20
      case "noack": acknowledges = false
      case "now":
        clock -= 1_000_000
        packet.nanoseconds = clock
      case "!lost": isLost = true
      case _ where word.hasPrefix("\""): packet.payload += WireScript.unescaped(word.dropFirst().dropLast())
      case _ where word.hasPrefix("x\""): packet.payload += WireScript.hexadecimal(word.dropFirst(2).dropLast())
      case _ where word.hasPrefix("len="):
        var filler = UInt8(truncatingIfNeeded: offset)
        for _ in 0..<(Int(value) ?? 0) {
          packet.payload.append(filler)
          filler &+= 31
        }
      case _ where word.hasPrefix("wire="): packet.wireLength = Int(value) ?? 0
      case _ where word.hasPrefix("@"):
        offset = UInt64(word.dropFirst()) ?? 0
        isFree = true
      case _ where word.hasPrefix("seq+") || word.hasPrefix("seq-"): shift = Int64(word.dropFirst(3)) ?? 0
      case _ where word.hasPrefix("ack="):
        packet.acknowledgment = origins[direction.opposite] &+ 1 &+ UInt32(truncatingIfNeeded: UInt64(value) ?? 0)
        acknowledges = false
        packet.flags |= 0x10
      case _ where word.hasPrefix("win="): packet.window = UInt16(value) ?? 0
      case _ where word.hasPrefix("ttl="): packet.timeToLive = UInt8(value) ?? 0
      case _ where word.hasPrefix("id="): packet.identification = UInt16(value) ?? 0
      case _ where word.hasPrefix("mac="): packet.linkSource = UInt8(value)
      case _ where word.hasPrefix("scale="): packet.scale = UInt8(value)
      case _ where word.hasPrefix("ts="):
        let clocks = value.split(separator: "/").map { UInt32($0) ?? 0 }
        packet.stamps = (clocks.first ?? 0, clocks.last ?? 0)
      case _ where word.hasPrefix("sack="):
        let edges = value.split(separator: "-").map {
          origins[direction.opposite] &+ 1 &+ UInt32(truncatingIfNeeded: UInt64($0) ?? 0)
        }
        if edges.count == 2, edges[0] <= edges[1] { packet.selectiveAck = edges[0]...edges[1] }
      case _ where word.hasPrefix("icmp="):
        let codes = value.split(separator: "/").map { UInt8($0) ?? 0 }
        guard let quoted = packets.lastIndex(where: { $0.direction != direction }) else { break }
        packet.error = (codes.first ?? 0, codes.last ?? 0, quoted)
      case "udp": packet.isDatagram = true
      case _ where word.hasPrefix("life="): life = UInt32(value) ?? 0
      case _ where word.hasPrefix("dns="):
        let message = DNSWire.response(word.dropFirst(4), seconds: life)
        packet.payload += packet.isDatagram ? message : UInt16(message.count).wire + message
      case _ where word.count == 1 && WireScript.circled.contains(Character(word)):
        marker = (WireScript.circled.firstIndex(of: Character(word)) ?? 0) + 1
      default: problems.append("not understood: \(word)")
      }
    }
    if packet.isDatagram || packet.error != nil { return keep(packet, marker, isLost) }
    let isSyn = packet.flags & 0x02 != 0
    let isFin = packet.flags & 0x01 != 0
    packet.wireLength = max(packet.wireLength, packet.payload.count)
    packet.sequence =
      origins[direction] &+ (isSyn ? 0 : 1) &+ UInt32(truncatingIfNeeded: offset)
      &+ (hasSentFin[direction] && !isFree && packet.payload.isEmpty && !isFin ? 1 : 0)
      &+ UInt32(truncatingIfNeeded: shift)
    if acknowledges, !(isSyn && packet.flags & 0x10 == 0), packet.flags & 0x04 == 0 {
      packet.flags |= 0x10
      packet.acknowledgment =
        origins[direction.opposite] &+ 1 &+ UInt32(truncatingIfNeeded: next[direction.opposite])
        &+ (hasSentFin[direction.opposite] ? 1 : 0)
    }
    next[direction] = max(next[direction], offset + UInt64(packet.wireLength))
    if isFin { hasSentFin[direction] = true }
    keep(packet, marker, isLost)
  }

  private mutating func keep(_ packet: Packet, _ marker: Int?, _ isLost: Bool) {
    guard !isLost else { return }
    packets.append(packet)
    if let marker { markers[marker] = UInt64(packets.count) }
  }

  // MARK: Words

  /// Splits at spaces outside quotes; a `#` outside quotes ends the line.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    for character in line {
      if isQuoted {
        word.append(character)
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isQuoted = false
        }
      } else if character == "#" {
        break
      } else if character == " " || character == "\t" {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        if character == "\"" { isQuoted = true }
        word.append(character)
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  static func duration(_ word: String) -> Int64? {
    let units: [(String, Int64)] = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)]
    for (unit, scale) in units where word.hasSuffix(unit) {
      return Int64(word.dropFirst().dropLast(unit.count)).map { $0 * scale }
    }
    return nil
  }

  private static func unescaped(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch escape {
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "0"): bytes.append(0)
      case UInt8(ascii: "x"):
        bytes += hexadecimal(Substring(String(decoding: rest.prefix(2), as: UTF8.self)))
        rest = rest.dropFirst(2)
      default: bytes.append(escape)
      }
    }
    return bytes
  }

  private static func hexadecimal(_ text: Substring) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { at in
      UInt8(digits[at] << 4 | digits[at + 1])
    }
  }
}
