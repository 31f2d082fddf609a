import Events

/// Finds what a client of some family holds back, or would, and asks the rules about such holds.
struct HeldBodies: ConnectionWatcher {
  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let first = response.firstBody else { return }
    let least = context.thresholds[.clientHold]
    // No client waits longer for a body than until its end; but one without a length ends with its connection.
    if response.isComplete, response.framing != .close, response.last.time.since(first.time) < least { return }
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
