import Citation
import Events
import Rules

// What the rules find on its way to the report: asked for, put in order, given its cause, held, and counted.
extension Merger {
  /// Asks the rules over the whole capture.
  mutating func judge(
    _ event: Event, _ context: FlowContext?, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    var found: [Finding] = []
    rules.observe(event, in: context) { if selection.accepts($0.rule) { found.append($0) } }
    try hand(&found, context, emit)
  }

  mutating func judge(
    _ exchange: ExchangeRecord, _ context: FlowContext, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    var found: [Finding] = []
    rules.observe(exchange, in: context) { if selection.accepts($0.rule) { found.append($0) } }
    try hand(&found, context, emit)
  }

  private mutating func hand(
    _ found: inout [Finding], _ context: FlowContext?, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    if found.count > 1 { found.sort(by: Finding.isBefore) }
    // A cause may be found together with what follows from it, and stand behind that.
    let together = found.contains { $0.causedBy != nil } ? Set(found.lazy.filter(\.isDiagnosis).map(\.rule)) : []
    for var finding in found {
      showCause(of: &finding, foundWith: together)
      if let context, finding.subject == .connection(context.id) {
        finding.parties = FindingParties(client: context.client, server: context.server)
        finding.connection = finding.connection ?? context.number
      }
      try hand(finding, emit)
    }
  }

  mutating func hand(
    _ finding: Finding, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    if let wanted = selection.connection, let number = finding.connection, number != wanted { return }
    var finding = finding
    losses.weaken(&finding)
    if finding.isDiagnosis || review != nil || placesLint {
      finding.place = endpoints.place(of: finding) ?? finding.place
    }
    if let hops = finding.hops { figures.note(hops) }
    // What is selected by what it is about may be shown later.
    if sieve != nil, finding.isDiagnosis { told.insert(finding.rule) }
    if sieve != nil, sieve?.take(finding) != .keep { return }
    try show(finding, emit)
  }

  mutating func show(
    _ finding: Finding, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    var finding = finding
    guard held.hold(&finding, at: shownUpTo) else { return try reviewAndTell(finding, emit) }
    // When it is told, its connection may be forgotten; its exchange was hurt whatever the cause.
    if review == nil { endpoints.add(finding) }
  }

  /// What was held until it was known what client or proxy did next.
  mutating func showHeld(
    at clock: Timestamp, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    shownUpTo = clock
    // As nearly always: to be lent, the rules are copied to the stack.
    guard !held.hasNone(dueAt: clock) else { return }
    for finding in held.due(at: clock, rules, selection) { try release(finding, emit) }
  }

  /// What was held has been selected before, but for what was found meanwhile.
  mutating func release(
    _ finding: Finding, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    guard finding.rule == HostSilent.info.id else { return try reviewAndTell(finding, emit) }
    var finding = finding
    if let wanted = selection.connection, let first = finding.connection,
      let at = finding.alsoOn.firstIndex(of: wanted)
    {
      finding.connection = wanted
      finding.alsoOn[at] = first
    }
    try hand(finding, emit)
  }

  private mutating func reviewAndTell(
    _ finding: Finding, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    var finding = finding
    // It may be of other connections than those that were selected.
    if finding.causedBy == HostSilent.info.id { showCause(of: &finding) }
    if finding.isDiagnosis { told.insert(finding.rule) }
    if let review {
      guard review(&finding) else { return }
      if !finding.isDiagnosis { finding.place = nil }
    }
    if !habits.take(finding) { try tell(finding, emit) }
  }

  mutating func tell(
    _ finding: Finding, _ emit: (ReportItem) throws(ReportError) -> Void
  ) throws(ReportError) {
    endpoints.add(finding)
    figures.count(finding)
    try emit(.finding(finding))
  }

  /// A cause that rules over the capture name may be on another connection, and not be reported.
  func showCause(of finding: inout Finding, foundWith others: Set<RuleID> = []) {
    guard let cause = finding.causedBy else { return }
    if !told.contains(cause), !held.willTell(cause), !others.contains(cause) { finding.causedBy = nil }
  }
}
