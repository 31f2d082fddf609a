import Citation
import Events
import WebSocketSemantics

/// What a single frame is judged by.
struct FrameTerms: Sendable {
  var isClients: Bool
  /// permessage-deflate is agreed, or nobody saw what was.
  var mayCompress: Bool
  /// An extension that this program does not know gives reserved bits a meaning.
  var isExtended: Bool
}

/// A rule that restates one property of a frame: a row of a table.
///
/// Told once for each direction when the connection is over, with the first such frame and their number: what it cost is
/// known then. Its first bytes say it all, so that it holds for a frame whose rest never came.
struct FrameRule: Sendable {
  typealias Find = @Sendable (Frame, FrameTerms) -> String?

  let info: RuleInfo
  /// Whether it breaks the protocol, so that the peer may end the connection for it.
  let isViolation: Bool
  /// The first byte of the header says it: it holds for a frame whose header broke off.
  let isOfFirstByte: Bool
  /// What is the matter with the frame, as the end of a sentence.
  let find: Find

  init(_ info: RuleInfo, isViolation: Bool = true, isOfFirstByte: Bool = false, _ find: @escaping Find) {
    self.info = info
    self.isViolation = isViolation
    self.isOfFirstByte = isOfFirstByte
    self.find = find
  }

  static let rows: [FrameRule] = HeaderFaults.rows + ControlFaults.rows + CompressionBits.rows

  /// What most frames are: nothing of the table applies to them.
  @inline(__always)
  static func isUsual(_ frame: Frame, _ terms: FrameTerms) -> Bool {
    guard frame.headerReleased != nil, frame.isMasked == terms.isClients, frame.isFinal, !frame.opcode.isReserved,
      frame.opcode != .close,
      frame.reserved == 0 || frame.reserved == 4 && terms.mayCompress && (1...2).contains(frame.opcode.rawValue)
    else { return false }
    switch frame.lengthForm {
    case .short: return true
    case .extended16: return frame.length > 125 && !frame.opcode.isControl
    case .extended64: return false
    }
  }
}

/// The first frame of each row in each direction, and how many there are.
struct FrameFaults: Sendable {
  private struct Sighting: Sendable {
    var row: Int
    var frame: Frame
    var what: String
    var count: UInt64 = 1
  }

  private var found = BothDirections<[Sighting]>(repeating: [])

  mutating func observe(_ frame: Frame, _ direction: Direction, _ terms: FrameTerms, _ story: inout SocketStory) {
    guard !FrameRule.isUsual(frame, terms) else { return }
    let isWhole = frame.headerReleased != nil
    guard isWhole || !frame.header.bytes.isEmpty else { return }
    for (index, row) in FrameRule.rows.enumerated() where isWhole || row.isOfFirstByte {
      guard let what = row.find(frame, terms) else { continue }
      if row.isViolation { story.note(fault: row.info.id, frame.span.first, direction) }
      if let at = found[direction].firstIndex(where: { $0.row == index }) {
        found[direction][at].count += 1
      } else {
        found[direction].append(Sighting(row: index, frame: frame, what: what))
      }
    }
  }

  func close(_ story: SocketStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      for sighting in found[direction] {
        let row = FrameRule.rows[sighting.row]
        let death = row.isViolation ? story.death(after: sighting.frame.span.first, of: direction, in: context) : nil
        let more = sighting.count > 1 ? "; \(Wording.number(sighting.count)) frames in all" : ""
        report(
          story.finding(
            row.info, direction, "\(Wording.sender(direction).atSentenceStart) sent \(sighting.what)\(more).",
            cost: death == nil ? .none : .failed(.connection),
            [Evidence.frame(sighting.frame, direction, sighting.what)] + [death].compactMap { $0 },
            count: sighting.count, in: context))
      }
    }
  }
}
