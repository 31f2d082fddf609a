import Citation
import Events
import HTTPSemantics

/// Frames of multipart/x-mixed-replace for a client that does not show them as they come.
enum MixedReplaceClient: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/mixed-replace-client", severity: .warning, confidence: .medium,
    summary: "A stream of multipart/x-mixed-replace goes to a client that handles it in its own way.",
    explanation: """
      URLSession takes such a response apart: its delegate gets a new response for each part, and code that expects \
      one response and its data sees the stream restart or end. Safari's fetch does not hand it over at all. And since \
      a frame is known to be whole only when the next delimiter comes, clients that go by delimiters show each frame \
      one late.
      """,
    evidence: """
      The client by its User-Agent, which is a claim, and the response's type. Whether its parts have Content-Length \
      is reported; with it a client need not wait for the next delimiter.
      """,
    fix: """
      Server: send the frames as application/octet-stream with lengths of your own, or over a WebSocket, to such clients; \
      give each part Content-Length and write the delimiter behind a frame at once.
      """,
    specifications: [.multipartBoundary], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = body.record else { return }
    let (message, exchange) = (body.message, body.exchange)
    guard record.kind == .mixedReplace, message === exchange.response, record.partCount > 0,
      let head = exchange.request?.head, let client = ClientIdentity(head), client.family == .apple,
      let agent = exchange.request.flatMap({ Evidence.field("user-agent", of: $0, "the client: \(client.name)") }),
      let type = Evidence.field("content-type", of: message, "a new response for each part")
    else { return }
    let lengths = record.parts.allSatisfy(\.hasLength) ? "" : ", without Content-Length in each"
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): \(Wording.count(record.partCount, "part")) of multipart/x-mixed-replace\(lengths) for \(client.library), which makes a response of each.",
        cost: .none,
        fix: info.fix,
        evidence: [agent, type]))
  }
}
