import Citation
import Events
import WebSocketSemantics

/// A rule that restates one property of a message. The first of a direction is quoted, the others are counted; reported
/// when the connection is over, as its cost is known then.
protocol SocketMessageRule: Rule {
  /// Among what breaks the protocol: of several faults of one message, the one of the lowest rank explains that the peer
  /// ends the connection. nil for what breaks nothing.
  static var violationRank: Int? { get }
  static func find(in message: WebSocketMessage) -> SocketMessageFault?
}

struct SocketMessageFault: Sendable {
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

/// The first message of each fault in each direction, and how many there are.
struct SocketMessageFaults: Sendable {
  private struct Sighting: Sendable {
    var rule: Int
    var fault: SocketMessageFault
    var count: UInt64 = 1
  }

  private static let rules = RuleIndex.socketMessageRules.sorted {
    ($0.violationRank ?? .max, $0.info.id) < ($1.violationRank ?? .max, $1.info.id)
  }

  private var found = BothDirections<[Sighting]>(repeating: [])

  mutating func observe(_ message: WebSocketMessage, _ story: inout SocketStory) {
    guard !message.isUsual else { return }
    for (index, rule) in Self.rules.enumerated() {
      guard let fault = rule.find(in: message) else { continue }
      if rule.violationRank != nil { story.note(fault: rule.info.id, message.span.first, message.direction) }
      if let at = found[message.direction].firstIndex(where: { $0.rule == index }) {
        found[message.direction][at].count += 1
      } else {
        found[message.direction].append(Sighting(rule: index, fault: fault))
      }
    }
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      for sighting in found[direction] {
        let rule = Self.rules[sighting.rule]
        let fault = sighting.fault
        let death = rule.violationRank != nil ? story.death(after: fault.packet, of: direction, in: context) : nil
        report(
          story.finding(
            rule.info, direction, "\(Wording.sender(direction).atSentenceStart) sent \(fault.what).",
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

  /// Common limits are far below.
  static let hugeSize: UInt64 = 16 << 20

  /// What most messages are: no rule about single messages applies to them.
  @inline(__always)
  fileprivate var isUsual: Bool {
    guard case .notCompressed = inflation else { return false }
    return utf8 == nil && bytes <= Self.hugeSize
  }
}
