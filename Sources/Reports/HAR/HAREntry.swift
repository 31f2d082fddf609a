import Citation
import Events

/// An exchange in the archive. One without a response is included, with status 0 as in Chrome.
struct HAREntry {
  let connection: HARConnection
  let exchange: DocumentNode
  let phases: ExchangePhases
  let findings: [DocumentNode]
  /// When it begins: with the handshakes, where they are a part of it.
  let start: Timestamp
  private let clock: DocumentClock
  /// Those of the exchange.
  private let items: [DocumentItems.Item]
  private let isSocket: Bool
  private let mimeType: String

  init(
    _ connection: HARConnection, _ exchange: DocumentNode, _ phases: ExchangePhases, findings: [DocumentNode],
    _ clock: DocumentClock
  ) {
    self.connection = connection
    self.exchange = exchange
    self.phases = phases
    self.findings = findings
    self.clock = clock
    let number = exchange.integer("id") ?? 0
    isSocket = connection.socket == number
    items = connection.items(of: number)
    start = clock.time(phases.opening?.start ?? phases.start)
    mimeType = HARMessage.mimeType(exchange["response"])
  }

  private var isEventStream: Bool { mimeType == "text/event-stream" || exchange["stream"]?.text("kind") == "sse" }

  /// Messages and events of which only the length is known.
  var silentItems: Int {
    items.count { ["text", "binary", "event"].contains($0.kind) && $0.preview == nil && $0.bytes > 0 }
  }

  func write(to json: inout JSONWriter) {
    let server = connection.node["server"]
    json.field("_connectionId", connection.name)
    json.field("_resourceType", resourceType)
    json.field("_streamId", exchange.integer("streamId"))
    json.object("cache") { _ in }
    json.field("connection", connection.name)
    json.object("request") { request(to: &$0) }
    json.object("response") { response(to: &$0) }
    if let address = server?.text("ip") {
      json.field("serverIPAddress", String(address.drop { $0 == "[" }.prefix { $0 != "]" }))
    }
    json.field("startedDateTime", ClockTime(start).text)
    json.field("time", decimal: phases.end - (phases.opening?.start ?? phases.start), scale: 6)
    json.object("timings") { timings(to: &$0) }
    if isSocket { socketMessages(to: &json) }
    // Without the array Chrome would look for events in the body.
    if isEventStream { events(to: &json) }
    let comment = comment
    if !comment.isEmpty { json.field("comment", comment) }
    json.object("_streamscope") { json in
      HARExtras(exchange, phases, items: items, findings: findings).write(to: &json)
    }
  }

  // MARK: Parts

  private func request(to json: inout JSONWriter) {
    let request = exchange["request"]
    let address = HARAddress(request, of: connection.node, isSocket: isSocket, isAfterTLS: isAfterTLS)
    let form = HARMessage(
      request, isRedacted: connection.isRedacted, headBytes: connection.headBytes(exchange, "toServer", after: 0))
    json.field("method", request?.text("method") ?? "")
    json.field("url", address.text)
    form.lines(to: &json)
    json.array("queryString") { list in
      for pair in address.query {
        list.object { json in
          json.field("name", pair.name)
          json.field("value", pair.value)
        }
      }
    }
    form.cookies(HARMessage.requestCookies, to: &json)
    form.postData(to: &json)
    form.sizes(to: &json)
    if request == nil { json.field("comment", "Not in the capture.") }
  }

  private func response(to json: inout JSONWriter) {
    let response = exchange["response"]
    let interim = exchange.elements("interim").count
    let form = HARMessage(
      response, isRedacted: connection.isRedacted, headBytes: connection.headBytes(exchange, "toClient", after: interim)
    )
    json.field("status", response?.integer("status") ?? 0)
    json.field("statusText", response?.text("reason") ?? "")
    form.lines(to: &json)
    form.cookies(HARMessage.responseCookies, to: &json)
    form.content(mimeType, to: &json)
    json.field("redirectURL", form.value(of: "location") ?? "")
    form.sizes(to: &json)
    json.field("_transferSize", form.transferSize)
    json.field("_error", error)
  }

  private func timings(to json: inout JSONWriter) {
    json.milliseconds("blocked", phases.opening?.idle)
    json.field("dns", -1)
    json.milliseconds("connect", phases.opening?.connect)
    json.milliseconds("ssl", phases.opening?.tls)
    json.milliseconds("send", phases.sent - phases.start)
    json.milliseconds("wait", (phases.answered ?? phases.end) - phases.sent)
    json.milliseconds("receive", phases.answered.map { phases.end - $0 } ?? 0)
  }

  /// A handshake inside a tunnel comes after the first exchange of the connection.
  private var isAfterTLS: Bool {
    guard let tls = connection.node["tls"] else { return false }
    guard let hello = tls["phases"]?.integer("clientHelloNs") else { return true }
    return hello <= phases.start
  }

  private var resourceType: String {
    if isSocket { return "websocket" }
    if isEventStream { return "eventsource" }
    return HARMessage.resourceType(exchange["request"], mimeType)
  }

