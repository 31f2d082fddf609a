import Events
import HTTPSemantics

/// What is odd in a Transfer-Encoding field, as far as it is no more than that.
enum TransferEncodingAnomalies {
  static let rows: [NamedAnomaly] = [identity, duplicate, twice, notFinal, unknown, empty, malformed, forbidden]

  private static let fieldEvidence =
    "The field as it was sent and, where a request was refused, the answer; that one led to the other is inferred."

  private static let identity = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-identity", severity: .warning,
      summary: "Transfer-Encoding says identity.",
      explanation: """
        The name meant "no coding" until it was taken out of HTTP in 2014. It frames nothing, yet it makes a reader that \
        knows only the field's presence skip Content-Length or wait for chunks. nginx answers a request with 501; others \
        read on to the end of the connection. Apple's API shows "Identity" for responses that were chunked on the wire: \
        that is a label of the library, and not this.
        """,
      evidence: fieldEvidence,
      fix: "Sender: leave the field out; a body without coding needs Content-Length or the end of the connection.",
      specifications: [.transferCodings, .transferEncoding], since: "0.1"),
    [.codingIdentity], "Transfer-Encoding names identity, which is no coding since 2014",
    fix: "Sender: leave Transfer-Encoding out.")

  private static let duplicate = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-duplicate-field", severity: .error,
      summary: "A message has two Transfer-Encoding fields.",
      explanation: """
        Two fields mean the same as one with both values, so two times chunked is chunked twice, which is forbidden. \
        Readers differ: nginx answers 400, others join the values, take the first or the last, and then two hops \
        disagree on where the message ends. A frequent cause is an application that sets the field by hand above a \
        library that sets it too, or a proxy that copies the field and adds its own.
        """,
      evidence: fieldEvidence,
      fix: "Sender: set the field in one place only; applications leave it to their HTTP library.",
      specifications: [.transferEncoding], since: "0.1"),
    [.transferEncodingRepeated], "Transfer-Encoding stands twice",
    fix: "Sender: send one Transfer-Encoding field; leave it to the HTTP library.")

  private static let twice = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-chunked-twice", severity: .error,
      summary: "Transfer-Encoding names chunked twice.",
      explanation: """
        A sender must not apply the chunked coding more than once. Nobody sends chunks inside chunks for it: the list is \
        usually an accident of two layers that each add the name. Strict servers refuse the request, lenient ones read \
        one layer, and a literal reader would look for a second one.
        """,
      evidence: fieldEvidence, fix: "Sender: name chunked once, as the last coding.",
      specifications: [.transferEncoding], since: "0.1"),
    [.chunkedTwice], "Transfer-Encoding names chunked twice", fix: "Sender: name chunked once, as the last coding.")

  private static let notFinal = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-not-final", severity: .error,
      summary: "Transfer-Encoding names chunked, but not as the last coding.",
      explanation: """
        Only a body whose outermost coding is chunked says where it ends. A request that puts another coding behind it \
        cannot be framed at all, and a server has to answer 400 and close; one that goes on guesses, which is what \
        request smuggling lives on. A response of that kind goes on to the end of the connection.
        """,
      evidence: fieldEvidence, fix: "Sender: make chunked the last coding in the list.",
      specifications: [.bodyLength, .transferEncoding], since: "0.1"),
    [.chunkedNotLast], "chunked is not the last transfer coding, so the end of the body cannot be known",
    fix: "Sender: make chunked the last coding.")

  private static let unknown = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-unknown-coding", severity: .warning,
      summary: "Transfer-Encoding names a coding that is not registered.",
      explanation: """
        The registry holds chunked, gzip, x-gzip, deflate, compress and x-compress. A server that meets another name \
        should answer 501. Some take any name at all for chunked, and some ignore the field: two of them in a row frame \
        the same bytes in two ways.
        """,
      evidence: fieldEvidence,
      fix: """
        Sender: compression of the content belongs into Content-Encoding; Transfer-Encoding is chunked or nothing. A \
        misspelled name (chunkedchunked, x-chunked) comes from code that builds the field by hand.
        """,
      specifications: [.transferEncoding, .transferCodings], since: "0.1"),
    [.codingUnknown], "Transfer-Encoding names a coding that nobody has to know",
    fix: "Sender: use chunked alone; compression belongs into Content-Encoding.")

  private static let empty = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-list-empty-element", severity: .warning,
      summary: "The list in Transfer-Encoding has an empty element.",
      explanation: """
        A leading, doubled or trailing comma, or no value at all. Recipients are told to ignore empty elements of a list; \
        those that compare the whole value with "chunked" do not, and see an unknown coding. Attackers use the \
        difference.
        """,
      evidence: fieldEvidence, fix: "Sender: write the value without empty elements.",
      specifications: [
        Specification("RFC 9110 §5.6.1", "https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1"), .transferEncoding,
      ], since: "0.1"),
    [.transferEncodingEmptyElement], "the list in Transfer-Encoding has an empty element",
    fix: "Sender: write \"chunked\" and nothing else.")

  private static let malformed = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-non-token", severity: .error,
      summary: "Transfer-Encoding holds bytes that no coding name may have.",
      explanation: """
        A vertical tab, a quote, a byte above 0x7F or a blank inside the name. Some readers trim such bytes and see \
        chunked, others see an unknown coding and fall back on Content-Length. No client writes this by accident: it is \
        the classical way to hide a request inside another.
        """,
      evidence: fieldEvidence + " The excerpt begins near the first such byte.",
      fix: "Proxy and server: answer 400 and close. Sender: if it is your own code, find what builds the value.",
      specifications: [.transferCodings, .transferEncoding], since: "0.1"),
    [.transferEncodingMalformed], "Transfer-Encoding holds bytes that are not part of any coding's name",
    fix: "Server: refuse such requests. Sender: find what builds the value.")

  private static let forbidden = NamedAnomaly(
    RuleInfo(
      id: "chunked/te-forbidden-status", severity: .error,
      summary: "A response that cannot have a body names a transfer coding.",
      explanation: """
        A server must not send Transfer-Encoding with 1xx and 204, nor with a 2xx to CONNECT. Clients know that such a \
        response has no body and stop after its head. If the server then sends even the terminator 0 CRLF CRLF, those \
        bytes stand where the next status line should be, and a reused connection breaks on them.
        """,
      evidence: "The field in the response's head.",
      fix: "Server: send 204 without framing fields. Framework middleware that adds chunks must know the status.",
      specifications: [.transferEncoding], since: "0.1"),
    [.transferEncodingForbidden], "a response without body names a transfer coding",
    fix: "Server: leave Transfer-Encoding out of 1xx, 204 and answers to CONNECT.")
}
