import Citation
import Events

/// A line of a connection's timeline. Entries of one packet become one line.
struct TimelineLine {
  var start: PacketRef
  var end: PacketRef
  var packets: String
  var arrow: String
  var words: String
  /// Packets before this one are reported with it, so nothing is known of the time since the line before.
  var standsForMore: Bool
  var direction: Direction?
  /// The exchange that the line is a part of, and whether its message ends here.
  var exchange = 0
  var isLastChunk = false
  /// Body bytes in the line.
  var added: UInt64 = 0
  /// Body bytes received after this line, if it holds some.
  var body: UInt64?
  /// An earlier line holds a part of the same body.
  var continuesBody = false
  /// Lines that the capture's reader left out before this one.
  var leftOut: UInt64 = 0
  /// Its words one by one, and how often each is there.
  private var parts: [(words: String, times: Int)] = []

  private struct BodyKey: Hashable {
    var exchange: Int
    var direction: Direction?
  }

  /// `folds` says the same once for several streams, with how often.
  static func lines(
    of entries: [TimelineEntry], _ cuts: [TimelineCut], _ style: TextStyle, folds: Bool = false
  ) -> [TimelineLine] {
    var lines: [TimelineLine] = []
    var bodies: [BodyKey: UInt64] = [:]
    // A hole is recognised later, and cites an earlier packet.
    let ordered = entries.enumerated().sorted { ($0.1.first.number, $0.0) < ($1.1.first.number, $1.0) }.map(\.element)
    var cuts = cuts[...]
    for entry in ordered where !entry.isToldByHole {
      var leftOut: UInt64 = 0
      while let cut = cuts.first, entry.first.number >= cut.packet {
        cuts.removeFirst()
        leftOut &+= cut.entries
        if cut.bytes > 0 { bodies[BodyKey(exchange: cut.exchange, direction: cut.direction), default: 0] &+= cut.bytes }
      }
      let words = entry.words(style)
      var body: UInt64?
      var continuesBody = false
      if entry.kind == .body || entry.kind == .chunks, entry.bytes > 0 {
        let key = BodyKey(exchange: entry.exchange, direction: entry.direction)
        continuesBody = bodies[key] != nil
        bodies[key, default: 0] &+= entry.bytes
        body = bodies[key]
      }
      if let last = lines.indices.last, lines[last].start.number == entry.first.number,
        lines[last].end.number == entry.last.number
      {
        lines[last].words += ", " + words
        if folds { lines[last].add(words) }
        lines[last].leftOut &+= leftOut
        lines[last].body = body ?? lines[last].body
        if body != nil { lines[last].added &+= entry.bytes }
        lines[last].isLastChunk = lines[last].isLastChunk || entry.kind == .lastChunk
        lines[last].continuesBody = continuesBody || lines[last].continuesBody
        continue
      }
      let arrow = entry.sender.map { $0 == .toServer ? style.toServer : style.toClient } ?? " "
      lines.append(
        TimelineLine(
          start: entry.first, end: entry.last, packets: entry.packetWords, arrow: arrow, words: words,
          standsForMore: entry.kind == .observation(.synRetry) && entry.value > 1, direction: entry.direction,
          exchange: entry.exchange, isLastChunk: entry.kind == .lastChunk, added: body == nil ? 0 : entry.bytes,
          body: body, continuesBody: continuesBody, leftOut: leftOut, parts: [(words, 1)]))
    }
    if folds { for index in lines.indices { lines[index].fold() } }
    return lines
  }

  private mutating func add(_ more: String) {
    if let at = parts.firstIndex(where: { $0.words == more }) {
      parts[at].times += 1
    } else {
      parts.append((more, 1))
    }
  }

  private static let partLimit = 6

  private mutating func fold() {
    let isLong = parts.count > Self.partLimit
    var folded = parts.prefix(isLong ? Self.partLimit - 1 : parts.count).map { part in
      part.times > 1 ? "\(part.times) × \(part.words)" : part.words
    }
    if isLong { folded.append("\(parts.dropFirst(folded.count).reduce(0) { $0 + $1.times }) more") }
    words = folded.joined(separator: ", ")
  }
}

extension TimelineEntry {
  /// The entry of the hole, which always accompanies these, shows the same.
  fileprivate var isToldByHole: Bool { kind == .observation(.ackOfUnseen) || kind == .observation(.snaplenCut) }

  /// Which way the cited packet went: of a hole it may be the other side's acknowledgement, or anybody's last packet.
  fileprivate var sender: Direction? {
    switch kind {
    case .gap(.notCaptured): direction?.opposite
    case .gap(.neverArrived): nil
    default: direction
    }
  }

  fileprivate var packetWords: String {
    first.number == last.number ? "#\(first.number)" : "#\(first.number)-\(last.number)"
  }

