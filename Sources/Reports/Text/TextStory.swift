import Citation
import Events

/// One connection: its ends, exchanges, totals, end and timeline.
struct TextStory {
  /// Exchanges that are reported of one connection; of more, the first and the last.
  private static let exchangeLimit = 8

  let record: ConnectionRecord
  let exchanges: [ExchangeRecord]
  /// The connection in front of the proxy whose exchanges this one carries.
  let outerHop: Int?
  /// Packets that its findings cite.
  let cited: Set<UInt64>
  let style: TextStyle
  let origin: Timestamp
  /// The capture's last packet.
  let captureEnd: Timestamp?
  /// A connection that has been silent for less may go on.
  private static let leastSilence: Int64 = 2_000_000_000

  func write(to block: inout TextBlock) {
    block.line()
    var head = ["\(record.client) \(style.joiner) \(server)"]
    let wrapping = record.encapsulation.isEmpty ? "" : " in " + record.encapsulation.joined(separator: ", ")
    head.append((record.protocols.isEmpty ? "TCP" : record.protocols.map(\.spelled).joined(separator: ", ")) + wrapping)
    if let agent = record.clientAgent {
      let name = ClientIdentity(agent: agent)?.name ?? agent
      head.append("client: " + EscapedText.text(style.shortened(name, to: 48)))
    }
    if record.isMidstream { head.append("joined mid-stream") }
    if record.isOneSided { head.append("one direction only") }
    if let vantage = record.roundTrip.vantage { head.append(vantage.words) }
    if let total = record.roundTrip.total { head.append("RTT " + Wording.duration(total)) }
    block.parts(head, indent: "    ", first: "#\(record.number)  ", width: style.width)
    var line = ["up \(figures(.toServer))", "down \(figures(.toClient))", Wording.duration(record.duration), end]
    if record.exchanges == 0 {
      line += Direction.allCases.compactMap { SilenceWords.summary(record.sides[$0].silence, $0) }
    }
    block.parts(line, indent: "    ", width: style.width)
    if let outerHop { block.line("    the proxy's upstream side of #\(outerHop)") }
    if let session = record.tls {
      block.parts(TLSLine(session: session).parts, indent: "      ", first: "    ", width: style.width)
    }
    let lanes = StreamLanes(record, exchanges, style, origin)
    writeLines(of: lanes == nil ? exchanges : exchanges.filter { $0.key.stream == nil }, to: &block)
    lanes?.write(to: &block)
    for socket in record.sockets {
      block.parts(SocketLine(record: socket, style: style).parts, indent: "      ", first: "    ", width: style.width)
    }
    guard style.timeline != .none, !record.timeline.isEmpty else { return }
    block.line()
    TextTimeline(
      record: record, exchanges: exchanges, cited: cited, isBesideLanes: lanes != nil, style: style, origin: origin
    ).write(to: &block)
  }

  /// The server by name, with its address.
  private var server: String {
    guard let name = record.serverName else { return "\(record.server)" }
    let source = record.namedBy.map { ", DNS #\($0.number)" } ?? ""
    return "\(EscapedText.text(style.shortened(name, to: 48))) (\(record.server)\(source))"
  }

  private func writeLines(of exchanges: [ExchangeRecord], to block: inout TextBlock) {
    let shown =
      exchanges.count <= Self.exchangeLimit
      ? exchanges : exchanges.prefix(Self.exchangeLimit - 3) + exchanges.suffix(2)
    let width = exchanges.count > 1 ? String(exchanges.last?.number ?? 0).count + 1 : 0
    for (index, exchange) in shown.enumerated() {
      if shown.count < exchanges.count, index == Self.exchangeLimit - 3 {
        let left = record.exchanges &- record.exchangesLeftOut &- UInt64(shown.count)
        block.line("    \(style.ellipsis) \(Wording.count(left, "more exchange"))   [--json]")
      }
      let number = width > 0 ? String(exchange.number).padded(to: width) : ""
      block.parts(
        ExchangeLine(exchange: exchange, style: style).parts, indent: String(repeating: " ", count: width + 6),
        first: "    " + number, width: style.width)
    }
  }

