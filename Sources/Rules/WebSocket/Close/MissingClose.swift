import Citation
import Events
import WebSocketSemantics

/// A connection that ended without a Close of either side, which APIs show as 1006.
struct MissingClose: Sendable {
  static let explanation = """
    TCP ended, and neither side had closed the WebSocket: APIs show 1006, which means only that. A process ended, a \
    page was left, a proxy ran into a timeout, or a server has no closing handshake.
    """
  static let fix = "Side that ended it: send a Close before ending TCP; where it is a proxy, see its timeouts."

  /// Why a WebSocket ends so, the surest first.
  static let causes: [RuleID] = [
    "ws/drop-after-ping", "ws/drop-after-64bit-length", "ws/drop-after-fragment", "ws/drop-after-opcode",
    "ws/http-inside", "ws/keepalive-timeout", "ws/idle-cut", "ws/hs-client-rejected", "ws/frame-truncated",
    "ws/app-error",
    "stream/silent-blackhole", "stream/peer-gone", "tcp/keepalive-fail", "tcp/host-silent", "tcp/connect-refused",
  ]

  /// A handler that fails upon a message ends the connection at once.
  private static let atOnce: Int64 = 50_000_000
  private static let messageFix = """
    Server: see its log at this message: a handler that failed ends so, and so does a process that died. Let it close with \
    a code (1011).
    """

  let end: SocketStory.End
  let silence: Int64
  let last: PacketRef
  let lastDirection: Direction
  /// A client that just leaves costs nothing.
  let cost: Cost
  private let story: SocketStory

  init?(_ socket: ClosedSocket, in context: FlowContext) {
    let story = socket.story
    guard let end = story.end, story.firstClose == nil, story.isWhole,
      let last = story.lastFrame ?? story.opening?.released.map({ ($0, story.client.opposite) })
    else { return nil }
    self.end = end
    self.story = story
    (self.last, lastDirection) = last
    silence = end.packet.time.since(last.0.time)
    let isExpected = end.by == story.client || Self.isGoodbye(socket, lastDirection, silence, in: context)
    cost = isExpected ? .none : .failed(.connection)
  }

  /// The client sent what is as long as MQTT's DISCONNECT, and the server ended TCP at once, as MQTT wants it.
  private static func isGoodbye(
    _ socket: ClosedSocket, _ last: Direction, _ silence: Int64, in context: FlowContext
  ) -> Bool {
    let story = socket.story
    guard socket.record.application == "MQTT", last == story.client, story.lastOpcode == .binary,
      let frame = story.sides[last].last, frame.length == 2
    else { return false }
    return silence <= context.crossing
  }

  var ending: Evidence {
    Evidence(.packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN") of \(Wording.sender(end.by))")
  }

  private var lastWords: String {
    guard story.lastFrame != nil else { return story.isStream ? "the answer" : "the 101" }
    return "the last frame, a \(story.lastOpcode.name) of \(Wording.sender(lastDirection))"
  }

  func finding(_ info: RuleInfo, in context: FlowContext) -> Finding {
    let victim = end.by.opposite
    let fault = story.sides[victim].fault.flatMap { fault in
      story.death(after: fault.packet, of: victim, in: context).map { _ in fault.rule }
    }
    var finding = story.finding(
      info, end.by,
      "\(Wording.sender(end.by).atSentenceStart) ended \(story.carrier) without a Close, \(Wording.after(silence)) \(lastWords): APIs show 1006.",
      cost: cost, causedBy: fault, [Evidence(.packet(last, lastDirection), lastWords), ending], in: context)
    let isMessage = story.lastOpcode == .text || story.lastOpcode == .binary
    // A reset may be that of a NAT, or of a host that was restarted, which do not know the connection.
    if isMessage, !end.isReset, lastDirection == story.client, end.by != story.client,
      silence <= Self.atOnce &+ (context.roundTrip.total ?? 0)
    {
      finding.fix = Self.messageFix
    }
    return finding
  }
}
