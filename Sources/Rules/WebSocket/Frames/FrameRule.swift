import Citation
import Events
import WebSocketSemantics

/// What a single frame is judged by.
struct FrameTerms: Sendable {
  var isClients: Bool
  /// permessage-deflate is agreed, or what was agreed is not known.
  var mayCompress: Bool
  /// An extension that this program does not know gives reserved bits a meaning.
  var isExtended: Bool
}

/// A rule that restates one property of a frame.
///
/// Reported once for each direction when the connection is over, with the first such frame and their number: what it
/// cost is known then. Its first bytes say it all, so that it holds for a frame whose rest never came.
protocol FrameRule: Rule {
  /// Among what breaks the protocol, so that the peer may end the connection for it: of several faults of one frame, the
  /// one of the lowest rank explains that. nil for what breaks nothing.
  static var violationRank: Int? { get }
  /// The first byte of the header shows it: it holds for a frame whose header broke off.
  static var isOfFirstByte: Bool { get }
  /// What is wrong with the frame, as the end of a sentence.
  static func find(in frame: Frame, _ terms: FrameTerms) -> String?
}

extension FrameRule {
  static var isOfFirstByte: Bool { false }
}
