import Citation
import Events
import HTTPSemantics

/// A partial response whose part is not what it announces, or was not requested.
enum RangeInconsistent: ExchangeRule {
  static let info = RuleInfo(
    id: "http/range-inconsistent", severity: .error,
    summary: "A partial response does not fit its range or its request.",
    explanation: """
      A resumed download is assembled from parts, and only Content-Range shows where each belongs. Without it, or with \
      a length or a beginning that is not the requested one, clients give up or, worse, write the bytes to the wrong \
      place, and the file is broken without an error. A 206 without a Range request is taken for the whole.
      """,
    evidence: """
      The status line or Content-Range, and the Range of the request. Several ranges (multipart/byteranges), ranges \
      from the end, and parts that end earlier than asked are legal.
      """,
    fix: "Server: send 206 only in answer to Range, with Content-Range and exactly its bytes; else 200 with all.",
    specifications: [
      Specification("RFC 9110 §14.4", "https://www.rfc-editor.org/rfc/rfc9110#section-14.4"),
      Specification("RFC 9110 §15.3.7", "https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7"),
    ],
    since: "0.1")

  private struct Fault {
    var what: String
    var isHurt: Bool
    var field: HeaderField?
  }

  static var needs: ExchangeFacts { .response }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.status.code == 206, response.headReleased != nil,
      !exchange.isPairingUnsure,
      let head = response.head, head.isRequestKnown, let request = exchange.request, let asked = request.head,
      let fault = Self.fault(response, head, asked)
    else { return }
    let range = asked.block.first("range")
    var evidence: [Evidence] = []
    if let range { evidence.append(.field(range, asked, request.direction, "the requested range")) }
    if let field = fault.field {
      evidence.append(.field(field, head, response.direction, "the range that it announces"))
    } else if let line = Evidence.startLine(response, "a part") {
      evidence.append(line)
    }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): \(fault.what).", cost: fault.isHurt ? .failed(.exchange) : .none,
        fix: info.fix, evidence: evidence))
  }

  private static func fault(_ response: Message, _ head: MessageHead, _ asked: MessageHead) -> Fault? {
    guard let range = asked.block.first("range") else {
      return Fault(what: "the response is a part (206), and the request has no Range", isHurt: false)
    }
    if head.block.contentType?.essence == "multipart/byteranges" { return nil }
    guard let field = head.block.first("content-range") else {
      return Fault(what: "the response is a part (206) and does not say which", isHurt: true)
    }
    guard let part = Part(head.block.value(field)) else {
      // Written in another way, it may still be the part that was asked for: clients that read it so lose nothing.
      return Fault(
        what: "Content-Range does not follow the grammar", isHurt: !isAsked(head.block.value(field), asked, range),
        field: field)
    }
    let length =
      head.framing == .length
      ? head.contentLength : response.isComplete && response.isWhollyCaptured ? response.bodyBytes : nil
    if let length, length != part.length, head.reason != .headRequest {
      return Fault(
        what:
          "Content-Range speaks of \(Wording.bytes(part.length)), and the body has \(Wording.bytes(length))",
        isHurt: true, field: field)
    }
    if let first = Part.firstAsked(asked.block.value(range)), first != part.first {
      return Fault(
        what: "the part begins at byte \(Wording.number(part.first)), and was requested from \(Wording.number(first))",
        isHurt: true, field: field)
    }
    return nil
  }

  /// `bytes=0-499/1234` in answer to `bytes=0-`
  private static func isAsked(_ value: String, _ asked: MessageHead, _ range: HeaderField) -> Bool {
    let numbers = value.split { !$0.isNumber }
    guard value.lowercased().hasPrefix("bytes"), (2...3).contains(numbers.count), let first = UInt64(numbers[0])
    else { return false }
    return Part.firstAsked(asked.block.value(range)) == first
  }

  /// `bytes 0-499/1234`
  private struct Part {
    let first: UInt64
    let length: UInt64

    init?(_ value: String) {
      let words = value.split(separator: " ")
      guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
      let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
      guard halves.count == 2, halves[1] == "*" || UInt64(halves[1]) != nil else { return nil }
      let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last, last < .max
      else { return nil }
      if let total = UInt64(halves[1]), last >= total { return nil }
      self.first = first
      length = last - first + 1
    }

    /// The beginning of a single range that has one.
    static func firstAsked(_ value: String) -> UInt64? {
      let text = value.filter { $0 != " " }.lowercased()
      guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
      return text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).first.flatMap { UInt64($0) }
    }
  }
}
