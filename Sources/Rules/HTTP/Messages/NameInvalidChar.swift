import Events
import HTTPSemantics

/// A field name with bytes that names cannot have.
enum NameInvalidChar: AnomalyRule {
  static let info = RuleInfo(
    id: "http/name-invalid-char", severity: .error,
    summary: "A field name is empty or has bytes that names cannot have.",
    explanation: """
      Names are made of letters, digits and a few marks. nginx drops a field with any other byte in its name without a \
      word, Apache, Node.js and Go answer 400, others hand it on: the field is there for one hop and not for the next. \
      A line without a colon is the same: no field at all.
      """,
    evidence: "The first such line. Underscores are legal, and http/name-underscore.",
    fix:
      "Sender: use letters, digits and hyphens in field names; look for what wrote a value where a name should be.",
    specifications: [
      Specification("RFC 9110 §5.1", "https://www.rfc-editor.org/rfc/rfc9110#section-5.1"),
      Specification("RFC 9110 §5.6.2", "https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2"),
    ], since: "0.1")

  static let row = AnomalyRow(
    [.nameEmpty, .nameInvalid, .colonMissing], in: [.fields, .trailers],
    "a field line has no name that could be one", fitting: [400])
}
