import Events
import Testing

@Suite("What is too small to be a cost")
struct CostTests {
  private static let info = RuleInfo(
    id: "tcp/none", severity: .warning, summary: "", explanation: "", evidence: "", fix: "", specifications: [],
    since: "0")

  @Test(
    "A delay counts from a millisecond on, and no byte is no loss.",
    arguments: [
      (Cost.delay(nanoseconds: 1), Cost.none), (.delay(nanoseconds: 999_999), .none),
      (.delay(nanoseconds: 1_000_000), .delay(nanoseconds: 1_000_000)), (.lost(bytes: 0), .none),
      (.lost(bytes: 1), .lost(bytes: 1)), (.failed(.exchange), .failed(.exchange)), (.none, .none),
    ])
  func felt(_ cost: Cost, _ expected: Cost) {
    #expect(Finding(Self.info, subject: .capture, "", cost: cost, evidence: []).cost == expected)
  }
}
