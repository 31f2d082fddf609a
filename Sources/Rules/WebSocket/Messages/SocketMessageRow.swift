import Citation
import Events
import WebSocketSemantics

/// A rule that restates one property of a message: a row of a table. The first of a direction is quoted, the others are
/// counted; told when the connection is over, as what it cost is known then.
struct SocketMessageRow: Sendable {
  struct Fault: Sendable {
    /// As the end of a sentence: `a text message …`
    var what: String
    var packet: PacketRef
    var excerpt: Excerpt?

    init(_ what: String, _ packet: PacketRef, _ excerpt: Excerpt? = nil) {
      self.what = what
      self.packet = packet
      self.excerpt = excerpt
    }
  }

  typealias Find = @Sendable (WebSocketMessage, DeflateTerms?) -> Fault?

  let info: RuleInfo
  let isViolation: Bool
  let find: Find

  init(_ info: RuleInfo, isViolation: Bool = true, _ find: @escaping Find) {
    self.info = info
    self.isViolation = isViolation
    self.find = find
  }

  static let rows: [SocketMessageRow] = [
    MessageFaults.text, CompressedMessages.broken, CompressedMessages.window, CompressedMessages.takeover,
    CompressedMessages.tail, CompressedMessages.final, CompressedMessages.bomb, MessageFaults.huge,
  ]
}

extension SocketMessageRow {
  /// What most messages are: nothing of the table applies to them.
  @inline(__always)
  fileprivate static func isUsual(_ message: WebSocketMessage) -> Bool {
    guard case .notCompressed = message.inflation else { return false }
    return message.utf8 == nil && message.bytes <= MessageFaults.large
  }
}

/// The first message of each row in each direction, and how many there are.
struct MessageFindings: Sendable {
  private struct Sighting: Sendable {
    var row: Int
    var fault: SocketMessageRow.Fault
    var count: UInt64 = 1
  }

  private var found = BothDirections<[Sighting]>(repeating: [])

  mutating func observe(_ message: WebSocketMessage, _ terms: DeflateTerms?, _ story: inout SocketStory) {
    guard !SocketMessageRow.isUsual(message) else { return }
    for (index, row) in SocketMessageRow.rows.enumerated() {
      guard let fault = row.find(message, terms) else { continue }
      if row.isViolation { story.note(fault: row.info.id, message.span.first, message.direction) }
      if let at = found[message.direction].firstIndex(where: { $0.row == index }) {
        found[message.direction][at].count += 1
      } else {
        found[message.direction].append(Sighting(row: index, fault: fault))
      }
    }
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      for sighting in found[direction] {
        let row = SocketMessageRow.rows[sighting.row]
        let fault = sighting.fault
        let death = row.isViolation ? story.death(after: fault.packet, of: direction, in: context) : nil
        report(
          story.finding(
            row.info, direction, "\(Wording.sender(direction).atSentenceStart) sent \(fault.what).",
            cost: death == nil ? .none : .failed(.connection),
            [Evidence(.packet(fault.packet, direction), excerpt: fault.excerpt, "found here")]
              + [death].compactMap { $0 }, count: sighting.count, in: context))
      }
    }
  }
}

extension WebSocketMessage {
  /// `text message 3`: counted from 1, as people count.
  var title: String { "\(opcode.name) message \(Wording.number(index &+ 1))" }
}
