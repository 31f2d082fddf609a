import Citation
import Events
import WebSocketSemantics

/// A server that ends TCP over a frame that it has to understand.
///
/// The trigger is the client's last frame, legal, the first of its kind on the connection, and TCP ends right behind it
/// without a Close. One that survived the same before did not die of it now.
struct DropAfter: Sendable {
  private enum Kind: Int, CaseIterable, Sendable { case long, fragment, ping, opcode }

  static let infos: [RuleInfo] = Kind.allCases.map(info)

  private static let table: [(id: RuleID, what: String, why: String, fix: String)] = [
    (
      "ws/drop-after-64bit-length", "a frame with a 64-bit length",
      "Messages of 65,536 bytes and more have their length in eight bytes. A server that does not know the form ends each connection at the first such message.",
      "Server: read lengths in all three forms."
    ),
    (
      "ws/drop-after-fragment", "a message in fragments",
      "Clients may cut any message into fragments, and browsers do with large ones. A server that does not know continuations ends each connection at the first.",
      "Server: join fragments until FIN is set."
    ),
    (
      "ws/drop-after-ping", "a ping",
      "A ping is to be answered with a pong at any time. Clients and proxies use pings to keep connections alive, which end this one.",
      "Server: answer each ping with a pong of the same payload."
    ),
    (
      "ws/drop-after-opcode", "a binary message or a pong",
      "Text is not all there is: binary messages and unasked pongs are legal. A server that knows text only ends each connection at the first.",
      "Server: take binary messages, or refuse them with Close 1003; read over pongs."
    ),
  ]

  private static func info(_ kind: Kind) -> RuleInfo {
    let row = table[kind.rawValue]
    return RuleInfo(
      id: row.id, severity: .error, confidence: kind == .ping || kind == .long ? .high : .medium,
      summary: "The server ended TCP over \(row.what).",
      explanation:
        "\(row.why) Handshake and short texts work with such servers, and so does every first test.",
      evidence: """
        The frame, which is legal, and the FIN or RST right behind it, without a Close. A server that had taken the same \
        before is not meant.
        """,
      fix: row.fix, specifications: [.webSocket("5.2"), .webSocket("5.4"), .webSocket("5.5")],
      thresholds: [.dropAfter], since: "0.1")
  }

  /// How often the client sent each kind.
  private var counts = [UInt64](repeating: 0, count: Kind.allCases.count)
  private var lastKind: Kind?
  /// The client's last frame before the end of TCP.
  private var last: Frame?

  mutating func observe(_ frame: Frame, _ story: SocketStory) {
    guard !story.isAfterEnd(frame) else { return }
    last = frame
    lastKind = nil
    if frame.lengthForm == .extended64 {
      note(.long)
    } else if frame.opcode == .continuation {
      // Of the message that is counted already.
      lastKind = .fragment
    } else if !frame.opcode.isControl, !frame.isFinal {
      note(.fragment)
    } else if frame.opcode == .ping {
      note(.ping)
    } else if frame.opcode == .binary || frame.opcode == .pong {
      note(.opcode)
    }
  }

  mutating func observe(_ frames: [PlainFrame], _ story: SocketStory) {
    var final: PlainFrame?
    for frame in frames where frame.direction == story.client && !story.isAfterEnd(frame.packet) {
      if frame.opcode == .binary { counts[Kind.opcode.rawValue] += 1 }
      final = frame
    }
    guard let final else { return }
    last = final.frame
    lastKind = final.opcode == .binary ? .opcode : nil
  }

  private mutating func note(_ kind: Kind) {
    counts[kind.rawValue] += 1
    lastKind = kind
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    let client = story.client
    guard let kind = lastKind, counts[kind.rawValue] == 1, let end = story.end, end.by == client.opposite,
      story.firstClose == nil, story.isWhole, !story.isMidstream, story.sides[client].fault == nil,
      let trigger = last, end.packet.number > trigger.span.first.number
    else { return }
    let after = end.packet.time.since(trigger.released.time)
    guard after <= context.thresholds[.dropAfter] &+ (context.roundTrip.total ?? 0) else { return }
    let info = Self.info(kind)
    let detail = kind == .opcode || kind == .fragment ? " (\(trigger.name))" : ""
    let unread = end.isReset ? "; the reset says that bytes of it were not read" : ""
    report(
      story.finding(
        info, end.by,
        "The server ended TCP \(after > 0 ? "\(Wording.duration(after)) after" : "over") \(Self.table[kind.rawValue].what)\(detail), the first on this connection, without a Close\(unread).",
        cost: .failed(.connection),
        [
          .frame(trigger, client, "legal: \(trigger.name), \(Wording.bytes(trigger.length))"),
          Evidence(.packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN"), and no Close before it"),
        ], in: context))
  }
}
