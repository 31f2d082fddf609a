import Citation
import Events
import Testing

@testable import Engine

@Suite("Findings of a connection")
struct FindingSetTests {
  private static let info = RuleInfo(
    id: "http/ttfb-slow", severity: .warning, summary: "s", explanation: "e", evidence: "v", fix: "f",
    specifications: [], since: "0.1")

  private static func finding(_ exchange: Int?) -> Finding {
    let packet = PacketRef(number: UInt64(exchange ?? 0) + 1, time: .zero)
    return Finding(
      info, subject: .capture, exchange: exchange, direction: .toClient, "GET /\(exchange ?? 0) is slow.",
      cost: .delay(nanoseconds: 2_000_000), evidence: [Evidence(.packet(packet, .toClient), "here")])
  }

  @Test("One for each exchange, up to a bound; beyond it they are counted, and the finding says so.")
  func bound() throws {
    var set = FindingSet()
    let count = FindingSet.limit + 900
    for exchange in 1...count { set.add(Self.finding(exchange)) }
    set.add(Self.finding(1))
    set.add(Self.finding(nil))
    let findings = set.taken()
    #expect(findings.count == FindingSet.limit + 1)
    #expect(findings.reduce(0) { $0 + $1.count } == UInt64(count + 2))
    #expect(findings.first?.count == 2 && findings.first?.exchange == 1)
    let last = try #require(findings.last)
    #expect(last.exchange == nil && last.count == 901)
    #expect(last.cost == .delay(nanoseconds: 1_802_000_000) && last.evidence.count == 8)
    #expect(last.message.text.hasPrefix("GET /4097 is slow. Findings of this rule on later exchanges"))
    #expect(last.lastPacket.number == UInt64(count + 1))
    #expect(set.taken().isEmpty)
  }
}
