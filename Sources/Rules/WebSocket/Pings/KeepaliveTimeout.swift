import Citation
import Events
import WebSocketSemantics

/// A side that gave the other up for dead.
enum KeepaliveTimeout: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/keepalive-timeout", severity: .warning, confidence: .medium,
    summary: "A side ended the connection because its pings were not answered.",
    explanation: """
      A keep-alive took the other side for dead. It may be: asleep, gone from the network, its program blocked; or \
      something between drops pings and pongs. Python's websockets sends Close 1011 and "keepalive ping timeout". \
      Socket.IO and Phoenix have heartbeats of their own, which are messages.
      """,
    evidence: """
      The first ping without a pong, and the Close or the end of TCP of the side that had sent it, which had time to wait for \
      the pong. Or a ping, the end of TCP of its sender, and a pong that comes long after both. Or a \
      message of one byte with which the server of Engine.IO asks, none of the client behind it, and the server's end. Or \
      a silence as long as the open packet of Engine.IO or the CONNECT of MQTT allow, and the end by the side that waited; \
      where the open packet is not known, a silence of whole seconds in which a client of Engine.IO asked twice. Or the \
      reason of a Close.
      """,
    fix: "The other side: answer pings from the loop that reads. Sender: allow more time where clients sleep.",
    specifications: [.webSocket("5.5.2"), .webSocket("7.4.1")], thresholds: [.keepAliveWait],
    causedBy: [
      "stream/silent-blackhole", "stream/peer-gone", "tcp/retransmission-gap", "tcp/path-stall", "tcp/host-silent",
    ], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    let open = socket.pings.sides[direction].ledger.open
    let close = story.close(of: direction)
    // Not the answer to the other side's Close, which repeats its code and reason.
    let isFirst = close.map { $0.released == story.firstClose?.frame.released } ?? false
    let unanswered = open.isEmpty ? lateAnswered(direction, socket, close) : open
    // Reasons are looked into where there may be one: to search a text takes long.
    let mayBe = isFirst && close.map { !$0.closeReason.isEmpty } == true
    let saysSo = mayBe && close.map { isTimeout(text($0).lowercased()) } == true
    if !saysSo, let silent = UnansweredHeartbeat(direction, socket, context) {
      return report(silent.finding(info, in: context))
    }
    if !saysSo, let silent = SilentPeer(direction, socket, context) { return report(silent.finding(info, in: context)) }
    if let late = LatePong(direction, socket, context) { return report(late.finding(info, in: context)) }
    guard saysSo || hasGivenUp(direction, open, story, context), story.isWhole else { return }
    var evidence = unanswered.first.map { [Evidence.frame($0, direction, "the first ping without a pong")] } ?? []
    let end: PacketRef
    if saysSo, let close {
      evidence.append(.frame(close, direction, "Close\(close.closeCode.map { " \($0)" } ?? "")"))
      if let reason = Evidence.reason(close, direction) { evidence.append(reason) }
      end = close.released
    } else if let tcp = story.end {
      evidence.append(Evidence(.packet(tcp.packet, direction), "\(Wording.sender(direction)) ends TCP"))
      end = tcp.packet
    } else {
      return
    }
    let waited =
      unanswered.first.map { ", \(Wording.duration(end.time.since($0.released.time))) after the first of them" } ?? ""
    let every =
      unanswered.count > 1
      ? ", sent every \(Wording.duration(unanswered[1].released.time.since(unanswered[0].released.time)))" : ""
    let count = unanswered.isEmpty ? "pings" : Wording.count(UInt64(unanswered.count), "ping")
    // Without a ping of its own, it speaks of heartbeats that are messages.
    if unanswered.isEmpty, let close, let (ping, pong) = socket.pings.sides[direction].newest,
      pong.released.number < close.released.number
    {
      return report(late(ping, pong, close, evidence, direction, story, in: context))
    }
    let what =
      unanswered.isEmpty && socket.pings.sides[direction].sent == 0
      ? "heartbeats that were not answered, as its Close says" : "\(count) without a pong\(every)\(waited)"
    report(
      story.finding(
        info, direction, "\(Wording.sender(direction).atSentenceStart) ended the connection over \(what).",
        confidence: saysSo ? .high : .medium, cost: .failed(.connection), evidence, in: context))
  }

  /// Its pings had been answered, as far as this point can see: the pongs did not arrive, or late.
  private static func late(
    _ ping: Frame, _ pong: Frame, _ close: Frame, _ evidence: [Evidence], _ direction: Direction, _ story: SocketStory,
    in context: FlowContext
  ) -> Finding {
    let took = Wording.duration(pong.released.time.since(ping.released.time))
    let before = Wording.duration(close.released.time.since(pong.released.time))
    var finding = story.finding(
      info, direction,
      "\(Wording.sender(direction).atSentenceStart) ended the connection over pings, as its Close says; the last one was answered here after \(took), \(before) before.",
      confidence: .medium, cost: .failed(.connection),
      [.frame(ping, direction, "the last ping"), .frame(pong, direction.opposite, "its pong")] + evidence, in: context)
    finding.fix = """
      Network: find what held or lost packets on the way to the side that left: its pings were answered. Sender: allow more \
      time for pongs.
      """
    return finding
  }

  /// It ended TCP without a word, with pings open of which the first was waited for.
  private static func hasGivenUp(
    _ direction: Direction, _ open: [Frame], _ story: SocketStory, _ context: FlowContext
  ) -> Bool {
    guard let end = story.end, end.by == direction, story.firstClose == nil, let first = open.first else {
      return false
    }
    // One is enough (OkHttp leaves after one): a pong takes a round trip, and whatever else comes shows that the path is
    // there.
    let patience = max(context.thresholds[.keepAliveWait], 4 &* (context.roundTrip.total ?? 0))
    return end.packet.time.since(first.released.time) >= patience
  }

  /// Python's websockets, tornado, and what was written after them.
  private static func isTimeout(_ reason: String) -> Bool {
    ["ping time", "pong time", "heartbeat time", "keepalive time"].contains { reason.contains($0) }
  }

  /// A ping whose pong came when its sender had said Close.
  private static func lateAnswered(_ direction: Direction, _ socket: ClosedSocket, _ close: Frame?) -> [Frame] {
    guard let close, let slowest = socket.pings.sides[direction].slowest,
      slowest.ping.released.number < close.released.number, close.released.number < slowest.pong.released.number
    else { return [] }
    return [slowest.ping]
  }

  private static func text(_ close: Frame) -> String { String(decoding: close.closeReason, as: UTF8.self) }
}

extension Threshold {
  static let keepAliveWait = Threshold(
    "ws.keepalive-wait", .nanoseconds, 1_000_000_000, "a ping this old when its sender leaves was waited for")
}
