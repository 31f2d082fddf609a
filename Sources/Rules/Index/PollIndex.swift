// Written by .ci/index from the sources in Sources/Rules/Poll. Not to be edited.

enum PollIndex {
  static let rules: [any Rule.Type] = [
    IntervalTight.self,
    Overlap.self,
    TimeoutVsServer.self,
  ]

  static let pollRules: [any PollRule.Type] = [
    IntervalTight.self,
    Overlap.self,
    TimeoutVsServer.self,
  ]
}
