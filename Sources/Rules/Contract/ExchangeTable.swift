import Events
import HTTPSemantics

/// The rules about exchanges and their messages, grouped by what they need.
struct ExchangeTable: Sendable {
  /// Of exchanges that come one after the other on a connection.
  static let plain = ExchangeTable(RuleIndex.exchangeRules, RuleIndex.messageRules)
  /// Of those in streams of one: what many rules find is nothing there (see Versions), so they are not asked.
  static let streams = ExchangeTable(
    RuleIndex.exchangeRules.filter { Versions.judges($0.info.id, isSocket: false) },
    RuleIndex.messageRules.filter { Versions.judges($0.info.id, isSocket: false) })

  private struct Group<Member: Sendable>: Sendable {
    let needs: ExchangeFacts
    var rules: [Member]
  }

  private let exchanges: [Group<any ExchangeRule.Type>]
  private let messages: [Group<any MessageRule.Type>]

  private init(_ exchangeRules: [any ExchangeRule.Type], _ messageRules: [any MessageRule.Type]) {
    exchanges = Self.grouped(exchangeRules) { $0.needs }
    messages = Self.grouped(messageRules) { $0.needs }
  }

  private static func grouped<Member>(_ rules: [Member], by needs: (Member) -> ExchangeFacts) -> [Group<Member>] {
    var groups: [Group<Member>] = []
    for rule in rules {
      if let at = groups.firstIndex(where: { $0.needs == needs(rule) }) {
        groups[at].rules.append(rule)
      } else {
        groups.append(Group(needs: needs(rule), rules: [rule]))
      }
    }
    return groups
  }

  func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    var facts = ExchangeFacts.none
    if let request = exchange.request {
      let own = ExchangeFacts(request: request)
      judge(request, own, exchange, context, report)
      facts.add(own)
    }
    for interim in exchange.interim {
      let own = ExchangeFacts(of: interim)
      judge(interim, own, exchange, context, report)
      facts.add(own)
    }
    if let response = exchange.response {
      let own = ExchangeFacts(response: response)
      judge(response, own, exchange, context, report)
      facts.add(own)
    }
    if exchange.isCall { facts.add(.call) }
    for group in exchanges where facts.has(group.needs) {
      for rule in group.rules { rule.judge(exchange, in: context, report: report) }
    }
  }

  private func judge(
    _ message: Message, _ facts: ExchangeFacts, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    for group in messages where facts.has(group.needs) {
      for rule in group.rules { rule.judge(message, of: exchange, in: context, report: report) }
    }
  }
}
