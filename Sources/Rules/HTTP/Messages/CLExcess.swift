import Citation
import Events
import HTTPSemantics

/// A body longer than its Content-Length.
enum CLExcess: SurplusRule {
  static let info = RuleInfo(
    id: "http/cl-excess", severity: .error,
    summary: "More bytes follow a body than its Content-Length announced.",
    explanation: """
      The receiver stops at the announced length: what comes after it is not part of the message and is no message of \
      its own either. The content arrives cut, and on a connection that is kept the rest is taken for the beginning of \
      the next message, so that an innocent later exchange fails. Most clients close such a connection; some proxies \
      hand the surplus on, which is how responses get mixed up. The usual cause is a length counted in characters while \
      the body is sent in bytes.
      """,
    evidence: """
      The head that announces the length, and the bytes behind the body. A next request or response there would be \
      pipelining, and does not count; neither is one empty line before a request, which readers skip. Connections with \
      bytes missing from the capture are not judged.
      """,
    fix: """
      Sender: count the bytes of the encoded body, not its characters, and do not append anything after the length was \
      set; better, leave the field to the framework.
      """,
    specifications: [
      Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"),
      Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6"),
    ],
    // Of two messages on the same bytes, what the longer one has more looks like a surplus.
    causedBy: ["tcp/overlap-conflict", "multipart/cl-mismatch"], since: "0.1")

  static func judge(_ surplus: SurplusBytes.Surplus, in context: FlowContext, report: (Finding) -> Void) {
    guard let owner = surplus.owner, owner.framing == .length else { return }
    let countsCharacters = Self.countsCharacters(surplus, owner)
    let direction = surplus.direction
    report(
      Finding(
        Self.info, confidence: context.isMidstream ? .medium : .high, subject: .connection(context.id),
        exchange: owner.exchange, direction: direction, .excess(surplus, owner, countsCharacters: countsCharacters),
        cost: surplus.isBlank ? .none : .lost(bytes: surplus.span.count),
        fix: info.fix,
        evidence: [
          Evidence(.packet(owner.head, direction), "announces a body of \(Wording.bytes(owner.length))"),
          Evidence(
            .bytes(surplus.span, direction), excerpt: surplus.excerpt,
            surplus.isBlank ? "line ends after the body" : "after the body, and not the beginning of a message"),
        ]))
  }

  /// Whether the surplus is as long as the body has bytes beyond the first of each character (UTF-8).
  private static func countsCharacters(_ surplus: SurplusBytes.Surplus, _ owner: SurplusBytes.Owner) -> Bool {
    guard surplus.isCounted, !surplus.isBlank, !owner.body.isEmpty else { return false }
    let whole = owner.body + surplus.excerpt.bytes
    guard String(validating: whole, as: UTF8.self) != nil else { return false }
    return UInt64(whole.count { $0 & 0xC0 == 0x80 }) == surplus.span.count
  }
}

extension FindingMessage {
  fileprivate static func excess(
    _ surplus: SurplusBytes.Surplus, _ owner: SurplusBytes.Owner, countsCharacters: Bool
  ) -> Self {
    let whose = owner.status == .none ? "the request" : "the response \(owner.status.code)"
    if surplus.isBlank {
      return
        "\(surplus.size) of line ends follow the body of \(whose), which announced \(Wording.bytes(owner.length)); many readers skip them."
    }
    let why =
      countsCharacters
      ? " The text has as many characters as were announced: characters were counted, and bytes sent." : ""
    return
      "\(surplus.size) follow the body of \(whose) beyond the \(Wording.bytes(owner.length)) it announced, and begin no message.\(why)"
  }
}
