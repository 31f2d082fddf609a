import Citation
import Events
import WebSocketSemantics

/// What the codes of Close frames say.
enum CloseCodes {
  static let infos: [RuleInfo] = [error, application, empty, reserved, invalid, notEchoed]

  private static let error = RuleInfo(
    id: "ws/close-error-code", severity: .warning,
    summary: "A connection was closed with a code that tells of an error.",
    explanation: """
      The side that closes says why: 1002 protocol error, 1003 unsupported data, 1007 no UTF-8, 1008 policy, 1009 too large, \
      1010 an extension is missing, 1011 internal error, 1012 restart, 1013 try again later, 1014 bad gateway. The \
      application on the other side receives the code.
      """,
    evidence: "The Close, its reason, which is payload, and the last frame of the other side before it.",
    fix: "Whoever sent what the code complains of: correct it; for 1011 to 1014, see the log of the side that closed.",
    specifications: [.webSocket("7.4.1")], since: "0.1")

  private static let application = RuleInfo(
    id: "ws/close-app-code", severity: .note, summary: "A connection was closed with a code of the application.",
    explanation: """
      3000 to 4999 are free for libraries and applications; what they mean stands in their documentation. graphql-ws, for one, \
      uses 4400 to 4429.
      """,
    evidence: "The Close, and its reason, which is payload.",
    fix: "Look the code up in the application's documentation.",
    specifications: [.webSocket("7.4.2")], since: "0.1")

  private static let empty = RuleInfo(
    id: "ws/close-no-status", severity: .note, summary: "A Close has no code.",
    explanation: "It is legal; the other side's API shows 1005. Why it was closed is not known.",
    evidence: "The Close.", fix: "Sender: close with 1000, or the code that fits.",
    specifications: [.webSocket("7.1.5")],
    since: "0.1")

  private static let reserved = RuleInfo(
    id: "ws/close-code-reserved", severity: .error, summary: "A Close has a code that must not be sent.",
    explanation: """
      1005, 1006 and 1015 are what APIs show where no code came. On the wire they are a protocol error; programs that pass \
      the code of one connection on to another do this.
      """,
    evidence: "The Close.", fix: "Sender: send 1000, 1001 or 1011 instead, or a Close without code for 1005.",
    specifications: [.webSocket("7.4.1")], since: "0.1")

  private static let invalid = RuleInfo(
    id: "ws/close-code-invalid", severity: .error, summary: "A Close has a code that does not exist.",
    explanation: """
      1000 to 1003 and 1007 to 1014 are defined, 3000 to 4999 free for use; all others are a protocol error, and browsers \
      drop the connection over them.
      """,
    evidence: "The Close. One that only repeats the other side's code is a note.",
    fix: "Sender: use 1000, or 3000 to 4999 for codes of your own.", specifications: [.webSocket("7.4.2")], since: "0.1"
  )

  private static let notEchoed = RuleInfo(
    id: "ws/close-code-not-echoed", severity: .note, summary: "A Close was answered with another code.",
    explanation: """
      The answer usually repeats the code it answers. APIs show the code they received: the two sides then know different \
      reasons.
      """,
    evidence: "Both Closes.", fix: "Receiver: answer with the same code.", specifications: [.webSocket("5.5.1")],
    since: "0.1")

  private static let names: [UInt16: String] = [
    1000: "normal", 1001: "going away", 1002: "protocol error", 1003: "unsupported data", 1007: "invalid payload",
    1008: "policy violation", 1009: "message too big", 1010: "extension missing", 1011: "internal error",
    1012: "service restart", 1013: "try again later", 1014: "bad gateway", 4400: "graphql: bad request",
    4401: "graphql: unauthorized", 4403: "graphql: forbidden", 4408: "graphql: no initialisation in time",
    4409: "graphql: subscriber exists already", 4429: "graphql: too many initialisations",
  ]

  /// `1002 (protocol error)`
  static func title(_ code: UInt16, _ opening: WebSocketOpening?) -> String {
    if code >= 4000, opening?.subprotocol?.hasPrefix("graphql") != true { return String(code) }
    return names[code].map { "\(code) (\($0))" } ?? String(code)
  }

  static func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    let first = story.firstClose
    for direction in Direction.allCases {
      guard let close = story.sides[direction].close else { continue }
      let isAnswer = first.map { $0.direction != direction } ?? false
      judge(close, direction, isAnswer ? first?.frame : nil, story, context, report)
    }
  }

  private static func judge(
    _ close: Frame, _ direction: Direction, _ answered: Frame?, _ story: SocketStory, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    let who = Wording.sender(direction).atSentenceStart
    func tell(
      _ info: RuleInfo, _ what: String, severity: Severity? = nil, cost: Cost = .none, causedBy: RuleID? = nil,
      _ further: [Evidence] = []
    ) {
      report(
        story.finding(
          info, direction, "\(who) \(what).", severity: severity, cost: cost, causedBy: causedBy,
          [.frame(close, direction, "Close")] + [Evidence.reason(close, direction)].compactMap { $0 } + further,
          in: context))
    }
    guard let code = close.closeCode else {
      if close.length == 0, close.isComplete, answered == nil { tell(empty, "closed without a code") }
      return
    }
    let isEcho = answered?.closeCode == code
    let echo = isEcho ? ", repeating the other side's" : ""
    switch code {
    case 1005, 1006, 1015:
      tell(
        reserved, "closed with code \(code), which must not be sent\(echo)", severity: isEcho ? .note : nil, cost: .none
      )
    case 0..<1000, 1004, 1016..<3000, 5000...:
      tell(
        invalid, "closed with code \(code), which does not exist\(echo)", severity: isEcho ? .note : nil, cost: .none)
    case 1002, 1003, 1007...1014:
      if answered == nil { judgeError(close, code, direction, story, context, tell) }
    case 3000..<5000:
      if answered == nil { tell(application, "closed with \(title(code, story.opening)), a code of the application") }
    default: break
    }
    if let answered, let asked = answered.closeCode, asked != code {
      tell(
        notEchoed, "answered Close \(asked) with \(code)",
        [.frame(answered, direction.opposite, "the Close it answers")])
    }
  }

  /// Who broke what the code complains of, where that was seen.
  private static func judgeError(
    _ close: Frame, _ code: UInt16, _ direction: Direction, _ story: SocketStory, _ context: FlowContext,
    _ tell: (RuleInfo, String, Severity?, Cost, RuleID?, [Evidence]) -> Void
  ) {
    let peer = direction.opposite
    let fault = story.sides[peer].fault
    let cause =
      [1002, 1003, 1007, 1009].contains(code) && (fault?.packet.number ?? .max) <= close.span.first.number
      ? fault?.rule : nil
    var further: [Evidence] = []
    if let before = story.sides[peer].last, before.span.first.number < close.span.first.number {
      further.append(.frame(before, peer, "the last frame before it: \(before.name), \(Wording.bytes(before.length))"))
    }
    tell(error, "closed with \(title(code, story.opening))", nil, .failed(.connection), cause, further)
  }
}
