import Citation
import LLM
import LLMSemantics
import Support
import Testing

@Suite("Answers of language models")
struct AnswerReaderTests {
  private static func read(
    _ row: AnswerRow, cutAt cuts: [Int] = [], numbered: Bool = false
  ) -> (dialect: AnswerDialect?, tokens: [AnswerToken]) {
    var reader = AnswerReader(row.isLines ? .lines : .events)
    let tokens = reader.tokens(of: row.bytes, cutAt: cuts, numbersPackets: numbered)
    return (reader.dialect, tokens)
  }

  @Test("Each item says what it carries.", arguments: AnswerRow.all)
  func items(_ row: AnswerRow) {
    let (dialect, tokens) = Self.read(row)
    #expect(dialect == row.dialect)
    #expect(tokens.map(\.words) == row.words)
  }

  @Test("The same at every cut.", arguments: AnswerRow.all)
  func cuts(_ row: AnswerRow) {
    let whole = Self.read(row).tokens
    for cut in 0...row.bytes.count { #expect(Self.read(row, cutAt: [cut]).tokens == whole) }
    #expect(Self.read(row, cutAt: Array(0..<row.bytes.count)).tokens == whole)
  }

  @Test("An item has the packet of its end.")
  func packets() {
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
    let row = AnswerRow("two events", event + event, .openAIChat, [])
    let ends = [event.utf8.count - 1, event.utf8.count]
    let packets = Self.read(row, cutAt: ends, numbered: true).tokens.map { token -> UInt64 in
      if case .item(let item) = token { item.completed.number } else { 0 }
    }
    #expect(packets == [2, 3])
  }

  @Test("What a hole touches is not taken for an item, and the hole is told.")
  func holes() {
    var reader = AnswerReader(.events)
    var tokens: [AnswerToken] = []
    let event = Array("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n".utf8)
    let packet = PacketRef.numbered(1)
    reader.consume(CitedBytes(event.span, at: 0, in: packet, released: packet), into: &tokens)
    reader.consume(CitedBytes(event.span.extracting(0..<20), at: 0, in: packet, released: packet), into: &tokens)
    reader.skip(gap: 0..<3, into: &tokens)
    reader.consume(CitedBytes(event.span, at: 0, in: packet, released: packet), into: &tokens)
    reader.consume(CitedBytes(event.span, at: 0, in: packet, released: packet), into: &tokens)
    #expect(tokens.map(\.words) == ["text", "gap", "text"])
  }

  @Test("Nesting without end ends the walk, and what was found before stays.")
  func nesting() {
    let deep = String(repeating: "[", count: 100_000)
    let row = AnswerRow(
      "deep", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"x\":\(deep)\n\n", .openAIChat, [])
    #expect(Self.read(row).tokens.map(\.words) == ["text"])
  }
}

extension AnswerToken {
  /// `text gpt-oss-120b stop 9/118/- end error server_error`, of that what there is; `-` where there is nothing.
  fileprivate var words: String {
    guard case .item(let item) = self else { return "gap" }
    var words: [String] = []
    if item.content.contains(.text) { words.append("text") }
    if item.content.contains(.reasoning) { words.append("reasoning") }
    if item.content.contains(.tool) { words.append("tool") }
    words += [item.model, item.finish].compactMap { $0 }
    if !item.usage.isEmpty {
      words.append(
        [item.usage.prompt, item.usage.output, item.usage.reasoning].map { $0.map(String.init) ?? "-" }
          .joined(separator: "/"))
    }
    if item.isEnd { words.append("end") }
    if let failure = item.failure {
      words.append((["error"] + [failure.type].compactMap { $0 }).joined(separator: " "))
    }
    return words.isEmpty ? "-" : words.joined(separator: " ")
  }
}
