import Citation
import Events
import WebSocketSemantics

/// A code that complains.
enum CloseErrorCode: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-error-code", severity: .warning,
    summary: "A connection was closed with an error code.",
    explanation: """
      The side that closes gives the reason: 1002 protocol error, 1003 unsupported data, 1007 no UTF-8, 1008 policy, \
      1009 too large, 1010 an extension is missing, 1011 internal error, 1012 restart, 1013 try again later, 1014 bad \
      gateway. The application on the other side receives the code.
      """,
    evidence: """
      The Close, its reason, which is payload, and the last frame of the other side before it. A Close behind the other \
      side's FIN or reset complains of that, and is not counted.
      """,
    fix: "Sender of what the code reports: correct it; for 1011 to 1014, see the log of the side that closed.",
    specifications: [.webSocket("7.4.1")], causedBy: ["ws/keepalive-timeout", "tcp/connect-refused"], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = SentClose(direction, of: socket), let code = close.code, close.answered == nil,
      !context.hasEnded(direction.opposite, before: close.frame.span.first)
    else { return }
    switch code {
    case 1002, 1003, 1007...1014: break
    default: return
    }
    // Who broke what the code complains of, where that was seen.
    let peer = direction.opposite
    let fault = socket.story.sides[peer].fault
    let cause =
      [1002, 1003, 1007, 1009].contains(code) && (fault?.packet.number ?? .max) <= close.frame.span.first.number
      ? fault?.rule : nil
    var further: [Evidence] = []
    if let before = socket.story.sides[peer].last, before.span.first.number < close.frame.span.first.number {
      further.append(.frame(before, peer, "the last frame before it: \(before.name), \(Wording.bytes(before.length))"))
    }
    var finding = close.finding(
      info, "closed with \(close.title(code))", cost: .failed(.connection), causedBy: cause, further, in: context)
    if code == 1009 { finding.fix = limitFix(direction) }
    report(finding)
  }

  private static func limitFix(_ direction: Direction) -> String {
    let (own, other) = direction == .toClient ? ("Server", "Client") : ("Client", "Server")
    return """
      \(own): raise the largest message that it takes (websockets: max_size; aiohttp: max_msg_size; node's ws: maxPayload). \
      \(other): send smaller messages.
      """
  }
}
