import Citation
import Events
import HTTPSemantics

// The exchange objects of streamscope.result/1.

extension JSONWriter {
  /// The fields of an exchange, inside an object that the caller opened.
  mutating func exchange(_ exchange: ExchangeRecord, pairOf pair: ExchangeKey? = nil, _ context: ResultContext) {
    field("id", exchange.number)
    if let stream = exchange.key.stream {
      field("protocol", "HTTP/2")
      field("streamId", UInt64(stream))
    }
    if exchange.isPushed { field("pushed", true) }
    if exchange.isJoined { field("alreadyOpen", true) }
    if let request = exchange.request { object("request") { $0.message(request, .request, context) } }
    if !exchange.interim.isEmpty {
      array("interim") { list in
        for interim in exchange.interim { list.object { $0.message(interim, .response, context) } }
      }
    }
    if let response = exchange.response { object("response") { $0.message(response, .response, context) } }
    reset(exchange.end, context)
    if let credit = exchange.credit {
      object("blockedNs") { json in
        json.field("stream", credit.toServer.blocked &+ credit.toClient.blocked)
        json.field("connection", credit.toServer.blockedByConnection &+ credit.toClient.blockedByConnection)
      }
      windows(credit, context)
    }
    if let call = exchange.grpc { grpc(call, exchange, context) }
    let notes = exchange.notes
    if listsMaps || !notes.isEmpty { array("notes") { list in for note in notes { list.value(note) } } }
    let (wait, firstBody, total) = (exchange.wait, exchange.timeToFirstBody, exchange.total)
    // An object without keys is taken for a map.
    if !listsMaps || wait != nil || firstBody != nil || total != nil {
      object("timing") { json in
        json.field("waitNs", wait)
        json.field("firstBodyNs", firstBody)
        json.field("totalNs", total)
      }
    }
    stream(exchange, pairOf: pair, context)
    let releases = exchange.releases
    if !releases.isEmpty {
      array("releases") { list in
        for release in releases {
          list.object { json in
            json.field("client", release.client.title)
            json.field("ns", context.relative(release.packet.time))
            json.field("bytes", release.bytes)
          }
        }
      }
    }
  }

  /// Who gave up its stream, and why.
  private mutating func reset(_ end: ExchangeEnd, _ context: ResultContext) {
    guard let code = end.resetCode, let closing = end.closing, let by = closing.by, let packet = closing.at else {
      return
    }
    object("reset") { json in
      json.field("by", by == .toServer ? "client" : "server")
      json.field("code", UInt64(code))
      json.field("packet", packet.number)
      json.field("ns", context.relative(packet.time))
    }
  }

  private mutating func grpc(_ call: GRPCRecord, _ exchange: ExchangeRecord, _ context: ResultContext) {
    object("grpc") { json in
      let path = exchange.target.split(separator: "/", omittingEmptySubsequences: true)
      if path.count == 2 {
        json.field("service", String(path[0]))
        json.field("method", String(path[1]))
      }
      json.object("messages") { sides in
        for direction in Direction.allCases { sides.field(direction.field, call.sides[direction].messages) }
      }
      json.object("messageBytes") { sides in
        for direction in Direction.allCases { sides.field(direction.field, call.sides[direction].bytes) }
      }
      if let stream = exchange.response?.stream, stream.kind == .grpc {
        json.field("firstMessageNs", stream.firstItem.map { context.relative($0.time) })
        json.gaps(stream.itemGaps)
        json.density("perSegment", stream.perSegment)
      }
      let code = exchange.grpcStatus.map { UInt64($0) }
      json.field("status", code)
      json.field("statusName", code.flatMap { GRPCStatus.name($0) })
      if let asked = exchange.request?.head?.block, let field = asked.first("grpc-timeout") {
        json.field("timeoutNs", GRPCTimeout.nanoseconds(asked.bytes[field.value]))
      }
      json.field("encoding", exchange.response?.head?.block.value("grpc-encoding"))
      if call.isWeb { json.field("web", true) }
    }
  }

  private enum MessageRole { case request, response }

