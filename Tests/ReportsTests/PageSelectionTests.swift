import Events
import Testing

@testable import Reports

@Suite("What a page holds of a large capture")
struct PageSelectionTests {
  private static func connection(_ number: Int, entries: Int, target: Int = 20, total: Int = 1_000) -> DocumentNode {
    let entry = DocumentNode.object([.init("ns", .integer(Int64(number))), .init("packet", .integer(1))])
    let path = String(repeating: "x", count: target)
    return .object([
      .init("id", .integer(Int64(number))),
      .init("timeline", .array([DocumentNode](repeating: entry, count: entries))),
      .init(
        "exchanges",
        .array([
          .object([
            .init("id", .integer(1)),
            .init(
              "request", .object([.init("target", .string(path)), .init("headers", .array([.string("Host: a")]))])),
            .init("timing", .object([.init("totalNs", .integer(Int64(total)))])),
          ])
        ])),
    ])
  }

  private static func document(_ connections: [DocumentNode], hurt: [Int] = []) -> DocumentNode {
    .object([
      .init("capture", .object([])), .init("connections", .array(connections)),
      .init(
        "findings",
        .array(
          hurt.map {
            .object([
              .init("rule", .string("tcp/reset")), .init("severity", .string("error")),
              .init("class", .string("diagnosis")), .init("connection", .integer(Int64($0))),
            ])
          })),
    ])
  }

  /// The page's document, read as a browser would.
  private static func page(of document: DocumentNode) throws -> DocumentNode {
    var text = HTMLText()
    text.json(PageSelection.page(of: document))
    #expect(text.bytes.count < 14_000_000)
    return try DocumentParser.parse(text.bytes)
  }

  @Test("A document of usual size is as it was.")
  func small() {
    let document = Self.document((1...50).map { Self.connection($0, entries: 100) })
    #expect(PageSelection.page(of: document) == document)
  }

  @Test("Of a large one the hurt and the slowest are in full, the others are rows, and that is said.")
  func large() throws {
    let connections = (1...5_000).map { Self.connection($0, entries: 200, total: $0 == 4_321 ? 9_000_000 : 1_000) }
    let page = try Self.page(of: Self.document(connections, hurt: [4_999, 2_500]))
    let kept = page.elements("connections")
    let full = kept.filter { !$0.elements("timeline").isEmpty }.compactMap { $0.integer("id") }
    #expect(kept.count == 5_000 && (100..<3_000).contains(full.count))
    for number in [4_999, 2_500, 4_321] { #expect(full.contains(Int64(number))) }
    let row = try #require(kept.first { $0.elements("timeline").isEmpty })
    #expect(row.integer("timelineCut") == 200)
    #expect(row.elements("exchanges")[0]["request"]?.text("target") != nil)
    #expect(row.elements("exchanges")[0]["request"]?["headers"] == nil)
    let limits = page["capture"]?.elements("limits").compactMap(\.text) ?? []
    #expect(limits.count == 1 && limits[0].contains("of 5,000 connections in full"))
  }

  @Test("What does not fit as rows either is counted, and what is hurt stays.")
  func tooLarge() throws {
    let connections = (1...5_000).map { Self.connection($0, entries: 1, target: 5_000) }
    let page = try Self.page(of: Self.document(connections, hurt: [5_000]))
    let kept = page.elements("connections")
    #expect(kept.count < 5_000 && kept.last?.integer("id") == 5_000)
    #expect(Int64(kept.count) + (page.integer("connectionsCut") ?? 0) == 5_000)
    #expect(page.integer("exchangesCut") == page.integer("connectionsCut"))
  }
}
