import Citation
import Events
import HTTP2Semantics

/// Streams that were dropped.
enum ClosedWithOpenStreams: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/closed-with-open-streams", severity: .error,
    summary: "A server closed a connection with streams open, and without GOAWAY.",
    explanation: """
      The client cannot know whether its requests were processed: repeating them may do things twice. It is what a \
      crash, a deploy or a time limit of a proxy looks like.
      """,
    evidence: """
      The end of the connection, behind the first packets of the streams. Where all of them were opened behind it, it is a \
      warning: the client used a connection that was closed.
      """,
    fix: "Server: send GOAWAY, wait for the streams, then close.",
    specifications: [.goAways], causedBy: ["tcp/connect-refused"], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let newest = story.cut.last, story.goAways.isEmpty, context.closedBy == .toClient,
      // A reset that answers the client's FIN is no decision of the server; one that follows its own FIN answers what the
      // client sent on.
      let end = context.firstEnd ?? context.closedAt, context.closing.firstBy != .toServer,
      story.beginning != .midstream, story.last.toClient != nil, !story.hasHoles.toClient
    else { return }
    let cut = story.cut.filter { ($0.request?.first ?? .none).number < end.number }
    guard !cut.isEmpty else {
      if let asked = newest.request { report(late(newest, asked.first, behind: end, context)) }
      return
    }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: cut.count == 1 ? cut[0].number : nil,
        direction: .toClient,
        "The server closed the connection with \(Wording.count(UInt64(cut.count), "stream")) open, and without GOAWAY.",
        cost: .failed(.exchange), fix: info.fix,
        evidence: [Evidence(.packet(end, .toClient), "the end of the connection")]))
  }

  /// The client opened streams when the server had closed an idle connection.
  private static func late(
    _ exchange: ExchangeRecord, _ asked: PacketRef, behind end: PacketRef, _ context: FlowContext
  ) -> Finding {
    Finding(
      info, severity: .warning, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
      "\(exchange.title): the client sent the request \(Wording.duration(asked.time.since(end.time))) after the server had closed the connection, without GOAWAY.",
      cost: .failed(.exchange),
      fix: lateFix,
      evidence: [
        Evidence(.packet(end, .toClient), "the server closes, with no stream open"),
        Evidence(.packet(asked, .toServer), "the request"),
      ])
  }

  private static let lateFix = """
    Client: drop a connection when the server closes it, and repeat the request on another one: it was not processed. \
    Server: send GOAWAY before closing an idle connection.
    """
}
