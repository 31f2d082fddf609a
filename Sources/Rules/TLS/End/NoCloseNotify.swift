import Citation
import Events
import TLSSemantics

/// An end without close_notify.
enum NoCloseNotify: TLSSideRule {
  static let info = RuleInfo(
    id: "tls/no-close-notify", severity: .warning,
    summary: "A side ended the connection without close_notify, the alert that marks the end of its data.",
    explanation: """
      Any hop can forge a FIN, so TLS has an end of its own: close_notify. Without it the receiver cannot distinguish \
      the end from a truncation. It is common, and harmless where messages have lengths. It is not where a body ends \
      with the connection, or a record is cut in its middle: libraries then report an error (OpenSSL 3: unexpected \
      eof), or worse, none.
      """,
    evidence: """
      The side's last record, and its FIN or reset. In TLS 1.3 without secrets close_notify is recognised by its \
      length: a last record that can only hold an alert is taken for it. A side that closes after the other's \
      close_notify need not send one. Silent where bytes are missing in the capture.
      """,
    fix: "Sender: close TLS (SSL_shutdown, or the library's orderly close) before closing the socket.",
    specifications: [.rfc(8446, "6.1"), .rfc(5246, "7.2.1")], since: "0.1")

  /// A server that resets so soon behind its data was sending; one that reset an idle connection was not.
  private static let prompt: Int64 = 1_000_000_000
  /// Tickets, and an answer in one piece.
  private static let fewRecords: UInt64 = 3

  static func judge(
    _ direction: Direction, of story: TLSStory, in context: FlowContext, report: (Finding) -> Void
  ) {
    let side = story.session.sides[direction]
    let peer = direction.opposite
    guard let end = story.watch.ends[direction], side.closeNotify == nil,
      let last = side.unfinished.flatMap({ $0.type == .applicationData ? $0 : nil }) ?? side.application.last,
      story.isWhole(direction), story.isReadToEnd(direction), !story.context.isMidstream, !story.context.isOneSided,
      story.hello != nil, story.phases.serverHello != nil, last.span.first.number <= end.packet.number,
      !isAlertEnded(direction, story)
    else { return }
    let cut = last.isComplete ? nil : UInt64(clamping: max(1, last.missing))
    let body = direction == story.server && !end.isReset ? story.watch.closeDelimited : nil
    // Behind the other's end there is nothing left to say.
    let peers = [story.watch.ends[peer]?.packet, story.session.sides[peer].closeNotify].compactMap { $0 }
    let isAnswer = peers.contains { $0.number < end.packet.number }
    guard !isAnswer || cut != nil || body != nil else { return }
    let what = end.isReset ? "a reset" : "a FIN"
    var text = "\(Wording.sender(direction).atSentenceStart) ends the connection with \(what) and no close_notify"
    var cost = Cost.none
    if let cut {
      text += ", in the middle of a record: at least \(Wording.bytes(cut)) are missing"
      cost = .lost(bytes: cut)
    } else if end.isReset, direction == story.server, story.isShut, !isAnswer,
      side.application.count > Self.fewRecords, !story.sentNoData,
      end.packet.time.since(last.released.time) < Self.prompt
    {
      text +=
        " \(Wording.duration(end.packet.time.since(last.released.time))) behind its data, which may have been cut off"
      cost = .failed(.connection)
    } else if body != nil {
      text += "; the end of the body is the end of the connection, and nothing shows that it was complete"
      cost = .failed(.exchange)
    }
    report(
      story.finding(
        info, direction, text + ".",
        confidence: side.application.count > 0 && story.session.opening == .opened ? nil : .medium, cost: cost,
        exchange: cut == nil ? body?.exchange : nil,
        [
          Evidence(.bytes(last.span, direction), cut == nil ? "its last record" : "a record without its end"),
          Evidence(.packet(end.packet, direction), "\(what), and no close_notify before it"),
        ]))
  }

  /// A fatal alert is an end as good as close_notify.
  private static func isAlertEnded(_ direction: Direction, _ story: TLSStory) -> Bool {
    story.session.alerts.contains { seen in
      seen.alert.map { $0.isFatal(in: story.session.version ?? .tls12) } ?? true
    }
  }
}
