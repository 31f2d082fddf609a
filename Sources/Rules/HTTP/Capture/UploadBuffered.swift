import Citation
import Events
import HTTPSemantics

/// An upload that came to a proxy piece by piece, and left it at once.
struct UploadBuffered: CaptureRule {
  static let info = RuleInfo(
    id: "http/upload-buffered", severity: .warning, confidence: .medium,
    summary: "A proxy kept the whole upload before it passed it on.",
    explanation: """
      The client streamed its request; the proxy took all of it before it opened its own request, as nginx does by \
      default. The server behind sees nothing until the upload is over, so an answer to its beginning, a progress \
      display or speech recognition come too late, and a long upload may end in the proxy's temporary file.
      """,
    evidence: """
      Both legs are in the capture: the upload's first and last body bytes, and the request with the same method, path and \
      length that the proxy sent afterwards.
      """,
    fix: """
      Proxy: pass uploads on as they come (nginx: proxy_request_buffering off with proxy_http_version 1.1; it buffers by \
      default).
      """,
    specifications: [
      Specification("RFC 9110 §7.6", "https://www.rfc-editor.org/rfc/rfc9110#section-7.6")
    ],
    thresholds: [.bufferedUpload], since: "0.1")

  private struct Leg: Sendable {
    var flow: FlowID
    var client: IPAddress
    var server: IPAddress
    var method: Int
    var path: Int
    var first: PacketRef
    var last: PacketRef
    var bodyBytes: UInt64
  }

  private static let limit = 64

  private var legs: [Leg] = []

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, request, head, key) = (asked.exchange, asked.request, asked.head, asked.key)
    guard request.isComplete, request.bodyBytes > 0, let first = request.firstBody, let last = request.lastBody,
      request.isWhollyCaptured
    else { return }
    let took = last.time.since(first.time)
    let leg = Leg(
      flow: context.id, client: context.client.address, server: context.server.address, method: key.method,
      path: key.path, first: request.first, last: last, bodyBytes: request.bodyBytes)
    // The leg behind the proxy is over first: its answer is what the client's leg waits for.
    if took >= context.thresholds[.bufferedUpload], head.framing == .chunked || request.isDrip,
      let behind = legs.last(where: { isBehind($0, leg) })
    {
      report(
        Finding(
          Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
          """
          \(exchange.title): the client streamed \(Wording.bytes(request.bodyBytes)) for \(Wording.duration(took)); the \
          proxy passed nothing on until \(Wording.duration(behind.first.time.since(first.time))) after the first byte.
          """, cost: .delay(nanoseconds: behind.first.time.since(first.time)),
          fix: Self.info.fix,
          evidence: [
            Evidence(.packet(first, .toServer), "the upload begins"),
            Evidence(.packet(last, .toServer), "and ends"),
            Evidence(.packet(behind.first, .toServer), "only now the proxy sends it on"),
          ]
        ).on(context.number))
    }
    if legs.count == Self.limit { legs.removeFirst() }
    legs.append(leg)
  }

  private func isBehind(_ behind: Leg, _ leg: Leg) -> Bool {
    behind.flow != leg.flow && behind.bodyBytes == leg.bodyBytes && behind.client == leg.server
      && behind.first.number > leg.last.number && behind.method == leg.method && behind.path == leg.path
  }
}

extension Threshold {
  static let bufferedUpload = Threshold(
    "http.buffered-upload", .nanoseconds, 500_000_000, "an upload that took this long was streamed")
}
