// Written by .ci/index from the sources in Sources/Rules/Capture. Not to be edited.
import Events

enum CaptureIndex {
  static let rules: [any Rule.Type] = [
    Disorder.self,
    MissingBytes.self,
    NothingToCheck.self,
    PacketsLost.self,
    Truncated.self,
  ]
}

struct CaptureConnectionWatchers: Sendable {
  static var interests: EventKinds {
    Disorder.interests
      | MissingBytes.interests
  }

  private var disorder = Disorder()
  private var missingBytes = MissingBytes()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    disorder.observe(exchange, in: context, report: report)
    missingBytes.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !Disorder.interests.isDisjoint(with: kind) {
      disorder.observe(event, in: context, report: report)
    }
    if !MissingBytes.interests.isDisjoint(with: kind) {
      missingBytes.observe(event, in: context, report: report)
    }
  }
}
