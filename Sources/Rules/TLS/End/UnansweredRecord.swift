import Citation
import Events
import TLSSemantics

/// Data that nothing answered, seen by the records alone.
enum UnansweredRecord: TLSRule {
  static let info = RuleInfo(
    id: "tls/unanswered-record", severity: .error, confidence: .medium,
    summary: "The client sent data inside TLS, and the connection ended before one byte of an answer.",
    explanation: """
      What the records hold is not known without keys, but who spoke last is: the client sent data, and the server reset \
      the connection, or sent nothing but session tickets for as long as the client waited. That is a crash, a request \
      that hangs, a process that was replaced, or a proxy that lost its backend. Where the connection was used before, \
      the server may have been closing it when the request was sent.
      """,
    evidence: """
      The client's last record of more than \(TLSProfile.control) bytes, and what ended the connection. Without a reset, \
      only where the client waited for two seconds or the server closed, and the server sent nothing else but, in TLS 1.3, \
      two records of one length, as session tickets are, or, to a client that offers HTTP/2, its settings; data that was \
      sent over more than a second is meant for one direction. A connection that was used before counts where the client \
      offers HTTP and each of its messages had been followed by data of the server, which sent nothing on its own: that \
      is a warning, for the last one may have wanted no answer; so is a client that left, unless a small record of the server \
      came right before, which then is cited. Silent where records could be decrypted (then the rules of HTTP judge), where the server had said \
      close_notify before, and at a reset where the client had, or where the data is 30 s old: the connection was idle.
      """,
    fix: """
      Server: find this moment in its log. Client: SSLKEYLOGFILE beside the next capture shows which request it was. If a \
      connection used before is reset so, the client may repeat the request on a new one.
      """,
    specifications: [.rfc(8446, "4.6.1"), .rfc(8446, "6.1")], thresholds: [.helloPatience],
    causedBy: [
      "stream/cut-by-middlebox", "stream/peer-gone", "tls/alert-fatal", "tls/refused-late", "tcp/host-silent",
    ], since: "0.1")

  /// What the server sent last, where the client may have closed because of it.
  private static func refusal(_ story: TLSStory, behind asked: PacketRef) -> TLSRecord? {
    let server = story.session.sides[story.server].application
    guard let end = story.end, let last = server.last, last.isComplete,
      // Pings have all the same length.
      server.lengths.all.first(where: { $0.length == last.length }).map({ $0.count <= 2 }) ?? false,
      last.span.first.number > asked.number, last.released.number < end.packet.number,
      end.packet.time.since(last.released.time) <= Self.prompt &+ 2 &* (story.context.roundTrip.total ?? 0)
    else { return nil }
    return last
  }

  private static let prompt: Int64 = 20_000_000
  private static let longest: Int64 = 30_000_000_000
  private static let oneRequest: Int64 = 1_000_000_000

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let (client, server) = (story.session.sides[story.client], story.session.sides[story.server])
    guard story.isShut, story.isWhole, let asked = client.application.lastOfData, asked.isComplete,
      client.unfinished == nil, server.unfinished == nil, let end = story.end,
      end.packet.number > asked.released.number,
      server.closeNotify.map({ end.isClients && $0.number > end.packet.number }) ?? true
    else { return }
    let waited = end.packet.time.since(asked.released.time)
    let isSilent = story.sentNoData || story.sentSettingsOnly
    let isReset = end.isReset && end.by == story.server && client.closeNotify == nil
    let isLater = !isReset && !isSilent && story.leftUnanswered
    if isReset {
      let answered = server.application.last.map { $0.span.first.number > asked.span.first.number } ?? false
      guard isSilent || !answered, waited < longest else { return }
    } else {
      // What sends for long without an answer is meant for one direction, as logs are.
      guard isSilent || isLater, let first = client.application.first,
        isLater || asked.released.time.since(first.span.first.time) < Self.oneRequest,
        end.by == story.server || waited >= story.context.thresholds[.helloPatience]
      else { return }
    }
    if end.isClients, let refusal = refusal(story, behind: asked.released) {
      return report(
        story.finding(
          info, story.server,
          "The client sent \(Wording.bytes(UInt64(asked.length))) inside TLS; \(Wording.duration(refusal.released.time.since(asked.released.time))) later the server sent a record of \(Wording.bytes(UInt64(refusal.length))), too little for an answer, and the client closed right behind it.",
          cost: .failed(.exchange),
          [
            Evidence(.bytes(asked.span, story.client), "the client's last data"),
            Evidence(.bytes(refusal.span, story.server), "a refusal or a reset of the stream, by its length"),
            end.evidence,
          ]))
    }
    report(
      story.finding(
        info, story.server,
        "The client sent \(Wording.bytes(UInt64(asked.length))) inside TLS, and \(end.words) \(Wording.duration(waited)) later, without one byte of an answer.",
        severity: isLater || end.isClients ? .warning : nil,
        cost: .failed(.exchange),
        [
          Evidence(.bytes(asked.span, story.client), "the client's last data"),
          end.evidence,
        ]))
  }
}
