import Citation
import Events
import HTTPSemantics

/// A type that the server guessed from its own first write.
enum ServerSniffedType: ExchangeRule {
  static let info = RuleInfo(
    id: "sniff/server-sniffed-type", severity: .note, confidence: .medium,
    summary: "The server guessed the type of a stream.",
    explanation: """
      Go's net/http gives a response to which the handler set no type one that it guesses from the first write, at most \
      512 bytes: JSON and event streams become text/plain. That guess makes clients guess, too: URLSession keeps such \
      a response from its app until byte 512, Chromium until byte 1,024.
      """,
    evidence: """
      The field, and the pause inside the body. That the type was guessed shows in the order of the head: Go writes \
      what the handler set first, in the order of the alphabet, then Date, and its own additions after that. A type \
      that stands before Date was set by the handler and does not count, nor is a path that ends like a text file.
      """,
    fix: "Server: set Content-Type in the handler, before the first write.",
    specifications: [
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3")
    ],
    since: "0.1")

  private static let textEnds = [".txt", ".log", ".md", ".csv", ".htm", ".html", "/"]

  static var needs: ExchangeFacts { .drip }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.isDrip, let head = response.head,
      let pause = response.longestPause,
      let type = Self.guessedType(head.block)
    else { return }
    let path = exchange.target.prefix { $0 != "?" }
    guard !Self.textEnds.contains(where: { path.hasSuffix($0) }) else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        """
        \(exchange.title): the server guessed "\(head.block.value(type))" from its first write; clients that hold such \
        a type hold this stream.
        """,
        cost: .none, fix: info.fix,
        evidence: [
          .field(type, head, response.direction, "stands behind Date, where Go's net/http puts its own guess"),
          Evidence(
            .packet(pause.to, response.direction),
            "the body goes on after \(Wording.duration(pause.nanoseconds)), so it is a stream"),
        ]))
  }

  /// The type, where the head ends as Go's server ends it: Date, perhaps Content-Length, then the guess.
  private static func guessedType(_ block: HeaderBlock) -> HeaderField? {
    guard block.first("server") == nil, let at = block.fields.lastIndex(where: { block.isNamed("content-type", $0) })
    else { return nil }
    let value = block.value(block.fields[at])
    guard value == "text/plain; charset=utf-8" || value == "text/html; charset=utf-8" else { return nil }
    var before = block.fields[..<at]
    if let last = before.last, block.isNamed("content-length", last) { before.removeLast() }
    guard let date = before.last, block.isNamed("date", date) else { return nil }
    let ours = block.fields[(at + 1)...]
    guard ours.allSatisfy({ block.isNamed("connection", $0) || block.isNamed("transfer-encoding", $0) }) else {
      return nil
    }
    // What the handler set is sorted.
    let names = before.dropLast().map { block.name($0) }
    return zip(names, names.dropFirst()).allSatisfy { $0 <= $1 } ? block.fields[at] : nil
  }
}
