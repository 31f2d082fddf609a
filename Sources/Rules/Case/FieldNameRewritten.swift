import Citation
import Events
import HTTPSemantics

/// Field names whose spelling a proxy changed.
enum FieldNameRewritten: HopPairRule {
  static let info = RuleInfo(
    id: "case/field-name-rewritten", severity: .warning,
    summary: "A proxy changed the letter case of field names.",
    explanation: """
      The same message has its names in another spelling behind the proxy. Names are compared without case, so this is \
      legal; but a program behind it that looks names up as bytes works when it is asked directly and fails through \
      the proxy, or vice versa, and nothing else differs.
      """,
    evidence: "The head on both connections; see proxy/hop-joined for how they are matched.",
    fix: "Receiver: compare the names of fields without case.",
    specifications: [
      Specification("RFC 9110 §5.1", "https://www.rfc-editor.org/rfc/rfc9110#section-5.1")
    ],
    since: "0.1")

  private static let shown = 4

  static func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    judge(pair.outer.exchange.request, pair.inner.exchange.request, pair, report)
    judge(pair.outer.exchange.response, pair.inner.exchange.response, pair, report)
  }

  private static func judge(_ outer: Message?, _ inner: Message?, _ pair: HopPair, _ report: (Finding) -> Void) {
    guard let outer, let inner, let before = outer.head?.block, let after = inner.head?.block else { return }
    let spelled = after.names
    let changed = before.names.compactMap { name -> (String, String)? in
      spelled.first { $0 != name && $0.lowercased() == name.lowercased() && !spelled.contains(name) }.map { (name, $0) }
    }
    guard !changed.isEmpty else { return }
    let words = changed.prefix(Self.shown).map { "\"\($0.0)\" and \"\($0.1)\"" }.joined(separator: ", ")
    let more = changed.count > Self.shown ? " and \(changed.count - Self.shown) more" : ""
    let isRequest = pair.outer.exchange.isRequest(outer)
    var finding = Finding(
      Self.info, subject: .connection(pair.outer.context.id), exchange: pair.outer.exchange.number,
      direction: outer.direction,
      """
      \(pair.outer.exchange.title): names of the \(isRequest ? "request" : "response") are spelled \(words)\(more) on the \
      client's side and on connection #\(pair.inner.context.number) behind the proxy.
      """, cost: .none, fix: info.fix,
      evidence: [
        Evidence(.packet(outer.first, outer.direction), "on the client's side"),
        Evidence(.packet(inner.first, inner.direction), "behind the proxy"),
      ])
    finding.count = UInt64(changed.count)
    finding.connection = pair.outer.context.number
    report(finding)
  }
}
