import Citation
import Events
import HTTPSemantics

/// A Content-Type that does not name the boundary.
enum BoundaryParamMissing: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/boundary-param-missing", severity: .error,
    summary: "A multipart message does not name its boundary.",
    explanation: """
      Without the parameter the server cannot find the parts, and the error differs by server: "no multipart boundary \
      was found", "Invalid boundary in multipart: None", an empty form. The usual cause is code that sets \
      Content-Type: multipart/form-data by hand on a request whose body the library builds: the library then leaves \
      the field alone, and with it the boundary it made.
      """,
    evidence: """
      The field and, where the body begins with a delimiter, that one: it shows that the boundary is there and only its name \
      is missing. That a refusal followed from it is inferred.
      """,
    fix: """
      Client: do not set Content-Type for a form that the library encodes (fetch, axios, requests); who builds the body \
      names its boundary.
      """,
    specifications: [.multipartBoundary, .formBoundary], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    // A body that is not there is another matter.
    guard body.message.bodyBytes > 0, BoundaryParameter(body) == nil else { return }
    let (message, head, type, exchange) = (body.message, body.head, body.type, body.exchange)
    let harm = MultipartHarm(message, exchange, in: context)
    var evidence = [Evidence.field(type, head, message.direction, "no boundary")]
    var own = ""
    if let line = message.opening.firstLine, line.starts(with: [0x2D, 0x2D]), let first = message.firstBody {
      own = ", though its body begins with a delimiter"
      evidence.append(
        Evidence(
          .packet(first, message.direction), excerpt: Excerpt(line.span, isPayload: false),
          "the body begins with a delimiter"
        ))
    }
    report(
      Finding(
        info, confidence: harm.confidence, subject: .connection(context.id), exchange: exchange.number,
        direction: message.direction, "\(exchange.title): Content-Type does not name the boundary\(own).",
        cost: harm.cost,
        fix: info.fix,
        evidence: evidence + harm.evidence))
  }
}

extension [UInt8] {
  /// Up to the first line end; nil when it is not there.
  var firstLine: [UInt8]? {
    firstIndex { $0 == .carriageReturn || $0 == .lineFeed }.map { Array(self[..<$0]) }
  }
}
