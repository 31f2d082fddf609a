import Citation
import Events
import HTTPSemantics

/// A response whose Date is missing, or not the time.
enum DateMissingOrSkewed: PeerHabitRule {
  static let info = RuleInfo(
    id: "http/date-missing-or-skewed", severity: .note,
    summary: "A response has no Date, or a wrong one.",
    explanation: """
      Caches and clients compute ages from Date. Without it the time of arrival counts; with a clock that is wrong \
      fresh responses are stale at once, or stay fresh for too long, cookies expire early, and signed requests that take \
      their time from the response are refused.
      """,
    evidence: """
      The head or its Date, in the first such response of each server, against the clock of the capturing host, \
      which may be the one that is wrong. The Age of a cache is taken into account; a cache that does not say it looks \
      the same as a wrong clock. 1xx, 5xx and the success of a CONNECT need no Date.
      """,
    fix: "Server: send Date, and set the clock by NTP. If all servers differ, check the capturing host's clock.",
    specifications: [
      Specification("RFC 9110 §6.6.1", "https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1"),
      Specification("RFC 9111 §4.2.3", "https://www.rfc-editor.org/rfc/rfc9111#section-4.2.3"),
    ],
    thresholds: [.clockSkew], since: "0.1")

  static func observe(_ exchange: ExchangeRecord, in context: FlowContext, tally: inout LintTally) {
    guard let response = exchange.response, response.headReleased != nil, let head = response.head,
      200..<500 ~= head.status.code, head.framing != .tunnel, !head.block.lacksFields
    else { return }
    guard let field = head.block.first("date") else {
      tally.note(Self.info.id, response.direction, of: context.server.mixed) {
        finding(
          "\(exchange.title): the response has no Date.", exchange, context,
          Evidence(.packet(head.span.first, response.direction), "a head without Date"))
      }
      return
    }
    guard let date = HTTPDate(head.block, field) else { return }
    let age = head.block.value("age").flatMap { Int64($0) } ?? 0
    guard 0..<4_000_000_000 ~= age else { return }
    let now = head.span.first.time.nanoseconds / 1_000_000_000
    let skew = date.seconds + age - now
    guard skew.magnitude > UInt64(max(0, context.thresholds[.clockSkew] / 1_000_000_000)) else { return }
    tally.note(Self.info.id, response.direction, of: context.server.mixed) {
      let amount = skew.magnitude < 9_000_000_000 ? Int64(skew.magnitude) * 1_000_000_000 : Int64.max
      return finding(
        "\(exchange.title): Date is \(Wording.duration(amount)) \(skew > 0 ? "ahead of" : "behind") the clock of the capture.",
        exchange, context, .field(field, head, response.direction, "against the time of this packet"))
    }
  }

  private static func finding(
    _ message: FindingMessage, _ exchange: ExchangeRecord, _ context: FlowContext, _ evidence: Evidence
  ) -> Finding {
    Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number,
      direction: exchange.response?.direction, message, cost: .none,
      fix: info.fix, evidence: [evidence])
  }
}

extension Threshold {
  static let clockSkew = Threshold("http.clock-skew", .nanoseconds, 30_000_000_000, "a Date further off is skewed")
}
