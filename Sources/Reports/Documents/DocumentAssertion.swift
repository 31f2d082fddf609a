/// An assertion of a document, safe to show.
struct DocumentAssertion {
  enum Verdict { case passed, failed, inconclusive }

  let text: String
  /// An unknown verdict of a newer program does not count as passed.
  let verdict: Verdict
  let facts: String?
  let notes: [String]

  init(_ node: DocumentNode) {
    text = EscapedText.text(node.text("assertion") ?? "")
    verdict =
      switch node.text("verdict") {
      case "passed": .passed
      case "failed": .failed
      default: .inconclusive
      }
    facts = node.text("facts").map { EscapedText.text($0) }
    notes = node.elements("notes").compactMap(\.text).map { EscapedText.text($0) }
  }

  /// What was observed and why there is no verdict, in a sentence.
  var summary: String { ([facts].compactMap { $0 } + notes).joined(separator: "; ") }
}

extension DocumentCapture {
  var assertions: [DocumentAssertion] { node.elements("assertions").map(DocumentAssertion.init) }
}
