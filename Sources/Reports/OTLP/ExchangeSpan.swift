import Citation
import Events
import HTTPSemantics

/// An exchange as a span, by the semantic conventions of HTTP.
///
/// Its kind is CLIENT: it is what the client's side of the wire shows of a request, and the observed server is its peer. A
/// SERVER span would count each request of an instrumented server twice.
struct ExchangeSpan {
  static let conventions = "https://opentelemetry.io/schemas/1.34.0"
  private static let client = 3
  private static let error = 2

  let exchange: ExchangeRecord
  /// Nil where too much waited for its connection's end.
  let record: ConnectionRecord?
  let trace: TraceContext
  let uid: String
  let findings: [SpanFinding]
  let findingsCut: Int
  let times: ClosedRange<Timestamp>
  /// It was going on when the capture ended, or when it was evicted.
  let isOpen: Bool
  private let last: PacketRef

  init(
    _ exchange: ExchangeRecord, _ record: ConnectionRecord?, _ trace: TraceContext, uid: String,
    findings: [SpanFinding], findingsCut: Int
  ) {
    self.exchange = exchange
    self.record = record
    self.trace = trace
    self.uid = uid
    self.findings = findings
    self.findingsCut = findingsCut
    let isSocket = exchange.kind == .websocket
    let isUnended = exchange.messages.contains { $0.end == nil } || exchange.response == nil
    let isCutOff = exchange.messages.contains {
      $0.incomplete?.cause == .captureEnded || $0.incomplete?.cause == .evicted
    }
    let cut = exchange.end.cut
    isOpen =
      isCutOff || cut == .captureEnded || cut == .evicted || cut == nil && isUnended && !exchange.isResponseMissing
      || isSocket && record?.end.kind == .open
    var last = exchange.last
    // A socket and what is open last as long as their connection.
    if isOpen || isSocket, let end = record?.lastPacket, end.number > last.number { last = end }
    self.last = last
    let start = exchange.first.time
    times = start...max(start, last.time)
  }

  func write(to json: inout JSONWriter, _ redaction: Redaction) {
    let failure = failure
    json.object { json in
      json.field("traceId", trace.trace)
      json.field("spanId", trace.span)
      if let parent = trace.parent {
        json.field("parentSpanId", parent.span)
        // The parent is remote, and that is known.
        json.field("flags", 0x300 | UInt64(parent.flags))
        if let state = exchange.request?.head?.block.value("tracestate"), state.utf8.count <= 512,
          redaction.value(state, of: "tracestate") == state
        {
          json.field("traceState", state)
        }
      }
      json.field("name", name)
      json.field("kind", Self.client)
      json.nanoseconds("startTimeUnixNano", times.lowerBound)
      json.nanoseconds("endTimeUnixNano", times.upperBound)
      json.array("attributes") { list in
        http(&list, redaction)
        list.attribute("error.type", failure)
        own(&list)
      }
      let (events, dropped) = SpanEvent.kept(events)
      if !events.isEmpty {
        json.array("events") { list in
          for event in events { list.object { $0.event(event, within: times) } }
        }
      }
      if dropped + findingsCut > 0 { json.field("droppedEventsCount", dropped + findingsCut) }
      json.object("status") { status in if failure != nil { status.field("code", Self.error) } }
    }
  }

  /// Few different ones: with the shape of the path, and not the path.
  private var name: String {
    guard let place = exchange.endpoint else { return "HTTP" }
    return "\(method.isKnown ? method.text : "HTTP") \(place.path)"
  }

  /// Methods that the conventions do not name are all `_OTHER`.
  private var method: (text: String, isKnown: Bool) {
    let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
    let text = exchange.method
    return (text, known.contains(text))
  }

  /// What the conventions call the type of the error; nil where there is none. The status of the response goes first.
  private var failure: String? {
    let code = exchange.status.code
    if code >= 400 { return String(code) }
    if exchange.end.resetCode != nil || exchange.end.cut == .reset { return "reset" }
    if exchange.end.cut == .fin { return "unfinished" }
    if let response = exchange.response, let incomplete = response.incomplete {
      switch incomplete.cause {
      case .fin: return "unfinished"
      case .reset: return "reset"
      case .framingError: return "framing"
      // The capture lacks the rest: nothing is known of the exchange.
      case .gap, .captureEnded, .evicted: break
      }
    }
    return findings.first { $0.severity == .error }?.rule
  }

  private func http(_ list: inout JSONWriter, _ redaction: Redaction) {
    if exchange.request != nil, !method.text.isEmpty {
      list.attribute("http.request.method", method.isKnown ? method.text : "_OTHER")
      if !method.isKnown { list.attribute("http.request.method_original", redaction.target(method.text)) }
    }
    let code = exchange.status.code
    if code > 0 { list.attribute("http.response.status_code", Int64(code)) }
    list.attribute("url.template", exchange.endpoint?.path)
    url(&list, redaction)
    let host = exchange.host.map { Self.split(redaction.target($0)) }
    list.attribute("server.address", host?.name ?? record.map { $0.serverName ?? $0.server.address.description })
    list.attribute("server.port", host?.port ?? record.map { Int64($0.server.port) })
    if let record {
      list.attribute("network.peer.address", record.server.address.description)
      list.attribute("network.peer.port", Int64(record.server.port))
      list.attribute("client.address", record.client.address.description)
      list.attribute("client.port", Int64(record.client.port))
      list.attribute("network.transport", "tcp")
      list.attribute("network.type", record.server.address.isV4 ? "ipv4" : "ipv6")
    }
    list.attribute("network.protocol.name", "http")
    list.attribute("network.protocol.version", version)
    list.attribute("user_agent.original", exchange.clientAgent.map { redaction.value($0, of: "user-agent") })
    list.attribute("http.request.body.size", count: exchange.request?.bodyBytes)
    list.attribute("http.response.body.size", count: exchange.response?.bodyBytes)
  }

