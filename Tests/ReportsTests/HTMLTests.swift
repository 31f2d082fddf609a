import Assets
import Digests
import Events
import RunSupport
import Testing

@testable import Reports

@Suite("The HTML report")
struct HTMLTests {
  private static let context = ConversionContext(version: "1.2.3", rules: [])

  private func page(_ documents: [DocumentNode], _ context: ConversionContext = Self.context) throws -> String {
    var sink = MemorySink()
    try DocumentFormat.html.write(documents, context, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  private func document(_ json: String) throws -> DocumentNode { try DocumentParser.parse(Array(json.utf8)) }

  /// What stands between the first `start` and the `end` behind it.
  private func between(_ start: String, _ end: String, of text: String) throws -> String {
    let from = try #require(text.firstRange(of: start)).upperBound
    let to = try #require(text[from...].firstRange(of: end)).lowerBound
    return String(text[from..<to])
  }

  // MARK: The policy

  @Test("The policy names the script and the style that are there, and nothing else may run or load.")
  func policy() throws {
    let page = try page([])
    let policy = try between("Content-Security-Policy\" content=\"", "\"", of: page).replacing("&#39;", with: "'")
    let script = try between("<script>", "</script>", of: page)
    let style = try between("<style>", "</style>", of: page)
    let hash = { (text: String) in "'sha256-" + SHA256.digest(of: Array(text.utf8).span).base64 + "'" }
    #expect(
      policy.split(separator: "; ") == [
        "default-src 'none'", "script-src \(hash(script))", "style-src \(hash(style))", "img-src data:",
        "base-uri 'none'", "form-action 'none'",
      ])
  }

  @Test("The page asks for nothing from elsewhere, and its script makes no markup of text.")
  func offline() throws {
    let script = String(decoding: Assets.reportScript, as: UTF8.self)
    let style = String(decoding: Assets.reportStyle, as: UTF8.self)
    let forbidden = [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(",
      "XMLHttpRequest",
      "import(", "localStorage", "http:", "https:", "</script", "<!--",
    ]
    for word in forbidden { #expect(!script.contains(word), "\(word)") }
    for word in ["url(", "@import", "</style"] { #expect(!style.contains(word), "\(word)") }
  }

  // MARK: Documents

  @Test(
    "No documents, and documents of nothing, make a whole page.",
    arguments: [[], ["{}"], ["[]", "null"], ["{\"findings\":7}"]])
  func empty(_ sources: [String]) throws {
    let page = try page(try sources.map(document))
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.ranges(of: "class=\"document\"").count == sources.count)
  }

  @Test("What a document holds is read again from the page as it was.")
  func embedded() throws {
    let source = #"{"a":[1,2,3],"s":"</script><!--\"&'","n":1.50,"deep":{"t":true,"z":null}}"#
    let node = try document(source)
    let embedded = try between("class=\"document\">", "</script>", of: try page([node]))
    #expect(try document(embedded) == node)
    #expect(!embedded.contains("<") && !embedded.contains("&"))
  }

  static let hostile = [
    "</script><script>alert(1)</script>", "</noscript><img src=x onerror=alert(1)>", "</title><h1>x</h1>",
    "<!--<script>",
    "\" onload=\"alert(1)", "' x='", "&lt;", "]]>", "\u{202E}gnp.exe", "\u{0}\u{1B}[2J\u{9B}", "javascript:alert(1)",
  ]

  @Test("Nothing of a document becomes markup.", arguments: hostile)
  func injection(_ text: String) throws {
    let harmless = try page([attacked("x")])
    let page = try page([attacked(text)])
    // The markup is that of any other document: as many tags, the same ones.
    #expect(tags(page) == tags(harmless))
    #expect(
      !page.unicodeScalars.contains {
        ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F || (0x80...0x9F).contains($0.value)
      })
    #expect(!page.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) || $0.value == 0x2028 })
  }

  /// A document that says the same everywhere, as keys, too.
  private func attacked(_ text: String) -> DocumentNode {
    let word = DocumentNode.string(text)
    let finding = DocumentNode.object([
      .init("rule", word), .init("severity", word), .init("class", .string("diagnosis")), .init("message", word),
      .init("fix", word), .init("filter", word), .init("connection", .integer(1)), .init(text, word),
      .init(
        "evidence", .array([.object([.init("packet", .integer(3)), .init("excerpt", word), .init("note", word)])])),
    ])
    return .object([
      .init("capture", .object([.init("file", word), .init("format", word)])), .init("findings", .array([finding])),
      .init("connections", .array([.object([.init("id", word), .init("client", .object([.init("ip", word)]))])])),
      .init(text, .array([word, .integers([1, 2])])),
    ])
  }

  /// Everything from `<` to a letter's end outside the script, in order.
  private func tags(_ page: String) -> [Substring] {
    let script = String(decoding: Assets.reportScript, as: UTF8.self)
    return page.replacing(script, with: "").split(separator: "<").dropFirst().map {
      $0.prefix { $0 != ">" && $0 != " " }
    }
  }

  // MARK: Without scripts

  private static let findings = #"""
    {"capture":{"file":"/home/me/a.pcap","packets":9},"findings":[
    {"rule":"a/late","severity":"warning","class":"diagnosis","message":"Late.","cost":{"kind":"delay","ns":5},"firstPacket":1},
    {"rule":"a/later","severity":"warning","class":"diagnosis","message":"Later.","cost":{"kind":"delay","ns":50},"firstPacket":7},
    {"rule":"a/gone","severity":"error","class":"diagnosis","message":"Gone.","cost":{"kind":"failed","what":"connection"},
     "fix":"Server: stay.","filter":"frame.number in {4}","evidence":[{"packet":4,"excerpt":"\"x\"","note":"the end"}]},
    {"rule":"a/echo","severity":"error","class":"diagnosis","message":"Echo.","causedBy":"a/gone"},
    {"rule":"a/style","severity":"note","class":"lint","message":"Style."}]}
    """#

  @Test("A browser without scripts shows the verdict and the causes, worst first.")
  func noScript() throws {
    let story = try between("<noscript>", "</noscript>", of: try page([document(Self.findings)]))
    #expect(story.contains("<h1>a.pcap</h1>") && story.contains("<p>error: Gone.</p>"))
    let order = ["a/gone", "a/later", "a/late<"].compactMap { story.firstRange(of: $0)?.lowerBound }
    #expect(order.count == 3 && order == order.sorted())
    for words in ["#4 &quot;x&quot; the end", "Fix: Server: stay.", "<code>frame.number in {4}</code>"] {
      #expect(story.contains(words), "\(words)")
    }
    #expect(!story.contains("a/echo") && !story.contains("a/style") && !story.contains("/home"))
  }

  @Test("The title names the capture, and how many more there are.")
  func title() throws {
    let node = try document(Self.findings)
    #expect(try between("<title>", "</title>", of: try page([])) == "streamscope")
    #expect(try between("<title>", "</title>", of: try page([node])) == "a.pcap – streamscope")
    #expect(try between("<title>", "</title>", of: try page([node, node, node])) == "a.pcap and 2 more – streamscope")
  }

  @Test("Rules that fired are explained, others are not.")
  func rules() throws {
    let rule = { (id: RuleID) in
      RuleInfo(
        id: id, severity: .error, summary: "s", explanation: "because of \(id.text)", evidence: "e", fix: "f",
        specifications: [Specification("RFC 1", "https://example.org")], since: "1")
    }
    let context = ConversionContext(version: "1", rules: [rule("a/gone"), rule("a/never")])
    let page = try page([document(Self.findings)], context)
    let rules = try document(try between("id=\"rules\">", "</script>", of: page))
    #expect(rules.fields.map(\.key) == ["a/gone"])
    #expect(rules["a/gone"]?.text("explanation") == "because of a/gone")
  }

  @Test("What the page would show and a document lacks is said.")
  func missing() throws {
    #expect(try DocumentFormat.html.missing(in: document(#"{"connections":[{"id":1}]}"#)).count == 1)
    #expect(try DocumentFormat.html.missing(in: document(#"{"connections":[{"id":1,"timeline":[]}]}"#)).isEmpty)
    #expect(try DocumentFormat.html.missing(in: document(#"{"connections":[]}"#)).isEmpty)
  }
}
