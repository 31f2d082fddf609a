import Events
import HTTPSemantics

/// A boundary that not every reader takes.
enum BoundaryIllegal: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/boundary-illegal", severity: .error,
    summary: "The boundary of a multipart message is not one that every reader takes.",
    explanation: """
      A boundary has 1 to 70 characters: letters, digits, ' ( ) + _ , - . / : = ? and, not as the last one, blanks. \
      One with ( ) , / : = ? or a space needs quotes in Content-Type; without them a strict reader ends it at that \
      character, and then finds no delimiter.
      """,
    evidence: """
      The field. That a refusal followed from it is inferred; a boundary that only lacks its quotes is understood by most, \
      and is a warning.
      """,
    fix: "Client: use only letters and digits in the boundary (a UUID), or quote it.",
    specifications: [.multipartBoundary, .formBoundary], since: "0.1")

  private static let lengthLimit = 70

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard let parameter = BoundaryParameter(body), let trouble = trouble(parameter.value, parameter.isQuoted)
    else { return }
    let (message, head, type, exchange) = (body.message, body.head, body.type, body.exchange)
    let harm = MultipartHarm(message, exchange, in: context)
    report(
      Finding(
        info, severity: trouble.isSevere ? .error : .warning, confidence: harm.confidence,
        subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): the boundary \(trouble.what).", cost: harm.cost,
        fix: info.fix,
        evidence: [.field(type, head, message.direction, "the boundary \(trouble.what)")] + harm.evidence))
  }

  private static func trouble(_ value: [UInt8], _ isQuoted: Bool) -> (what: String, isSevere: Bool)? {
    if value.isEmpty { return ("is empty", true) }
    if value.count > Self.lengthLimit { return ("has \(value.count) characters, and may have 70", true) }
    if value.last == .space { return ("ends with a space", true) }
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
