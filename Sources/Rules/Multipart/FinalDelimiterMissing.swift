import Citation
import Events
import HTTPSemantics

/// A multipart body that is over without its closing delimiter.
enum FinalDelimiterMissing: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/final-delimiter-missing", severity: .error,
    summary: "A multipart body ends without its closing delimiter.",
    explanation: """
      The last part ends at a delimiter that is followed by two more dashes. Without that line a parser cannot \
      distinguish a finished upload from a truncated one: it reports an unexpected end of the form (busboy, Go), drops \
      the last part, or waits for more. Others take the end of the body for the end of the part, so that it works \
      until the server changes.
      """,
    evidence: """
      The last delimiter of the body, and the packet in which the body ends as its length or its last chunk says. Bodies \
      that were cut, and streams of frames, are not judged. That a refusal followed from it is inferred.
      """,
    fix: "Client: write CRLF, two dashes, the boundary and two dashes behind the last part.",
    specifications: [.multipartBoundary, .formBoundary], causedBy: ["multipart/cl-mismatch"], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = body.record else { return }
    let (message, exchange) = (body.message, body.exchange)
    guard record.isWhole, record.close == nil, record.delimiters > 0,
      exchange.isRequest(message) || record.kind == .byteRanges,
      let delimiter = record.lastDelimiter, let last = message.lastBody
    else { return }
    let hasBareEnd = record.lenience(.closeDashesMissing) != nil
    // A length that cuts the delimiter is another rule's.
    if record.closeMissing > 0, !hasBareEnd, message.framing == .length { return }
    let harm = MultipartHarm(message, exchange, in: context)
    report(
      Finding(
        Self.info, confidence: harm.confidence, subject: .connection(context.id), exchange: exchange.number,
        direction: message.direction,
        hasBareEnd
          ? "\(exchange.title): the last delimiter opens a part that is not there; it lacks the two dashes that close the body."
          : "\(exchange.title): the body ends after \(Wording.count(record.partCount, "part")) without a closing delimiter.",
        cost: harm.cost,
        fix: info.fix,
        evidence: [
          Evidence(
            .bytes(delimiter, message.direction),
            hasBareEnd ? "the last delimiter, without -- at its end" : "the last delimiter, which opens a part"),
          Evidence(.packet(last, message.direction), "the last of \(Wording.bytes(message.bodyBytes)) of the body"),
        ] + harm.evidence))
  }
}
