import Citation
import Events
import HTTPSemantics
import WebSocketSemantics

/// What is known of a connection as soon as anything is told of it.
struct SelectionParty {
  var number: Int
  var client: Endpoint
  var server: Endpoint
  var isMidstream: Bool
  var isSecure: Bool
  var first: PacketRef

  init(_ context: FlowContext, number: Int) {
    self.number = number
    client = context.client
    server = context.server
    isMidstream = context.isMidstream
    isSecure = context.isSecure
    first = context.firstPacket
  }

  init(_ record: ConnectionRecord) {
    number = record.number
    client = record.client
    server = record.server
    isMidstream = record.isMidstream
    isSecure = record.isSecure
    first = record.firstPacket
  }
}

/// A connection, an exchange or a finding as a condition asks about it, with what it belongs to.
struct SelectionSubject: Subject {
  let origin: Timestamp
  /// Of the condition: whose start and end are asked for.
  let level: SubjectField.Level
  var party: SelectionParty?
  var exchange: ExchangeRecord?
  /// nil while the connection lives, and what only its end shows is not known.
  var record: ConnectionRecord?
  var finding: Finding?
  /// So far.
  var isHurt = false
  /// Nothing more will be known: what is not there is absent.
  var isLast = false

  func answer(_ field: Int) -> Answer {
    guard let field = SubjectField(rawValue: field) else { return .absent }
    switch field.level {
    case .connection: return ofConnection(field) ?? (record == nil && !isLast ? .unknown : .absent)
    case .exchange: return ofExchange(field)
    case .finding:
      guard let finding else { return isLast ? .absent : .unknown }
      return Self.of(finding, field) ?? .absent
    }
  }

  // MARK: Connections

  private func ofConnection(_ field: SubjectField) -> Answer? {
    switch field {
    case .connection: party.map { .number(Double($0.number)) }
    case .clientIP: party.map { .text($0.client.address.description) }
    case .clientPort: party.map { .number(Double($0.client.port)) }
    case .serverIP: party.map { .text($0.server.address.description) }
    case .serverPort: party.map { .number(Double($0.server.port)) }
    case .midstream: party.map { .flag($0.isMidstream) }
    case .tls: party.map { .flag($0.isSecure) }
    case .server: (record?.serverName ?? record?.tls?.serverName).map { .text($0.lowercased()) }
    case .sni: record?.tls?.serverName.map { .text($0) }
    case .alpn: record?.tls?.applicationProtocol.map { .text($0) }
    case .protocols: record.map { .texts($0.protocols) }
    case .retransmitted:
      record.map { .bytes($0.sides.toServer.retransmittedBytes &+ $0.sides.toClient.retransmittedBytes) }
    case .missing: record.map { .bytes($0.missingBytes) }
    case .closeCode: record?.closeCode.map { .number(Double($0)) }
    case .hurt: isHurt ? .flag(true) : record == nil && !isLast ? nil : .flag(false)
    case .start: start.map { .time($0.time) }
    case .end: end.map { .time($0.time) }
    case .duration:
      if let start, let end { .nanoseconds(end.time.since(start.time)) } else { nil }
    default: nil
    }
  }

  /// Of the exchange, where the condition is about exchanges and this is of one.
  private var start: PacketRef? { level > .connection && exchange != nil ? exchange?.first : party?.first }
  private var end: PacketRef? { level > .connection && exchange != nil ? exchange?.last : record?.lastPacket }

  // MARK: Exchanges

  private func ofExchange(_ field: SubjectField) -> Answer {
    guard let exchange else {
      guard let record else { return isLast ? .absent : .unknown }
      return field == .kind && record.exchanges == 0 ? .text(record.kind.rawValue) : .absent
    }
    if field == .gap, exchange.opensWebSocket {
      guard let record else { return isLast ? .absent : .unknown }
      let gaps = record.sockets.filter { $0.opening.exchangeKey == exchange.key || record.sockets.count == 1 }
        .flatMap { [$0.sides.toServer.gaps.maximum, $0.sides.toClient.gaps.maximum] }
      return gaps.compactMap { $0 }.max().map { .nanoseconds($0) } ?? .absent
    }
    return Self.of(exchange, field) ?? .absent
  }

