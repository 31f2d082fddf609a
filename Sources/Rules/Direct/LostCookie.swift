import Citation
import Events

/// Judges a lost cookie whose request went to an address that no name server gave for its name.
protocol LostCookieRule: StoryRule where Story == LostCookie {}

struct LostCookie: Sendable {
  /// Of http/cookie-lost.
  let finding: Finding
  let asked: AskedExchange
  let name: String
  /// The addresses that the client was given for the name, and in which packet.
  let given: [IPAddress]
  let answer: PacketRef

  init?(_ finding: Finding, _ asked: AskedExchange, _ names: ResolvedNames, in context: FlowContext) {
    let block = asked.head.block
    guard finding.rule == HTTPCookieLost.info.id, !names.isEmpty, let field = asked.head.authority,
      let text = ResolvedNames.hostName(block.bytes[field.value.clamped(to: block.bytes.indices)]),
      let name = names[text], name.client(context.client.address)?.hasReached == true,
      let told = name.answer(against: context)
    else { return nil }
    self.finding = finding
    self.asked = asked
    self.name = text
    given = name.addresses(of: told)
    answer = told.packet
  }
}
