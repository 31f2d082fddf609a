import Citation
import Events
import HTTPSemantics

/// A body that is not coded as its Content-Encoding announces.
enum ContentEncodingBroken: MessageRule {
  static let info = RuleInfo(
    id: "http/content-encoding-broken", severity: .error,
    summary: "A body cannot be decoded by its Content-Encoding.",
    explanation: """
      The client decodes before the application sees the content, and fails: ERR_CONTENT_DECODING_FAILED, curl error \
      61, an exception in the middle of a body. Usual causes are a body compressed twice or not at all, a field that a \
      proxy left in place after decoding, and a wrong checksum because something changed the bytes. `deflate` without \
      its zlib wrapper, a stream that stops before its end, and bytes behind its end are read by some clients and \
      refused by others.
      """,
    evidence: """
      The field, and the packet with the bytes that make no sense to the decoder. Parts of a resource (206) are parts \
      of the coded bytes, and not looked at; nor are bodies with bytes missing or damaged in transfer.
      """,
    fix: """
      Server: compress in one place only and set the field there; after unpacking remove it, and the length. With \
      deflate send the zlib format, or better gzip.
      """,
    specifications: [
      Specification("RFC 9110 §8.4", "https://www.rfc-editor.org/rfc/rfc9110#section-8.4"),
      Specification("RFC 9110 §8.4.1", "https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .contentEncoding }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard exchange.isFinal(message), let content = message.content, let head = message.head, head.status.code != 206,
      head.isRequestKnown, message.errors.isEmpty, head.block.first("content-range") == nil,
      let field = head.block.first("content-encoding"), let found = Self.fault(message, content)
    else { return }
    report(
      Finding(
        Self.info, severity: found.isFatal ? .error : .warning, subject: .connection(context.id),
        exchange: exchange.number, direction: message.direction,
        "\(exchange.title): the body is declared as \(content.codings), and \(found.what).",
        cost: found.isFatal ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: [
          .field(field, head, message.direction, "what it should be"),
          Evidence(.packet(found.packet, message.direction), found.note),
        ]))
  }

  private static func fault(
    _ message: Message, _ content: ContentRecord
  ) -> (what: String, packet: PacketRef, note: String, isFatal: Bool)? {
    let last = message.lastBody ?? message.last
    if case .broken(let reason, let packet) = content.outcome {
      let after = content.bytes > 0 ? " after \(Wording.bytes(content.bytes)) of content" : " from its beginning"
      return ("cannot be decoded\(after) (\(reason))", packet, "bytes that make no sense to the decoder", true)
    }
    guard message.isWhollyCaptured, message.isComplete else { return nil }
    if content.outcome == .cut {
      let got = Wording.bytes(content.bytes)
      return ("ends before the compressed stream does, \(got) unpacked", last, "the last bytes of the body", false)
    }
    if content.trailingBytes > 0 {
      let extra = Wording.bytes(content.trailingBytes)
      return ("has \(extra) behind the end of the compressed stream", last, "the last bytes of the body", false)
    }
    if content.isRawDeflate, let first = message.firstBody {
      return ("is raw DEFLATE, without the zlib format that the name stands for", first, "no zlib header", false)
    }
    return nil
  }
}
