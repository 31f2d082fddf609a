import Events

/// Responses that are on the wire and not yet in the app, because the client is guessing their type.
struct SniffRules: Sendable {
  static let infos: [RuleInfo] = [
    AppleHold.hold, AppleHold.latent, ChromiumHold.info, CompressedText.info, ConflictingContentType.info,
    MissingContentType.info, ServerSniffedType.info, UnknownContentType.info,
  ]
  static let interests: EventKinds = [.exchange]

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event, exchange.response?.head != nil else { return }
    AppleHold().observe(exchange, in: context, report: report)
    ChromiumHold().observe(exchange, in: context, report: report)
    CompressedText().observe(exchange, in: context, report: report)
    ConflictingContentType().observe(exchange, in: context, report: report)
    MissingContentType().observe(exchange, in: context, report: report)
    ServerSniffedType().observe(exchange, in: context, report: report)
    UnknownContentType().observe(exchange, in: context, report: report)
  }
}
