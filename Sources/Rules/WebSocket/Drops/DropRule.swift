import Citation
import Events
import WebSocketSemantics

/// A server that ended TCP over a frame of one kind: all there is to say is a row.
protocol DropRule: SocketRule {
  static var row: DropRow { get }
}

struct DropRow: Sendable {
  static let evidence = """
    The frame, which is legal, and the FIN or RST right behind it, without a Close. A server that had taken the same \
    before is not meant.
    """
  static let unnoticed = "Handshake and short texts work with such servers, and so does every first test."
  static let specifications: [Specification] = [.webSocket("5.2"), .webSocket("5.4"), .webSocket("5.5")]

  let kind: Drops.Kind
  /// `a ping`
  let what: String
  /// Several opcodes are of this kind.
  let namesOpcode: Bool

  init(_ kind: Drops.Kind, _ what: String, namesOpcode: Bool = false) {
    self.kind = kind
    self.what = what
    self.namesOpcode = namesOpcode
  }
}

extension DropRule {
  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let (story, row) = (socket.story, row)
    let client = story.client
    guard let trigger = socket.drops.trigger(row.kind), let end = story.end, end.by == client.opposite,
      story.firstClose == nil, story.isWhole, !story.isMidstream, story.sides[client].fault == nil,
      end.packet.number > trigger.span.first.number,
      // A server that has something to say to it has taken it.
      story.sides[client.opposite].last.map({ $0.span.first.number < trigger.released.number }) ?? true
    else { return }
    let after = end.packet.time.since(trigger.released.time)
    guard after <= context.thresholds[.dropAfter] &+ (context.roundTrip.total ?? 0) else { return }
    let between = row.kind == .fragment && socket.drops.hasControlBetween ? ", with a control frame between them" : ""
    let detail = row.namesOpcode ? " (\(trigger.name))" : ""
    let unread = end.isReset ? "; the reset shows that bytes of it were not read" : ""
    report(
      story.finding(
        info, end.by,
        "The server ended \(story.carrier) \(after > 0 ? "\(Wording.duration(after)) after" : "over") \(row.what)\(between)\(detail), the first on this connection, without a Close\(unread).",
        cost: .failed(.connection),
        [
          .frame(trigger, client, "legal: \(trigger.name), \(Wording.bytes(trigger.length))"),
          Evidence(.packet(end.packet, end.by), "\(end.isReset ? "RST" : "FIN"), and no Close before it"),
        ], in: context))
  }
}
