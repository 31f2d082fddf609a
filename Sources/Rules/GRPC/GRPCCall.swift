import Citation
import Events
import HTTPSemantics

/// An exchange as a call of gRPC.
struct GRPCCall {
  let exchange: ExchangeRecord
  let request: Message
  let asked: MessageHead

  /// nil for what is none. Calls from web pages have types of their own, and are left out unless they are asked for.
  init?(_ exchange: ExchangeRecord, takesWeb: Bool = false) {
    guard let request = exchange.request, let head = request.head, let type = head.block.grpcType else { return nil }
    guard type == .plain ? head.reason == .endOfStream : takesWeb else { return nil }
    self.exchange = exchange
    self.request = request
    asked = head
  }

  var response: Message? { exchange.response }
  private var isWeb: Bool { asked.block.grpcType != .plain }

  /// Where the status stands: behind the body, in a head without one, or of web pages in the body's last frame.
  enum Status {
    case field(HeaderField, HeaderBlock)
    case frame(GRPCRecord.CitedStatus)

    var code: UInt32? {
      switch self {
      case .field(let field, let block): block.number(field).flatMap { UInt32(exactly: $0) }
      case .frame(let told): told.code
      }
    }

    var packet: PacketRef {
      switch self {
      case .field(let field, let block): block.span(of: field.value).first
      case .frame(let told): told.packet
      }
    }

    var evidence: Evidence {
      switch self {
      case .field(let field, let block): GRPCCall.evidence(field, block, .toClient, "grpc-status")
      case .frame(let told):
        Evidence(.packet(told.packet, .toClient), "grpc-status \(told.code) in the trailers of the body")
      }
    }

    /// What the server wrote beside the code, which is payload.
    var message: [Evidence] {
      guard case .field(_, let block) = self, let field = block.first("grpc-message"), !field.value.isEmpty else {
        return []
      }
      return [
        Evidence(
          .bytes(block.span(of: field.value), .toClient),
          excerpt: Excerpt(Array(block.bytes[field.value]).span, isPayload: true), "grpc-message")
      ]
    }
  }

  var status: Status? {
    if let trailers = response?.trailers, let field = trailers.first("grpc-status") { return .field(field, trailers) }
    if let told = exchange.grpc?.sides.toClient.status { return .frame(told) }
    guard let response, response.framing == Framing.none || isWeb && response.bodyBytes == 0, let head = response.head,
      let field = head.block.first("grpc-status")
    else { return nil }
    return .field(field, head.block)
  }

  var code: UInt32? { status?.code }

  static func name(_ code: UInt32) -> String { GRPCStatus.name(UInt64(code)) ?? "status \(code)" }

  /// Codes that say that something did not work; the others are answers of the application.
  static func isFailure(_ code: UInt32) -> Bool {
    switch code {
    case 2, 4, 7, 8, 12...: true
    default: false
    }
  }

  /// What clients make of a status of HTTP.
  static func code(ofHTTP status: UInt16) -> UInt32 {
    switch status {
    case 400: 13
    case 401: 16
    case 403: 7
    case 404: 12
    case 429, 502, 503, 504: 14
    default: 2
    }
  }

  /// A timeout in nanoseconds; nil where it is none.
  var timeout: Int64? {
    guard let field = asked.block.first("grpc-timeout") else { return nil }
    return GRPCTimeout.nanoseconds(asked.block.bytes[field.value])
  }

  /// A field as evidence.
  static func evidence(_ field: HeaderField, _ block: HeaderBlock, _ direction: Direction, _ words: String) -> Evidence
  {
    Evidence(.bytes(block.span(of: field.value), direction), excerpt: block.excerpt(of: field.value), words)
  }
}

/// Judges calls of gRPC that are over.
protocol GRPCCallRule: ExchangeRule {
  /// It holds for calls from web pages, too, and over HTTP/1.
  static var takesWeb: Bool { get }
  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void)
}

extension GRPCCallRule {
  static var takesWeb: Bool { false }
  static var needs: ExchangeFacts { takesWeb ? .call : .grpc }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let call = GRPCCall(exchange, takesWeb: takesWeb) { judge(call, in: context, report: report) }
  }

  static func finding(
    _ call: GRPCCall, _ context: FlowContext, _ direction: Direction, _ words: String, cost: Cost,
    severity: Severity? = nil, _ evidence: [Evidence]
  ) -> Finding {
    Finding(
      info, severity: severity, subject: .connection(context.id), exchange: call.exchange.number, direction: direction,
      "\(call.exchange.title): \(words).", cost: cost, fix: info.fix, evidence: evidence)
  }
}