  private mutating func message(_ message: Message, _ role: MessageRole, _ context: ResultContext) {
    startLine(message.head, role, context)
    if let head = message.head, head.reason == .endOfStream { pseudo(head.block, role, context) }
    array("headers") { list in
      if let block = message.head?.block { list.fields(block, context) }
    }
    if let trailers = message.trailers, !trailers.fields.isEmpty {
      array("trailers") { $0.fields(trailers, context) }
    }
    field("framing", (message.joined ?? message.framing).name)
    field("bodyBytes", message.bodyBytes)
    if message.dataFrames.count > 0 {
      object("dataFrames") { json in
        json.field("count", message.dataFrames.count)
        json.field("padding", nonzero: message.dataFrames.padding)
      }
    }
    if let chunks = message.chunks {
      object("chunks") { json in
        json.field("count", chunks.count)
        if chunks.count > 0 {
          json.field("minBytes", chunks.smallest)
          json.field("maxBytes", chunks.largest)
        }
        json.field("splitAcrossSegments", chunks.split)
        json.field("terminated", chunks.terminator != nil)
      }
    }
    if let multipart = message.multipart { parts(multipart) }
    if let content = message.content, content.outcome == .decoded { field("contentBytes", content.bytes) }
    field("complete", message.isComplete)
    field("incomplete", message.incompleteness)
    if !message.leniences.isEmpty || !message.errors.isEmpty {
      array("leniences") { list in
        for lenience in message.leniences { list.value(String(describing: lenience.kind)) }
        for error in message.errors { list.value(String(describing: error.kind)) }
      }
    }
    raw(message, context)
    field("firstPacket", message.first.number)
    field("lastPacket", message.last.number)
    field("startNs", context.relative(message.first.time))
    field("headNs", message.headReleased.map { context.relative($0.time) })
    field("endNs", message.end == nil ? nil : context.relative(message.last.time))
    field("bodySha256", message.sha256?.hexText)
  }

  private mutating func parts(_ multipart: MultipartRecord) {
    array("parts") { list in
      for part in multipart.parts {
        list.object { json in
          json.field("name", part.name)
          json.field("filename", part.fileName)
          json.field("type", part.type)
          json.field("bytes", part.bytes)
          json.field("firstPacket", part.firstPacket.number)
          json.field("lastPacket", part.lastPacket.number)
        }
      }
    }
    if multipart.partsCut > 0 { field("partsCut", multipart.partsCut) }
  }

  /// Of a message that broke off inside of its start line nothing is known, and all of it is empty.
  private mutating func startLine(_ head: MessageHead?, _ role: MessageRole, _ context: ResultContext) {
    switch role {
    case .request:
      field("method", context.redaction.target(head?.methodText ?? ""))
      field("target", context.redaction.target(head?.targetText ?? ""))
    case .response:
      field("status", head?.status.code ?? 0)
      field("reason", context.redaction.target(head?.reasonText ?? ""))
    }
    field("version", head.map { $0.reason == .endOfStream ? "HTTP/2" : $0.version.description } ?? "")
  }

  /// The fields before the others that say what a start line says in HTTP/1.
  private mutating func pseudo(_ block: HeaderBlock, _ role: MessageRole, _ context: ResultContext) {
    if role == .request {
      field("scheme", block.value(":scheme").map { context.redaction.target($0) })
      field("authority", block.value(":authority").map { context.redaction.target($0) })
      field("protocol", block.value(":protocol").map { context.redaction.target($0) })
    }
    let fields = block.fields.filter { block.isPseudo($0) }
    guard !fields.isEmpty else { return }
    array("pseudo") { list in
      for field in fields {
        let name = block.name(field)
        let value = block.value(field)
        list.array { pair in
          pair.value(context.redaction.name(ofField: name))
          pair.value(context.redaction.value(value, of: name))
        }
      }
    }
  }

  private mutating func fields(_ block: HeaderBlock, _ context: ResultContext) {
    for header in block.fields where !block.isPseudo(header) {
      let name = block.name(header)
      array { pair in
        pair.value(context.redaction.name(ofField: name))
        pair.value(context.redaction.value(block.value(header), of: name))
      }
    }
  }
}

extension Message {
  /// Why a message is unfinished, in words; nil when it is complete.
  package var incompleteness: String? {
    guard let end = self.end else { return "still open" }
    guard case .incomplete(let incomplete) = end.outcome else { return nil }
    let cause =
      switch incomplete.cause {
      case .fin: "FIN"
      case .reset: "reset"
      case .evicted: "evicted"
      case .captureEnded: "capture ended"
      case .gap: "bytes not captured"
      case .framingError: "framing error"
      }
    let place =
      switch incomplete.place {
      case .startLine: "in the start line"
      case .fields: "in the fields"
      case .body: "in the body"
      case .chunkSize: "before a chunk"
      case .chunkData: "inside a chunk"
      case .chunkEnd: "at the end of a chunk"
      case .trailers: "after the last chunk"
      }
    let rest = incomplete.outstanding.map { ", \(Wording.bytes($0)) outstanding" } ?? ""
    return "\(cause) \(place)\(rest)"
  }
}

extension Framing {
  package var name: String {
    switch self {
    case .none: "none"
    case .length: "length"
    case .chunked: "chunked"
    case .close: "close"
    case .tunnel: "tunnel"
    case .stream: "stream"
    }
  }
}
