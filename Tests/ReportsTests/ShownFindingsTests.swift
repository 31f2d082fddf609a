import Citation
import Events
import Testing

@testable import Reports

@Suite("Findings as text shows them")
struct ShownFindingsTests {
  private static func finding(
    _ rule: RuleID, on connection: Int = 1, _ message: String = "it failed", at packet: UInt64 = 1,
    causedBy: RuleID? = nil, server: UInt16 = 80
  ) -> Finding {
    let info = RuleInfo(
      id: rule, severity: .warning, summary: "", explanation: "", evidence: "", fix: "", specifications: [], since: "0")
    let reference = PacketRef(number: packet, time: Timestamp(nanoseconds: Int64(packet)))
    var finding = Finding(
      info, subject: .capture, FindingMessage(message), cost: .failed(.exchange), causedBy: causedBy,
      evidence: [Evidence(.packet(reference, nil), "here")])
    finding.connection = connection
    finding.parties = FindingParties(
      client: Endpoint(address: IPAddress(v4: 1), port: 4_000),
      server: Endpoint(address: IPAddress(v4: 2), port: server))
    return finding
  }

  @Test("What is said word for word of one connection several times is shown once, with what proves each.")
  func repeated() {
    let shown = ShownFindings(
      [
        Self.finding("a/a", at: 3), Self.finding("a/a", at: 1), Self.finding("a/a", on: 2, at: 4),
        Self.finding("a/a", "it failed, too", at: 5), Self.finding("a/b", at: 6),
      ], withLint: false
    ).all
    #expect(shown.map(\.finding.count) == [2, 1, 1, 1])
    #expect(shown[0].finding.evidence.compactMap(\.packet?.number) == [1, 3])
  }

  @Test("What proves many is bounded; how many there are is not.")
  func bounded() {
    let shown = ShownFindings((1...100).map { Self.finding("a/a", at: $0) }, withLint: false).all
    #expect(shown.map(\.finding.count) == [100])
    #expect(shown[0].finding.evidence.count == 12)
  }

  @Test("What followed stands under the finding about the same exchange, and else under the first of its rule.")
  func exchanges() {
    let about = { (number: Int, rule: RuleID, message: String, cause: RuleID?) -> Finding in
      var finding = Self.finding(rule, message, at: UInt64(number), causedBy: cause)
      finding.exchange = number
      return finding
    }
    let shown = ShownFindings(
      [
        about(1, "a/cause", "one", nil), about(2, "a/cause", "two", nil), about(2, "a/cut", "cut", "a/cause"),
        about(3, "a/cut", "cut, too", "a/cause"),
      ], withLint: false
    ).all
    #expect(shown.map { $0.consequences.map(\.exchange) } == [[3], [2]])
  }

  @Test("What followed on other connections stands under the cause at the same server, by its rule alone.")
  func elsewhere() {
    let shown = ShownFindings(
      [
        Self.finding("a/cause", at: 1, server: 81), Self.finding("a/cause", on: 2, "another", at: 2, server: 82),
        Self.finding("a/cut", on: 3, at: 3, causedBy: "a/cause", server: 82),
        Self.finding("a/cut", on: 4, at: 4, causedBy: "a/cause", server: 82),
        Self.finding("a/own", on: 2, at: 5, causedBy: "a/cause", server: 82),
        Self.finding("a/turn", on: 3, at: 6, causedBy: "a/cut", server: 82),
        Self.finding("a/alone", on: 5, at: 7, causedBy: "a/other", server: 82),
      ], withLint: false
    ).all
    #expect(shown.map(\.finding.rule) == ["a/cause", "a/cause"])
    #expect(shown[0].elsewhere.isEmpty && shown[0].consequences.isEmpty)
    #expect(shown[1].consequences.map(\.rule) == ["a/own"])
    #expect(shown[1].elsewhere.map(\.rule) == ["a/cut"] && shown[1].elsewhere.map(\.count) == [2])
  }
}