  private func figures(_ direction: Direction) -> String {
    let side = record.sides[direction]
    var text = "\(Wording.bytes(side.bytes)) in \(Wording.count(side.packets, "packet"))"
    var asides: [String] = []
    if side.retransmittedBytes > 0 { asides.append("\(Wording.bytes(side.retransmittedBytes)) resent") }
    if side.outOfOrder > 0 { asides.append("\(Wording.number(side.outOfOrder)) out of order") }
    if side.missingBytes > 0 { asides.append("\(Wording.bytes(side.missingBytes)) missing") }
    if side.duplicatePackets > 0 { asides.append("\(Wording.number(side.duplicatePackets)) came twice") }
    if !asides.isEmpty { text += " (" + asides.joined(separator: ", ") + ")" }
    return text
  }

  private var end: String {
    let packet = record.end.packet.map { " (#\($0.number))" } ?? ""
    switch record.end.kind {
    case .fin:
      if let goodbye, record.end.by != goodbye.by {
        let fins = record.end.by == .both ? "both FINs" : "\(record.end.by.rawValue): FIN"
        return "closed by \(goodbye.by.rawValue): close_notify (#\(goodbye.packet.number)), then \(fins)\(packet)"
      }
      if record.end.by == .both { return "closed by both sides at once\(packet)" }
      return forged("closed").map { $0 + ": FIN" } ?? "closed by \(record.end.by.rawValue): FIN\(packet)"
    case .reset:
      let reset = forged("reset") ?? "reset by \(record.end.by.rawValue)\(packet)"
      guard record.end.isFirstByOther, let first = record.end.first else { return reset }
      return "closed by \(record.end.by == .client ? "server" : "client"): FIN (#\(first.number)), then \(reset)"
    case .open:
      let isUnanswered = record.sides.toClient.packets == 0 && !record.isMidstream
      return isUnanswered ? "no answer captured" : "still open when the capture ends\(behind)"
    case .evicted: return "evicted"
    }
  }

  /// `, 31.2 s after its last packet`
  private var behind: String {
    guard let silence = captureEnd?.since(record.lastPacket.time), silence >= Self.leastSilence else { return "" }
    return ", \(Wording.duration(silence)) after its last packet"
  }

  /// The first close_notify, where it came before any FIN: whoever sent it closed.
  private var goodbye: (by: ConnectionEnd.Side, packet: PacketRef)? {
    guard let session = record.tls, let end = record.end.first ?? record.end.packet else { return nil }
    let all = [
      session.sides.toServer.closeNotify.map { (by: ConnectionEnd.Side.client, packet: $0) },
      session.sides.toClient.closeNotify.map { (by: ConnectionEnd.Side.server, packet: $0) },
    ]
    return all.compactMap { $0 }.filter { $0.packet.number < end.number }.min { $0.packet.number < $1.packet.number }
  }

  /// A box in between ends a connection in the name of a side; its packets have travelled another way.
  private func forged(_ verb: String) -> String? {
    guard let origin = record.end.origin, origin.hasOtherTimeToLive, let packet = record.end.packet else { return nil }
    return "\(verb) in the \(record.end.by.rawValue)'s name "
      + "(#\(packet.number), TTL \(origin.timeToLive), its packets have \(origin.usualTimeToLive))"
  }
}

extension String {
  /// A protocol's name as people write it.
  fileprivate var spelled: String {
    switch self {
    case "http/1.1": "HTTP/1.1"
    case "http/0.9": "HTTP/0.9"
    case "tls": "TLS"
    case "h2": "HTTP/2"
    case "websocket": "WebSocket"
    case "grpc": "gRPC"
    default: self
    }
  }
}
