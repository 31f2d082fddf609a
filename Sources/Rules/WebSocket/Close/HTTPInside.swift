import Citation
import Events
import WebSocketSemantics

/// A response of HTTP inside a WebSocket.
enum HTTPInside: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/http-inside", severity: .error, summary: "A response of HTTP was written into an open WebSocket.",
    explanation: """
      The server's framework answered as it answers any request: the handler of the WebSocket failed, or returned without \
      closing it, and a page or an error was written where the client reads frames. Clients see a Close that makes no sense, \
      or reserved bits, and fail with 1002 or 1006. Behind the server's own Close it does no harm: nothing is read there.
      """,
    evidence: """
      The status line at a place where a frame should begin: its first two bytes would be the header of a Close with a \
      reserved bit, which no sender of frames writes. What comes behind it is not read.
      """,
    fix: """
      Server: find the error of this handler in its log at this time; close the WebSocket before the handler returns, and use \
      a server that takes the connection away from the framework.
      """,
    specifications: [.webSocket("5.2")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let frame = socket.record.sides[direction].response, let line = frame.statusLine else { return }
    let close = socket.story.close(of: direction)
    let words =
      "\(Wording.sender(direction).atSentenceStart) wrote a response of HTTP \(close == nil ? "into the open WebSocket" : "behind its Close")."
    report(
      socket.story.finding(
        info, direction, words, severity: close == nil ? nil : .note,
        cost: close == nil ? .failed(.connection) : .none,
        (close.map { [.frame($0, direction, "Close")] } ?? [])
          + [
            Evidence(
              .bytes(frame.span, direction), excerpt: Excerpt(line.span, isPayload: false), "where a frame should begin"
            )
          ], in: context))
  }
}
