import Citation
import Events
import HTTPSemantics

/// A compressed body that grows a thousandfold.
enum InflationStopped: MessageRule {
  static let info = RuleInfo(
    id: "http/inflation-stopped", severity: .warning,
    summary: "A compressed body unpacks to more than a thousand times its size.",
    explanation: """
      Decoding was stopped where the content had passed 1 MiB and a thousand times what was received. Real content \
      packs ten- to fiftyfold; this is a decompression bomb, or a program that writes the same bytes without end. A \
      client that unpacks it without a bound fills its memory: browsers and most HTTP libraries have none.
      """,
    evidence: """
      The coding, and the packet that brought the bytes at which the bound was crossed. Content that is merely large \
      does not count: the bound is the ratio. A server error in answer to such an upload counts as its harm, which is \
      inferred.
      """,
    fix: """
      Receiver: bound the unpacked size and the ratio while reading, before handing content on. Sender: if the content \
      was meant, find what produces endless padding; if not, find who uploaded it.
      """,
    specifications: [
      Specification("RFC 9110 §8.4", "https://www.rfc-editor.org/rfc/rfc9110#section-8.4")
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .body }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let content = message.content,
      case .inflationStopped(let ratio, let packet) = content.outcome
    else { return }
    let isHurt = exchange.isRequest(message) && exchange.status.code >= 500
    var evidence = [Evidence.field("content-encoding", of: message, "the coding")].compactMap { $0 }
    evidence.append(Evidence(.packet(packet, message.direction), "with these bytes the bound was crossed"))
    if isHurt, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): its \(content.codings) body had unpacked to \(Wording.bytes(content.bytes)), \(Wording.number(ratio)) times what was read of it, when decoding was stopped.",
        cost: isHurt ? .failed(.exchange) : .none,
        fix: info.fix, evidence: evidence))
  }
}
