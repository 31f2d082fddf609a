import Citation
import Events

/// Data written to a peer that had closed, and dropped there.
enum WriteAfterPeerFIN: EndingRule {
  static let info = RuleInfo(
    id: "tcp/write-after-peer-fin", severity: .error,
    summary: "Data was sent to a peer that had already closed, and is lost.",
    explanation: """
      A FIN means only that its sender has no more to send, so a writer that never reads does not notice it: its next \
      write succeeds into the socket buffer, and so do the ones after it. When the peer's program has closed the \
      socket, its system answers whatever still comes with a reset and drops it. Everything since the last \
      acknowledgement is lost without an error on the write that lost it; the error comes one round trip later, on \
      another write, or never. And it is a lower bound: what the peer's system had acknowledged and its program never \
      read is lost, too.
      """,
    evidence: """
      The FIN, the first data sent after it, the last of the data that was never acknowledged, and the reset that \
      answers (or the timeout, where nothing answers). Data that is acknowledged after the FIN is a half-close and not \
      this; nor does a closing message of a few bytes, such as a TLS close alert, right before the writer's own FIN.
      """,
    fix: """
      Client: before each write check whether the peer has closed (a read that returns 0, or POLLRDHUP), read its last \
      data, and resume from the first lost byte on a new connection. Server: stop reading gracefully: send the error, \
      close only the sending side, and read until the client closes.
      """,
    specifications: [
      Specification("RFC 9293 §3.6", "https://www.rfc-editor.org/rfc/rfc9293#section-3.6"),
      Specification("RFC 1122 §4.2.2.13", "https://www.rfc-editor.org/rfc/rfc1122#section-4.2.2.13"),
    ],
    causedBy: [
      "http/keepalive-race", "http/early-response-lost", "http/early-response", "http/reply-after-close",
      "chunked/request-rejected-411-501",
      "http/upload-stall", "tcp/mss-blackhole", "stream/peer-gone",
    ], since: "0.1")

  static func judge(_ story: EndingStory, in context: FlowContext, report: (Finding) -> Void) {
    for writer in Direction.allCases {
      let peer = writer.opposite
      guard let fin = story.closedFirst(peer), let lost = story.lost(writer) else { continue }
      if writer == .toClient, lost.maySayGoodbye { continue }
      if story.hadFinished(writer) { continue }
      let reset = story.resetAfterFin(peer)
      let timeout = story.timeouts[writer].flatMap { $0.packet.number > fin.packet.number ? $0 : nil }
      guard let refused = reset ?? timeout else { continue }
      let first = story.late[writer]
      var evidence = [Evidence(.packet(fin.packet, peer), "\(Wording.sender(peer))'s FIN\(fin.dataWords)")]
      if let first { evidence.append(Evidence(.packet(first.packet, writer), "the first data after it")) }
      if let first, lost.packet.number != first.packet.number {
        evidence.append(Evidence(.packet(lost.packet, writer), "the last data, and never acknowledged"))
      } else if first == nil {
        evidence.append(
          Evidence(.packet(lost.packet, writer), "was under way when the FIN came, and was never acknowledged"))
      }
      evidence.append(
        reset == nil
          ? Evidence(.packet(refused.packet, writer), "retransmitted, because nothing answers")
          : Evidence(.packet(refused.packet, peer), "\(Wording.sender(peer))'s RST: the socket is closed"))
      evidence.sort { ($0.packet?.number ?? 0) < ($1.packet?.number ?? 0) }
      // A client that closes does not want the rest, and a few bytes may be a closing message.
      let isGoodbye = story.surelyLost(writer) == nil
      let isHurt = writer == .toServer && !isGoodbye
      report(
        Finding(
          info, severity: writer == .toServer ? nil : .warning,
          confidence: isGoodbye ? .low : context.isMidstream ? .medium : nil,
          subject: .connection(context.id), direction: writer, .lost(lost, after: fin, reset, writer),
          cost: isHurt ? .lost(bytes: UInt64(lost.range.count)) : .none,
          fix: writer == .toClient
            ? info.fix : isRefused(lost, after: fin, context) ? refusedFix : resumeFix(lost.range.lowerBound),
          evidence: evidence))
    }
  }
}

extension WriteAfterPeerFIN {
  private static let soon: Int64 = 1_000_000_000

  private static let refusedFix = """
    Server: it closed a new connection before it got a request: see its error log for a limit of connections or of \
    open files (nginx: worker_connections, worker_rlimit_nofile), or a listener that does not want this client.
    """

  /// The server closed as soon as it had accepted the connection.
  private static func isRefused(_ lost: TCPObservation, after fin: TCPObservation, _ context: FlowContext) -> Bool {
    lost.range.lowerBound == 0 && fin.range.upperBound == 0 && !context.isMidstream
      && fin.packet.time.since(context.firstPacket.time) <= soon
  }

  private static func resumeFix(_ offset: UInt64) -> String {
    """
    Client: check for the server's close before each write, read its last data, and resume from offset \
    \(Wording.number(offset)) on a new connection.
    """
  }
}

extension FindingMessage {
  fileprivate static func lost(
    _ lost: TCPObservation, after fin: TCPObservation, _ reset: TCPObservation?, _ writer: Direction
  ) -> Self {
    let late =
      lost.value > 0
      ? "\(Wording.sender(writer).atSentenceStart) sent \(Wording.count(lost.value, "segment")) of data after \(Wording.sender(writer.opposite))'s FIN"
      : "\(Wording.sender(writer).atSentenceStart) had data under way when \(Wording.sender(writer.opposite)) closed"
    let answer = reset == nil ? "and nothing answers" : "but answered with a reset"
    return """
      \(late): at least \(Wording.bytes(UInt64(lost.range.count))) from offset \
      \(Wording.number(lost.range.lowerBound)) on were never acknowledged, \(answer).
      """
  }
}