  /// The error code that Chrome would show.
  private var error: String? {
    let response = exchange["response"]
    let end = connection.node["end"]
    if response == nil {
      switch (end?.text("kind"), end?.text("by")) {
      case ("fin", "client"), ("reset", "client"): return "net::ERR_ABORTED"
      case ("reset", _): return "net::ERR_CONNECTION_RESET"
      case ("fin", _): return "net::ERR_EMPTY_RESPONSE"
      default: return nil
      }
    }
    guard !isSocket, response?["complete"]?.flag == false, let why = response?.text("incomplete") else { return nil }
    if why.hasPrefix("reset") {
      return end?.text("by") == "client" ? "net::ERR_ABORTED" : "net::ERR_CONNECTION_RESET"
    }
    guard why.hasPrefix("FIN") else { return nil }
    if end?.text("by") == "client" { return "net::ERR_ABORTED" }
    return response?.text("framing") == "chunked"
      ? "net::ERR_INCOMPLETE_CHUNKED_ENCODING" : "net::ERR_CONTENT_LENGTH_MISMATCH"
  }

  private var comment: String {
    var sentences: [String] = []
    if exchange["request"] == nil, isSocket {
      sentences.append("The handshake of this WebSocket was before the capture.")
    }
    for (key, noun) in [("request", "request"), ("response", "response")] {
      if let why = exchange[key]?.text("incomplete") { sentences.append("The \(noun) is incomplete: \(why).") }
    }
    if exchange["request"] != nil, exchange["response"] == nil { sentences.append("No response was captured.") }
    if exchange["response"]?.text("framing") == "tunnel", !isSocket {
      let bytes = { (side: String) in
        Wording.bytes(UInt64(clamping: connection.node[side]?.integer("bytes") ?? 0))
      }
      sentences.append(
        "After it the connection is a tunnel; in all \(bytes("toServer")) to the server, \(bytes("toClient")) to the client."
      )
    }
    if let ahead = phases.openedAhead {
      sentences.append(
        "The connection was ready \(Wording.duration(ahead)) before the request: its handshakes are not included.")
    }
    sentences += exchange.elements("notes").compactMap(\.text).map { $0.hasSuffix(".") ? $0 : $0 + "." }
    return sentences.joined(separator: " ")
  }

  // MARK: Messages

  private func socketMessages(to json: inout JSONWriter) {
    json.array("_webSocketMessages") { list in
      for item in items {
        guard let opcode = item.opcode else { continue }
        list.row { json in
          json.field("type", item.isToServer ? "send" : "receive")
          json.field("time", decimal: clock.time(item.nanoseconds).nanoseconds, scale: 9)
          json.field("opcode", opcode)
          json.field("data", item.data)
          json.field("_bytes", item.bytes)
          json.field("_packet", item.packet)
          if item.span > 0 { json.milliseconds("_span", item.span) }
        }
      }
      guard let failure = socketFailure else { return }
      list.row { json in
        json.field("type", "error")
        json.field("time", decimal: clock.time(phases.end).nanoseconds, scale: 9)
        json.field("opcode", -1)
        json.field("data", failure)
      }
    }
  }

  /// A socket that neither side closed; Chrome shows such an end as an error among the messages.
  private var socketFailure: String? {
    let end = connection.node["end"]
    guard exchange["response"] != nil || exchange["request"] == nil, let kind = end?.text("kind"),
      kind == "fin" || kind == "reset", connection.node["websocket"]?["close"] == nil,
      !items.contains(where: { $0.kind == "close" })
    else { return nil }
    let by = end?.text("by") ?? "none"
    let whom = by == "none" ? "" : by == "both" ? " by both sides" : " by the \(by)"
    return "Connection closed without a close frame: \(kind == "fin" ? "FIN" : "reset")\(whom)"
  }

  private func events(to json: inout JSONWriter) {
    json.array("_eventSourceMessages") { list in
      for item in items where item.kind == "event" {
        list.row { json in
          json.field("time", decimal: clock.time(item.nanoseconds).nanoseconds, scale: 9)
          json.field("eventName", item.label.isEmpty ? "message" : item.label)
          // What a document keeps of an event is its name and its data.
          json.field("eventId", "")
          json.field("data", item.data)
          json.field("_bytes", item.bytes)
          json.field("_packet", item.packet)
          if item.span > 0 { json.milliseconds("_span", item.span) }
        }
      }
    }
  }
}

extension JSONWriter {
  /// Nanoseconds as the milliseconds of the format, with every digit; -1 where they are not known.
  mutating func milliseconds(_ name: FieldName, _ nanoseconds: Int64?) {
    if let nanoseconds { field(name, decimal: nanoseconds, scale: 6) } else { field(name, -1) }
  }
}

extension DocumentItems.Item {
  var isOfSocket: Bool { opcode != nil }

  /// Of a WebSocket frame.
  fileprivate var opcode: Int? {
    switch kind {
    case "text": 1
    case "binary": 2
    case "close": 8
    case "ping": 9
    case "pong": 10
    default: nil
    }
  }

  /// What Chrome has in `data`: text as it is, binary as base64. What is not kept is named by its length.
  fileprivate var data: String {
    if let preview {
      let mark = "base64:"
      return preview.hasPrefix(mark) && kind != "text" && kind != "event"
        ? String(preview.dropFirst(mark.count)) : preview
    }
    if kind == "close" { return label }
    return bytes > 0 ? "[\(Wording.bytes(UInt64(clamping: bytes)))]" : ""
  }
}
