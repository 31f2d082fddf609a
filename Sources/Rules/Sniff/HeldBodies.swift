import Events

/// Finds what a client of some family holds back, or would, and asks the rules about such holds.
struct HeldBodies: ConnectionWatcher {
  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.response?.firstBody != nil else { return }
    let least = context.thresholds[.clientHold]
    if let held = HeldBody(exchange, .apple, atLeast: least) { judge(held, in: context, report: report) }
    let byChromium =
      HeldBody(exchange, .chromiumText, atLeast: least) ?? HeldBody(exchange, .chromiumUnknown, atLeast: least)
    if let byChromium { judge(byChromium, in: context, report: report) }
  }

  private func judge(_ held: HeldBody, in context: FlowContext, report: (Finding) -> Void) {
    for rule in RuleIndex.heldBodyRules { rule.judge(held, in: context, report: report) }
  }
}

/// Judges a response of which a client waits for more.
protocol HeldBodyRule: StoryRule where Story == HeldBody {}
