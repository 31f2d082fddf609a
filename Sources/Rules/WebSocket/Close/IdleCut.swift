import Citation
import Events

/// A silent WebSocket that a timeout ended.
enum IdleCut: SocketRule {
  static let info = RuleInfo(
    id: "ws/idle-cut", severity: .warning, confidence: .medium,
    summary: "A silent WebSocket was ended by a timer.",
    explanation: """
      Nothing was sent for as long as timeouts are, and then TCP ended without a Close, or with one whose reason names the \
      timer: a proxy or load balancer in front of the side that ended it, or that side itself, takes a silent connection \
      for a dead one. For defaults see `explain stream/cut-at-known-timeout`. nginx ends its hop to the server first, haproxy the one to the client.
      """,
    evidence: """
      The last frame, and the end. Inferred, unless the Close says so: the time is that of a round one, no more than a \
      hundredth sooner or two later; of whole seconds that no product has for a default, no more than 30 ms later.
      """,
    fix: "Server or client: send a ping at least every half of that time. Proxy: raise its timeout for WebSocket.",
    specifications: [.webSocket("5.5.2")], thresholds: [.idleCut], causedBy: ["tcp/keepalive-fail"], since: "0.1")

  /// What people set timeouts to besides the defaults of products, in seconds.
  private static let chosen: [Int64] = [3, 20, 45, 75, 90, 180, 600, 900, 1_800, 3_600, 4_000, 7_200]
  private static let timeouts = (chosen + KnownTimeout.silences).sorted()

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    if let said = said(socket, in: context) { return report(said) }
    // Timers are never exact, the shortest included.
    guard let missing = MissingClose(socket, in: context), case let silence = missing.silence,
      silence >= context.thresholds[.idleCut] / 100 * 99,
      let seconds = timeouts.first(where: { fits(silence, $0) }) ?? RoundSilence.seconds(silence)
    else { return }
    let who = Wording.sender(missing.end.by)
    report(
      socket.story.finding(
        info, missing.end.by,
        "Nothing was sent for \(Wording.duration(silence)), then \(who) ended \(socket.story.carrier): a timeout of \(seconds) s, of \(who) or of a hop in front of it.",
        cost: missing.cost,
        [Evidence(.packet(missing.last, missing.lastDirection), "the last frame of either side"), missing.ending],
        in: context))
  }

  /// Timers are late now and then, and hardly early: their clock may start with something that was not sent.
  private static func fits(_ silence: Int64, _ seconds: Int64) -> Bool {
    let late = silence &- seconds &* 1_000_000_000
    return (-10_000_000 &* seconds...20_000_000 &* seconds).contains(late)
  }

  /// A Close that says so: servlet containers and brokers name their timer.
  private static func said(_ socket: ClosedSocket, in context: FlowContext) -> Finding? {
    guard let (close, side) = socket.story.firstClose, let code = close.closeCode, code == 1000 || code == 1001,
      !close.closeReason.isEmpty, let reason = Evidence.reason(close, side)
    else { return nil }
    let text = String(decoding: close.closeReason, as: UTF8.self).lowercased()
    let silence = socket.story.silence.flatMap { $0.to == close.span.first ? $0 : nil }
    let waited = silence.map { $0.to.time.since($0.from.time) } ?? 0
    // RabbitMQ says that of whatever ended, too.
    guard text.contains("idle timeout") || text.hasSuffix(" died") && waited >= context.thresholds[.idleCut] else {
      return nil
    }
    let length = silence == nil ? "" : " after \(Wording.duration(waited)) without a frame"
    var evidence = [Evidence.frame(close, side, "Close \(code)"), reason]
    if let silence { evidence.insert(Evidence(.packet(silence.from, nil), "the last frame before the silence"), at: 0) }
    return socket.story.finding(
      info, side,
      "\(Wording.sender(side).atSentenceStart) closed the connection\(length), and its reason names a timer: the other side was silent for too long.",
      confidence: .high, cost: side == socket.story.client ? .none : .failed(.connection), evidence, in: context)
  }
}

extension Threshold {
  static let idleCut = Threshold(
    "ws.idle-cut", .nanoseconds, 3_000_000_000, "no timeout is shorter than this silence")
}
