import Events

/// Names and values of fields with bytes that have no place there, and lengths that are none.
enum FieldAnomalies {
  static let rows: [NamedAnomaly] = [invalidName, control, invalidLength, repeatedLength, forbiddenLength]

  private static let length = Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6")

  private static let invalidName = NamedAnomaly(
    RuleInfo(
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
      ], since: "0.1"),
    [.nameEmpty, .nameInvalid, .colonMissing], in: [.fields, .trailers],
    "a field line has no name that could be one", fitting: [400],
    fix: "Sender: use letters, digits and hyphens in field names.")

  private static let control = NamedAnomaly(
    RuleInfo(
      id: "http/value-ctl", severity: .error,
      summary: "A field value has control characters in it.",
      explanation: """
        Only the tab is allowed. A recipient has to refuse NUL or replace it; libraries in C end the string there, so \
        that a filter and the server behind it read different values. Others answer 400, or break the connection off.
        """,
      evidence: "The first such line. CR without LF is http/bare-cr.",
      fix: "Sender: encode binary values, or remove what is no text before it becomes a field.",
      specifications: [
        Specification("RFC 9110 §5.5", "https://www.rfc-editor.org/rfc/rfc9110#section-5.5")
      ], since: "0.1"),
    [.valueNUL, .valueControl], in: [.fields, .trailers], "a field value has a control character in it", fitting: [400],
    fix: "Sender: encode binary values.")

  private static let invalidLength = NamedAnomaly(
    RuleInfo(
      id: "http/cl-invalid", severity: .error,
      summary: "Content-Length is not one decimal number.",
      explanation: """
        A sign, a prefix, a fraction, nothing at all, a number beyond 64 bits, or several that differ: one parser takes \
        the digits at the beginning, the next one the last value, a third one refuses. Where they stand behind one \
        another the message ends in different places for each, and the rest of it is the next request. A server has to \
        answer 400 and close; a client has to drop the response.
        """,
      evidence: "The field with the value. Several equal values are http/cl-duplicate-equal.",
      fix: "Sender: write the number of bytes in decimal digits, once; let the framework do it.",
      specifications: [length, Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3")],
      since: "0.1"),
    [.contentLengthInvalid, .contentLengthOverflow, .contentLengthConflicting], "Content-Length is no single number",
    fitting: [400, 411, 413],
    fix: "Sender: write one decimal number.")

  private static let repeatedLength = NamedAnomaly(
    RuleInfo(
      id: "http/cl-duplicate-equal", severity: .warning,
      summary: "Content-Length is there more than once, with the same value.",
      explanation: """
        A recipient may take equal values for one, or refuse the message, and both is done: nginx answers 400 to a \
        second field, browsers read on. Mostly a framework and the application behind it both set it.
        """,
      evidence: "The second value. Values that differ are http/cl-invalid.",
      fix: "Sender: set the field in one place only.",
      specifications: [length, Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3")],
      since: "0.1"),
    [.contentLengthRepeated], "Content-Length is given twice, with the same value", fitting: [400],
    fix: "Sender: set Content-Length in one place only.")

  private static let forbiddenLength = NamedAnomaly(
    RuleInfo(
      id: "http/cl-on-1xx-204", severity: .warning,
      summary: "A response without content says how long it is.",
      explanation: """
        In 1xx, in 204 and in the success of a CONNECT a Content-Length must not be sent, not even zero. The message \
        ends with its head all the same; a client that believes the field waits for bytes that never come, or takes \
        those of the next response.
        """,
      evidence: "The field. In 304 and in the answer to HEAD it is allowed, and says what GET would bring.",
      fix: "Server: leave Content-Length out of 1xx and 204.",
      specifications: [
        length, Specification("RFC 9110 §15.3.5", "https://www.rfc-editor.org/rfc/rfc9110#section-15.3.5"),
      ], since: "0.1"),
    [.contentLengthForbidden], "a Content-Length stands where there can be no content", fitting: [400],
    fix: "Server: leave Content-Length out of this response.")
}