  private func url(_ list: inout JSONWriter, _ redaction: Redaction) {
    let target = redaction.target(exchange.target)
    guard !target.isEmpty else { return }
    let scheme = exchange.request?.head?.block.value(":scheme") ?? record.map { $0.isSecure ? "https" : "http" }
    if target.contains("://"), !target.hasPrefix("/") {
      list.attribute("url.full", target)
      return
    }
    list.attribute("url.scheme", scheme.map { redaction.target($0) })
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    list.attribute("url.path", String(parts[0]))
    if parts.count > 1 { list.attribute("url.query", String(parts[1])) }
    let host = exchange.host ?? record?.server.description
    if target.hasPrefix("/"), let scheme, let host, !host.isEmpty {
      list.attribute("url.full", redaction.target("\(scheme)://\(host)") + target)
    }
  }

  /// A host with its port, which may be missing; an address of IPv6 without its brackets.
  private static func split(_ host: String) -> (name: String, port: Int64?) {
    let name = FindingName.withoutPort(host)
    let port = name == host ? nil : Int64(host.dropFirst(name.count + 1))
    return (name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name, port)
  }

  private var version: String? {
    if exchange.key.stream != nil { return "2" }
    let words = (exchange.request?.head ?? exchange.response?.head)?.version.description
    return words.map { $0.hasPrefix("HTTP/") ? String($0.dropFirst(5)) : $0 }
  }

  /// What is this program's own: names of its own, too.
  private func own(_ list: inout JSONWriter) {
    list.attribute("streamscope.uid", uid)
    list.attribute("streamscope.connection", Int64(exchange.key.connection))
    list.attribute("streamscope.exchange", Int64(exchange.number))
    list.attribute("streamscope.stream_id", exchange.key.stream.map(Int64.init))
    list.attribute("streamscope.kind", exchange.kind.rawValue)
    list.attribute("streamscope.packet.first", count: exchange.first.number)
    list.attribute("streamscope.packet.last", count: last.number)
    list.attribute("streamscope.open", isOpen)
    list.attribute("streamscope.already_open", exchange.isJoined)
    list.attribute("streamscope.response_missing", exchange.isResponseMissing)
    list.attribute("streamscope.incomplete", exchange.response?.incompleteness)
    list.attribute("streamscope.wait_ns", exchange.wait)
    list.attribute("streamscope.first_body_ns", exchange.timeToFirstBody)
    if let stream = exchange.stream {
      list.attribute("streamscope.stream.kind", stream.kind.rawValue)
      list.attribute("streamscope.stream.pieces", count: stream.pieces)
      list.attribute("streamscope.stream.items", count: stream.items)
      list.attribute("streamscope.stream.first_item_ns", exchange.timeToFirstItem)
      gaps(stream.items > 0 ? stream.itemGaps : stream.gaps, &list)
    }
    if let socket {
      for direction in Direction.allCases {
        let side = socket.sides[direction]
        let name = direction == .toServer ? "to_server" : "to_client"
        list.attribute("streamscope.websocket.\(name).messages", count: side.messages)
        list.attribute("streamscope.websocket.\(name).bytes", count: side.bytes)
        list.attribute("streamscope.websocket.\(name).gap_max_ns", side.gaps.maximum)
      }
    }
    for (cause, nanoseconds) in exchange.silence.causes {
      list.attribute("streamscope.silence.\(cause.name)_ns", nanoseconds)
    }
  }

  private func gaps(_ values: ExponentialHistogram, _ list: inout JSONWriter) {
    guard values.count > 0 else { return }
    list.attribute("streamscope.stream.gap_p50_ns", values.quantile(50))
    list.attribute("streamscope.stream.gap_p95_ns", values.quantile(95))
    list.attribute("streamscope.stream.gap_max_ns", values.maximum)
  }

  private var socket: WebSocketRecord? {
    record?.sockets.first { $0.opening.exchange == exchange.number }
  }

  private var events: [SpanEvent] {
    var events = findings.map { SpanEvent(.finding($0), at: $0.first.number > 0 ? $0.first : exchange.first) }
    if let response = exchange.response { events.append(SpanEvent(.firstByte, at: response.first)) }
    for message in exchange.messages {
      for pause in message.stalls { events.append(SpanEvent(.stall(pause), at: pause.from)) }
    }
    if exchange.kind == .websocket, let record {
      for pause in record.pauses where pause.exchange.number == exchange.number {
        events.append(SpanEvent(.stall(pause), at: pause.from))
      }
    }
    return events
  }
}
