import Citation
import Events
import TLSSemantics

/// A pause in a steady stream of the server, seen by the records alone.
enum StreamStall: TLSRule {
  static let info = RuleInfo(
    id: "tls/stream-stall", severity: .warning, confidence: .low,
    summary: "A steady stream of the server paused inside TLS.",
    explanation: """
      Tokens of a model, and events that are sent by the clock, come at a beat, and records show it without keys. A pause \
      of many beats, after which the stream goes on as before, is seen by every reader. The client asked for nothing \
      meanwhile, and no packet was lost: the server, or what is behind it, had nothing to send, or a proxy held it and \
      dropped it.
      """,
    evidence: """
      The records before and after the longest pause: of two seconds and of ten beats at least, with 16 records at a steady \
      beat before it and eight behind. No other pause of that kind was half as long. Packets of \
      the server that its IP identifications count and that never came are told: then it went on, and the network lost \
      them. Pauses in which the client sent \
      something, or behind which what was missing came at once, do not count. What was decrypted is judged by the rules of \
      HTTP.
      """,
    fix: """
      Server or proxy: find this moment in its log (the source of the stream, a worker that was busy, a collector of \
      garbage). Client: SSLKEYLOGFILE beside the next capture shows which response it was.
      """,
    specifications: [.rfc(8446, "5.1")],
    causedBy: ["tcp/retransmission-gap", "tcp/zero-window", "tcp/path-stall", "tcp/host-silent"], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let (beat, pause) = (story.session.beat, story.session.beat.longest)
    guard story.isShut, beat.usual > 0, pause.isAlone, story.isWhole(story.server), !story.context.isOneSided,
      !story.watch.isTroubled(story.server, pause.from, pause.to),
      !story.watch.isTroubled(story.client, pause.from, pause.to)
    else { return }
    let lost = story.watch.lost.flatMap {
      $0.direction == story.server && $0.from.number >= pause.from.number && $0.to.number <= pause.to.number ? $0 : nil
    }
    let words = lost.map {
      " It sent \(Wording.count(UInt64($0.unseen), "packet")) meanwhile that did not come this far."
    }
    var finding = story.finding(
      info, story.server,
      "The server's records stopped for \(Wording.duration(pause.nanoseconds)) inside TLS; before and behind they come every \(Wording.duration(beat.usual)).\(words ?? "")",
      cost: .delay(nanoseconds: pause.nanoseconds),
      [
        Evidence(.packet(pause.from, story.server), "the last record before the pause"),
        Evidence(
          .packet(pause.to, story.server),
          lost == nil ? "the next one" : "the next one, of which the IP identification has jumped"),
      ])
    if lost != nil { finding.fix = RetransmissionGap.lostUpstreamFix }
    report(finding)
  }
}
