import Citation
import Events
import HTTPSemantics

/// Compressed text/plain, which a client that guesses may take for something binary.
enum CompressedTextNoNosniff: ExchangeRule {
  static let info = RuleInfo(
    id: "sniff/compressed-text-no-nosniff", severity: .warning, confidence: .low,
    summary: "Compressed text/plain without nosniff may be taken for binary.",
    explanation: """
      Safari 26 was seen to guess the type of a text/plain response from the bytes as they are on the wire, that is \
      compressed, once there are 512 of them: it treats them as binary and shows an empty page. With 511 encoded bytes \
      the same page works, so it depends on the length of the text.
      """,
    evidence: """
      The type, the coding, and the packet that carried encoded byte 512. Known from one report about one version; no \
      client here is known to be affected. Other text types, and shorter bodies, do not count.
      """,
    fix: "Server: send X-Content-Type-Options: nosniff with text/plain.",
    specifications: [
      Specification("RFC 9110 §8.4", "https://www.rfc-editor.org/rfc/rfc9110#section-8.4"),
      Specification("MIME Sniffing", "https://mimesniff.spec.whatwg.org/"),
    ],
    since: "0.1")

  private static let codings: [StaticString] = ["gzip", "x-gzip", "deflate", "br", "zstd"]

  static var needs: ExchangeFacts { .coded }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.content != nil, let head = response.head,
      let reached = response.reached(512), let coding = head.block.first("content-encoding"),
      let type = head.block.first("content-type"), head.block.contentType?.essence == "text/plain", !head.saysNosniff,
      Self.codings.contains(where: { head.block.contains($0, in: "content-encoding") })
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        """
        \(exchange.title): compressed text/plain of \(Wording.bytes(response.bodyBytes)) on the wire without nosniff; \
        Safari 26 may take it for binary.
        """,
        cost: .none, fix: info.fix,
        evidence: [
          .field(type, head, response.direction, "and no nosniff"),
          .field(coding, head, response.direction, "so the bytes on the wire are not text"),
          Evidence(.packet(reached, response.direction), "carries encoded byte 512"),
        ]))
  }
}
