import Citation
import Events
import HTTPSemantics

/// The boundary parameter of Content-Type.
struct BoundaryParameter: Sendable {
  static let missing = RuleInfo(
    id: "multipart/boundary-param-missing", severity: .error,
    summary: "A multipart message does not name its boundary.",
    explanation: """
      Without the parameter nobody can tell where parts begin, and servers say so in many ways: "no multipart boundary was \
      found", "Invalid boundary in multipart: None", an empty form. The usual cause is code that sets Content-Type: \
      multipart/form-data by hand on a request whose body the library builds: the library then leaves the field alone, and \
      with it the boundary it made.
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

  static let illegal = RuleInfo(
    id: "multipart/boundary-illegal", severity: .error,
    summary: "The boundary of a multipart message is not one that every reader takes.",
    explanation: """
      A boundary has 1 to 70 characters: letters, digits, ' ( ) + _ , - . / : = ? and, not as the last one, blanks. One with \
      ( ) , / : = ? or a blank needs quotes in Content-Type; without them a strict reader ends it at that character, and \
      then finds no delimiter.
      """,
    evidence: """
      The field. That a refusal followed from it is inferred; a boundary that only lacks its quotes is understood by most, \
      and is a warning.
      """,
    fix: "Client: make the boundary of letters and digits only (a UUID), or put it in quotes.",
    specifications: [.multipartBoundary, .formBoundary], since: "0.1")

  private static let lengthLimit = 70

  func observe(
    _ message: Message, _ head: MessageHead, _ type: HeaderField, _ exchange: ExchangeRecord, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    guard let (value, isQuoted) = parameter(head, type) else {
      // A body that is not there is another matter.
      if message.bodyBytes > 0 { reportMissing(message, head, type, exchange, context, report) }
      return
    }
    guard let trouble = trouble(value, isQuoted) else { return }
    let harm = MultipartHarm(message, exchange, in: context)
    report(
      Finding(
        Self.illegal, severity: trouble.isSevere ? .error : .warning, confidence: harm.confidence,
        subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): the boundary \(trouble.what).", cost: harm.cost,
        fix: "Client: make the boundary of letters and digits only, or put it in quotes.",
        evidence: [.field(type, head, message.direction, "the boundary \(trouble.what)")] + harm.evidence))
  }

  private func reportMissing(
    _ message: Message, _ head: MessageHead, _ type: HeaderField, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
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
        Self.missing, confidence: harm.confidence, subject: .connection(context.id), exchange: exchange.number,
        direction: message.direction, "\(exchange.title): Content-Type does not name the boundary\(own).",
        cost: harm.cost,
        fix: "Client: let the library that builds the form set Content-Type, or name the boundary in it.",
        evidence: evidence + harm.evidence))
  }

  /// The value without quotes; nil when there is no such parameter.
  private func parameter(_ head: MessageHead, _ type: HeaderField) -> (value: [UInt8], isQuoted: Bool)? {
    let held = head.block.bytes
    let bytes = held.span
    for part in FieldList.split(bytes, type.value, at: UInt8(ascii: ";")).dropFirst() {
      guard let equals = part.first(where: { bytes[$0] == UInt8(ascii: "=") }),
        matches(bytes, FieldList.trim(bytes, part.lowerBound..<equals), "boundary")
      else { continue }
      let value = FieldList.trim(bytes, equals + 1..<part.upperBound)
      let isQuoted = value.first.map { bytes[$0] == UInt8(ascii: "\"") } ?? false
      return (FieldList.unquoted(bytes, value), isQuoted)
    }
    return nil
  }

  private func trouble(_ value: [UInt8], _ isQuoted: Bool) -> (what: String, isSevere: Bool)? {
    if value.isEmpty { return ("is empty", true) }
    if value.count > Self.lengthLimit { return ("has \(value.count) characters, and may have 70", true) }
    if value.last == .space { return ("ends with a blank", true) }
    var needsQuotes = false
    for byte in value {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x27, 0x2B, 0x5F, 0x2D, 0x2E: break
      case .space, 0x28, 0x29, 0x2C, 0x2F, 0x3A, 0x3D, 0x3F: needsQuotes = true
      default: return ("has a character that no boundary may have", true)
      }
    }
    return needsQuotes && !isQuoted ? ("needs quotes, and has none", false) : nil
  }
}

extension [UInt8] {
  /// Up to the first line end; nil when it is not there.
  var firstLine: [UInt8]? {
    firstIndex { $0 == .carriageReturn || $0 == .lineFeed }.map { Array(self[..<$0]) }
  }
}