  fileprivate func words(_ style: TextStyle) -> String {
    switch kind {
    case .data:
      packets == 1 ? Wording.bytes(bytes) : "\(Wording.bytes(bytes)) in \(Wording.count(UInt64(packets), "packet"))"
    case .gap(let cause):
      "HOLE: \(Wording.bytes(bytes))\(direction.map { " from " + Wording.sender($0) + "," } ?? "") \(cause.words)"
    case .conflict:
      "CONFLICT: \(Wording.bytes(bytes)) differ from \(earlier.map { "#\($0.number)" } ?? "the first copy")"
    case .observation(let kind): kind.words(self)
    case .head: EscapedText.text(label)
    case .body: inPackets("body \(Wording.bytes(bytes))")
    case .chunks where value == 0: inPackets("chunk data \(Wording.bytes(bytes))")
    case .chunks where bytes == 0: "end of chunk"
    case .chunks where value == 1: inPackets("chunk \(Wording.bytes(bytes))")
    case .chunks: inPackets("\(Wording.count(value, "chunk")), \(Wording.bytes(bytes))")
    case .lastChunk: "last chunk"
    case .message where value > 1: inPackets("\(value) × \(EscapedText.text(label)), \(Wording.bytes(bytes))")
    case .message where bytes == 0: EscapedText.text(label) + quoted(style) + answered
    case .message: inPackets("\(EscapedText.text(label)) \(Wording.bytes(bytes))") + answered
    case .handshake: EscapedText.text(label)
    case .records: inPackets("\(Wording.count(value, "encrypted record")), \(Wording.bytes(bytes))")
    case .unreadable: "UNREADABLE: not HTTP, \(Wording.bytes(bytes)) or more"
    }
  }

  /// How long after its ping a pong came.
  private var answered: String {
    earlier.map { ", \(Wording.duration(first.time.since($0.time))) after #\($0.number)" } ?? ""
  }

  private func quoted(_ style: TextStyle) -> String {
    if quote.isEmpty { return "" }
    return style.showsPayload
      ? " \"\(EscapedText.text(quote.span))\"" : " [\(Wording.bytes(UInt64(quote.count)))]"
  }

  private func inPackets(_ words: String) -> String {
    packets == 1 ? words : "\(words) in \(Wording.count(UInt64(packets), "packet"))"
  }
}

extension SequenceGap.Cause {
  var words: String {
    switch self {
    case .notCaptured: "acknowledged, not captured"
    case .snaplen: "cut by the snapshot length"
    case .neverArrived: "never captured"
    case .holdLimit: "given up: too many bytes buffered behind it"
    }
  }
}

extension TCPObservation.Kind {
  fileprivate func words(_ entry: TimelineEntry) -> String {
    let of = entry.earlier.map { " of #\($0.number)" } ?? ""
    let size = entry.bytes > 0 ? " \(Wording.bytes(entry.bytes))" : ""
    switch self {
    case .syn: return "SYN"
    case .synAck: return "SYN-ACK"
    case .synRetry: return entry.value > 1 ? "SYN retransmitted \(entry.value) times" : "SYN retransmitted"
    case .synAckDiffers: return "SYN-ACK with another sequence number"
    case .synData: return "data in the SYN (Fast Open)"
    case .portReused: return "ports reused"
    case .retransmissionFast: return "retransmitted\(size): fast retransmit"
    case .retransmissionTimeout:
      return "retransmitted\(size) after \(Wording.duration(Int64(clamping: entry.value))): timeout"
    case .retransmissionSpurious: return "retransmitted\(size) though acknowledged"
    case .retransmission: return entry.bytes > 0 ? "retransmitted\(size)" : "FIN retransmitted"
    case .retransmissionOfUnseen: return "fills a hole: retransmitted, first copy lost before the capture point"
    case .notCompared: return "not compared with the first copy"
    case .outOfOrder: return "fills a hole: out of order"
    case .duplicatePacket: return "the same packet again"
    case .ackOfUnseen: return "acknowledges\(size) that were not captured"
    case .duplicateAck: return "duplicate ACK \(entry.value)"
    case .delayedAck: return "delayed ACK"
    case .heldWrite: return "waited for the ACK\(of)"
    case .aheadOfAcknowledged: return "stands before bytes that it acknowledges"
    case .sentUnseen: return "stands behind bytes that did not come"
    case .copyAcknowledged: return "the copy is acknowledged"
    case .dataAfterPeerFin: return "data after the other side's FIN"
    case .dataBeforeReset: return "last data before the reset"
    case .neverAcknowledged: return "\(Wording.bytes(entry.bytes)) never acknowledged"
    case .zeroWindow: return "receive window 0: not reading"
    case .windowUpdate: return "receive window open: \(Wording.bytes(entry.value))"
    case .windowFull: return "receive window full: \(Wording.bytes(entry.value)) in flight"
    case .windowLimited: return "receive window full most of the time"
    case .smallSegments: return "\(Wording.count(entry.value, "segment")), most of them small"
    case .zeroWindowProbe: return "zero-window probe"
    case .zeroWindowProbeAck: return "answer to the zero-window probe"
    case .keepAlive: return "keep-alive"
    case .keepAliveAck: return "answer to the keep-alive"
    case .fin: return entry.value > 0 ? "FIN with data" : "FIN"
    case .dataAfterFin: return "\(Wording.bytes(entry.bytes)) after its own FIN\(of)"
    case .reset: return "RST"
    case .refused: return "RST: refused"
    case .resetOutOfWindow:
      // Linux takes one at the number of its sender's FIN.
      return "RST outside the window by \(Wording.number(entry.value))\(entry.value > 1 ? ": ignored" : "")"
    case .dataAfterReset: return "\(Wording.bytes(entry.value)) after the reset"
    case .urgent: return "urgent data"
    case .snaplenCut: return "\(Wording.bytes(entry.value)) cut by the snapshot length"
    case .icmpError: return "ICMP error, type \(entry.value >> 8) code \(entry.value & 0xFF)"
    case .challengeAck: return "challenge ACK: it is for an earlier connection on these ports"
    case .challengeReset: return "RST for the earlier connection"
    case .outOfWindow:
      return (entry.value > 0 ? "\(Wording.bytes(entry.value)) " : "") + "far outside the window: ignored"
    }
  }
}
