import Testing

@testable import Reports

@Suite("Findings with what they led to")
struct FoldedFindingTests {
  private static func finding(
    _ rule: String, _ severity: String, on connection: Int64 = 1, causedBy: String? = nil, isLint: Bool = false
  ) -> DocumentFinding {
    var fields = [
      DocumentNode.Field("rule", .string(rule)), DocumentNode.Field("severity", .string(severity)),
      DocumentNode.Field("class", .string(isLint ? "lint" : "diagnosis")),
      DocumentNode.Field("connection", .integer(connection)),
    ]
    if let causedBy { fields.append(DocumentNode.Field("causedBy", .string(causedBy))) }
    return DocumentFinding(.object(fields))
  }

  @Test("A consequence is told with its first cause, and alone where that one is elsewhere, milder, or not there.")
  func folded() {
    let findings = [
      Self.finding("http/ttfb-slow", "warning", causedBy: "sse/buffered"),
      Self.finding("proxy/hop-joined", "warning"),
      Self.finding("sse/buffered", "warning", causedBy: "proxy/hop-joined"),
      Self.finding("sse/buffered", "warning", on: 2, causedBy: "proxy/hop-joined"),
      Self.finding("tcp/rst-mid-message", "error", causedBy: "proxy/hop-joined"),
      Self.finding("http/early-response", "note", causedBy: "proxy/hop-joined", isLint: true),
      Self.finding("http/vary-missing", "note", causedBy: "http/nosuch"),
    ]
    #expect(FoldedFinding.causes(findings) == [1, nil, 1, nil, nil, nil, nil])
    let all = FoldedFinding.all(findings)
    #expect(all.map(\.finding.rule).first == "proxy/hop-joined")
    #expect(all.map(\.consequences.count) == [2, 0, 0, 0, 0])
    #expect(all[0].consequences.map(\.rule) == ["http/ttfb-slow", "sse/buffered"])
  }
}
