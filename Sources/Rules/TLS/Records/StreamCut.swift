import Citation
import Events
import TLSSemantics

/// A steady stream of the server that stopped before its end, seen by the records alone.
enum StreamCut: TLSRule {
  static let info = RuleInfo(
    id: "tls/stream-cut", severity: .warning, confidence: .low,
    summary: "A steady stream of the server stopped inside TLS, and then the connection ended.",
    explanation: """
      Tokens of a model, and events that are sent by the clock, come at a beat, and records show it without keys. A body \
      that is over ends with something short: the last chunk of HTTP/1.1, an empty frame of HTTP/2. Here nothing of that \
      kind stood behind the last record; nothing came for many beats, and then a timer of a proxy or of the server ended \
      it, or the client gave up.
      """,
    evidence: """
      The last record of the stream, and what ended it: the end of the connection, or a record as long as a reset of a \
      stream of HTTP/2 (13 bytes) or, after a whole number of seconds, as its end (9). Before them were ten records at a \
      steady beat, and the last is as long as those; two seconds and ten beats passed without data, and without a request \
      of the client or a lost packet. Where the end of a body stood in one record with its last data, this is the timer of \
      an idle connection. What was decrypted is judged by the rules of HTTP.
      """,
    fix: """
      Server or proxy: find this moment in its log, and what gave the stream no data from then on (its source, the origin, \
      a worker). Client: SSLKEYLOGFILE beside the next capture shows which response it was.
      """,
    specifications: [
      .rfc(8446, "5.1"), Specification("RFC 9113 §6.4", "https://www.rfc-editor.org/rfc/rfc9113#section-6.4"),
    ],
    causedBy: [
      "tcp/retransmission-gap", "tcp/zero-window", "tcp/path-stall", "tcp/host-silent", "stream/peer-gone",
      "stream/cut-by-middlebox", "tcp/connect-refused",
    ], since: "0.1")

  private static let timerFix = """
    Proxy or server: find this moment in its log; a read timer (nginx proxy_read_timeout, HAProxy timeout server) ends \
    streams like this, and the source of the stream gave no data from then on. Sender: send a comment, an empty message \
    or a ping before half the time is over.
    """

  private static let pathFix = """
    Network: find what was down from the last record on, until the client left: a link, a route, a firewall, the host \
    itself. Capture on the other side.
    """

  /// What a frame of HTTP/2 takes: its head, and a code.
  private static let reset = 13
  private static let emptyFrame = 9

  private struct Stop {
    let packet: PacketRef
    let words: String
    let evidence: Evidence
    var isClients = false
    /// What the client sent when it left, where nothing acknowledged it.
    var unanswered: PacketRef?
    var confidence: Confidence?
  }

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard story.isShut, story.isWhole(story.server), !story.context.isOneSided,
      let stopped = story.session.beat.stopped, let stop = stop(of: stopped, story),
      !story.watch.isTroubled(story.server, stopped.last, stop.packet),
      !story.watch.isTroubled(story.client, stopped.last, stop.unanswered ?? stop.packet)
    else { return }
    let silence = Wording.duration(stop.packet.time.since(stopped.last.time))
    var finding = story.finding(
      info, story.server,
      "The server's records came every \(Wording.duration(stopped.beat)) inside TLS and stopped; \(silence) later \(stop.words).",
      confidence: stop.confidence, cost: .failed(.exchange),
      [Evidence(.packet(stopped.last, story.server), "the last record of the stream"), stop.evidence])
    if stop.unanswered != nil { finding.fix = pathFix } else if !stop.isClients { finding.fix = timerFix }
    report(finding)
  }

  private static func stop(of stopped: TLSBeat.Stopped, _ story: TLSStory) -> Stop? {
    if let farewell = stopped.farewell { return streamEnd(farewell, behind: stopped.last, story) }
    guard let end = story.end, story.session.beat.isPause(end.packet) else { return nil }
    // A side that answers close_notify may send its FIN first.
    if let notify = story.session.sides[story.server].closeNotify, notify.number < end.packet.number {
      guard story.session.beat.isPause(notify) else { return nil }
      return Stop(
        packet: notify, words: "the server closed the connection",
        evidence: Evidence(.packet(notify, story.server), "close_notify"))
    }
    let unanswered = story.context.unanswered.flatMap {
      $0.direction == story.client && $0.from.number == stopped.last.number ? $0.packet : nil
    }
    return Stop(
      packet: end.packet, words: end.words + (unanswered == nil ? "" : ", and nothing acknowledged that"),
      evidence: end.evidence, isClients: end.isClients, unanswered: unanswered)
  }

  /// The server ended one stream of HTTP/2 and kept the connection.
  private static func streamEnd(
    _ farewell: (record: TLSRecord, size: Int), behind last: PacketRef, _ story: TLSStory
  ) -> Stop? {
    let packet = farewell.record.span.first
    let isReset = farewell.size == reset
    guard story.offers("h2"),
      isReset || farewell.size == emptyFrame && RoundSilence.seconds(packet.time.since(last.time)) != nil
    else { return nil }
    return Stop(
      packet: packet,
      words:
        "the server sent a record of \(Wording.bytes(UInt64(farewell.record.length))), as long as the \(isReset ? "reset" : "end") of a stream",
      evidence: Evidence(
        .bytes(farewell.record.span, story.server),
        isReset ? "RST_STREAM, by its length" : "an empty frame, by its length"),
      confidence: isReset ? .medium : nil)
  }
}