  private static func of(_ exchange: ExchangeRecord, _ field: SubjectField) -> Answer? {
    let request = exchange.request
    let response = exchange.response
    switch field {
    case .method: return request?.head.map { .text($0.methodText) }
    case .target: return request?.head.map { .text($0.targetText) }
    case .path: return request?.head.map { .text(path(of: $0.targetText)) }
    case .host: return exchange.host.map { .text($0.lowercased()) }
    case .status: return exchange.status.code > 0 ? .status(exchange.status.code) : nil
    case .version:
      return (request?.head?.version ?? response?.head?.version).flatMap { Double($0.description) }.map { .number($0) }
    case .kind: return .text(exchange.kind.rawValue)
    case .type: return response?.head?.block.contentType.map { .text($0.essence) }
    case .agent: return exchange.clientAgent.map { .text($0) }
    case .wait: return exchange.wait.map { .nanoseconds($0) }
    case .firstBody: return exchange.timeToFirstBody.map { .nanoseconds($0) }
    case .total: return exchange.total.map { .nanoseconds($0) }
    case .gap:
      return [request?.longestPause?.nanoseconds, response?.longestPause?.nanoseconds].compactMap { $0 }.max().map {
        .nanoseconds($0)
      }
    case .requestBytes: return request.map { .bytes($0.bodyBytes) }
    case .responseBytes: return response.map { .bytes($0.bodyBytes) }
    case .complete: return .flag(request?.isComplete == true && response?.isComplete == true)
    default: return nil
    }
  }

  /// Without the query and, of an absolute target, without scheme and authority.
  private static func path(of target: String) -> String {
    var path = target[...]
    if !path.hasPrefix("/"), let mark = path.utf8.firstIndex(of: UInt8(ascii: ":")), path[mark...].hasPrefix("://") {
      let authority = path[path.index(mark, offsetBy: 3)...]
      path = authority.firstIndex(of: "/").map { authority[$0...] } ?? "/"
    }
    return String(path.prefix { $0 != "?" && $0 != "#" })
  }

  // MARK: Findings

  private static func of(_ finding: Finding, _ field: SubjectField) -> Answer? {
    switch field {
    case .rule: return .text(finding.rule.text)
    case .severity: return .text(finding.shownSeverity.name)
    case .confidence: return .text(finding.confidence.name)
    case .diagnosis: return .flag(finding.isDiagnosis)
    case .cost: if case .delay(let nanoseconds) = finding.cost { return .nanoseconds(nanoseconds) }
    case .lost: if case .lost(let bytes) = finding.cost { return .bytes(bytes) }
    case .failed:
      if case .failed = finding.cost { return .flag(true) }
      return .flag(false)
    default: break
    }
    return nil
  }
}

extension ExchangeRecord {
  /// An answer that was held as long is a long poll's.
  private static let heldFrom: Int64 = 2_000_000_000

  fileprivate var kind: ExchangeKind {
    if opensWebSocket { return .websocket }
    guard let response else { return .plain }
    if let stream = response.stream {
      switch stream.kind {
      case .sse: return .sse
      case .ndjson: return .ndjson
      case .grpc: return .grpc
      case .chunked: return .chunked
      }
    }
    switch response.framing {
    case .tunnel: return .tunnel
    case .chunked where response.isDrip: return .chunked
    default: break
    }
    if let wait, wait >= Self.heldFrom, !response.isDrip { return .longpoll }
    return (response.joined ?? response.framing) == .chunked ? .chunked : .plain
  }
}

extension ConnectionRecord {
  /// Of one without exchanges.
  fileprivate var kind: ExchangeKind { webSocket != nil ? .websocket : isSecure ? .tls : .tcp }

  /// Of the Close that came first: 1005 where it has none, 1006 where the connection ended without one.
  var closeCode: UInt16? {
    guard webSocket != nil else { return nil }
    guard let first = firstClose else { return end.kind == .fin || end.kind == .reset ? 1_006 : nil }
    return first.frame.closeCode ?? 1_005
  }

  var firstClose: (direction: Direction, frame: Frame)? {
    guard let socket = webSocket else { return nil }
    let closes = Direction.allCases.compactMap { side in socket.sides[side].close.map { (direction: side, frame: $0) } }
    return closes.min { $0.frame.span.first.number < $1.frame.span.first.number }
  }
}
