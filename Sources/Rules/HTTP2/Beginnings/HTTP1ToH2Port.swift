import Citation
import Events
import HTTPSemantics

/// The older version at the port of the newer.
struct HTTP1ToH2Port: ConnectionRule {
  static let info = RuleInfo(
    id: "h2/http1-to-h2-port", severity: .error,
    summary: "A client speaks HTTP/1 to a server that speaks HTTP/2 only.",
    explanation: """
      The server answers with frames, which the client cannot read. Mostly a health check or a load balancer is set to \
      HTTP/1 for a port of gRPC.
      """,
    evidence: "The first bytes of the server, which are a frame of HTTP/2, and the request before them.",
    fix: "Client: speak HTTP/2 by prior knowledge, or use a health check for gRPC.",
    specifications: [.preface], since: "0.1")

  static var interests: EventKinds { .stray }

  private var frame: FramingError?

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .stray(.error(let error), .toClient, _) = event, frame == nil, error.span.range.lowerBound == 0,
      Self.isFrame(error.excerpt.bytes)
    else { return }
    frame = error
  }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let error = frame, exchange.number == 1, exchange.key.stream == nil, let request = exchange.request,
      exchange.response == nil
    else { return }
    frame = nil
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): the server answers HTTP/1 with frames of HTTP/2.", cost: .failed(.exchange),
        fix: Self.info.fix,
        evidence: [
          Evidence(.packet(request.first, .toServer), "the request"),
          Evidence(.bytes(error.span, .toClient), excerpt: error.excerpt, "a frame"),
        ]))
  }

  /// SETTINGS or GOAWAY of the connection.
  private static func isFrame(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 9, bytes[0] == 0, bytes[5...8].allSatisfy({ $0 == 0 }) else { return false }
    let length = Int(bytes[1]) << 8 | Int(bytes[2])
    return bytes[3] == 4 && bytes[4] == 0 && length % 6 == 0 && length <= 600 || bytes[3] == 7 && length >= 8
  }
}
