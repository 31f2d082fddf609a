// Written by .ci/index from the sources in Sources/Rules/Sniff. Not to be edited.
import Events

enum SniffIndex {
  static let rules: [any Rule.Type] = [
    Apple512Hold.self,
    Apple512Latent.self,
    Chromium1024Hold.self,
    CompressedTextNoNosniff.self,
    ConflictingContentType.self,
    MissingContentType.self,
    ServerSniffedType.self,
    UnknownContentType.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    CompressedTextNoNosniff.self,
    ConflictingContentType.self,
    MissingContentType.self,
    ServerSniffedType.self,
    UnknownContentType.self,
  ]

  static let heldBodyRules: [any HeldBodyRule.Type] = [
    Apple512Hold.self,
    Apple512Latent.self,
    Chromium1024Hold.self,
  ]
}

struct SniffConnectionWatchers: Sendable {
  static var interests: EventKinds {
    HeldBodies.interests
  }

  private var heldBodies = HeldBodies()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    heldBodies.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !HeldBodies.interests.isDisjoint(with: kind) {
      heldBodies.observe(event, in: context, report: report)
    }
  }
}
