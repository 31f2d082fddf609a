import Citation
import Events
import HTTP2Semantics

/// A connection that was given up.
enum GoAwayError: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/goaway-error", severity: .error,
    summary: "A side gave the connection up with an error.",
    explanation: """
      All streams that were open are lost. The code says what the other side is accused of; INTERNAL_ERROR is the \
      sender's own fault, ENHANCE_YOUR_CALM answers floods.
      """,
    evidence: "The GOAWAY, and what the other side had said last before it.",
    fix: "Look at the frames before it: the receiver of the GOAWAY sent one that its sender refuses.",
    specifications: [.goAways, .errorCodes],
    causedBy: [
      "h2/frame-size", "h2/frame-stream", "h2/frame-state", "h2/frame-after-end", "h2/padding-invalid", "h2/stream-id",
      "h2/settings-invalid", "h2/push-forbidden", "h2/window-exceeded", "h2/window-overflow", "h2/window-update-zero",
      "h2/hpack-index", "h2/hpack-size-update", "h2/hpack-malformed", "h2/continuation-flood", "h2/preface-missing",
      "h2/prior-knowledge-refused",
      "h2/settings-flood", "h2/reset-flood",
    ], since: "0.1")

  private static let ownFix = """
    Sender of the GOAWAY: INTERNAL_ERROR is its own failure, or the way it stops at once (grpcio's stop without a grace \
    period): look at its log at this time.
    """

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let mark = story.goAways.first(where: { $0.frame.errorCode != .noError }), let code = mark.frame.errorCode,
      code != .http11Required, !story.isTooManyPings(mark)
    else { return }
    let isOwn = code == .internalError
    // Some servers end an unused connection with an error, and say so: gRPC's C-core.
    let isIdle = mark.saysIdle && story.cut.isEmpty
    report(
      Finding(
        info, severity: isIdle ? .note : nil, subject: .connection(context.id), direction: mark.direction,
        "\(Wording.sender(mark.direction).atSentenceStart) \(isIdle ? "ended an idle connection" : "gave the connection up") with \(code.name).",
        cost: isIdle ? .none : .failed(.connection), fix: isIdle ? nil : isOwn ? Self.ownFix : info.fix,
        evidence: [mark.evidence("GOAWAY \(code.name)")] + (isIdle ? [] : mark.debugText)))
  }
}

extension ControlStory.Mark {
  /// What its sender wrote beside the code.
  fileprivate var debugText: [Evidence] {
    guard case .goAway(_, _, let debug, _) = frame.payload, !debug.isEmpty else { return [] }
    return [Evidence(.bytes(frame.span, direction), excerpt: Excerpt(debug.span, isPayload: true), "its text")]
  }

  /// A GOAWAY whose text is about an idle connection.
  fileprivate var saysIdle: Bool {
    guard case .goAway(_, _, let debug, _) = frame.payload else { return false }
    return String(decoding: debug.prefix(64), as: UTF8.self).lowercased().contains("idle")
  }
}

extension ControlStory {
  /// It accuses the client of pings, which has a rule of its own.
  func isTooManyPings(_ mark: Mark) -> Bool {
    guard case .goAway(_, .enhanceYourCalm, let debug, _) = mark.frame.payload else { return false }
    return debug.starts(with: Array("too_many_pings".utf8))
  }
}
