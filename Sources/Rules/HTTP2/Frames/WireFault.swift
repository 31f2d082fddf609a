import Citation
import Events
import HTTP2Semantics

/// What a side did wrong with frames or header blocks: the first time on its connection, and how often.
struct WireFault: Sendable {
  enum Kind: Hashable, Sendable {
    case frame(HTTP2Fault)
    case block(HTTP2BlockFault)
  }

  let kind: Kind
  let direction: Direction
  let exchange: Int?
  var count: UInt64 = 1
  /// What the other side said to it: a reset of the stream, or that it gives the connection up.
  var answer: HTTP2Frame?

  var stream: UInt32 {
    switch kind {
    case .frame(let fault): fault.frame.stream
    case .block(let fault): fault.stream
    }
  }

  /// The same kind of fault.
  func isLike(_ other: Kind) -> Bool {
    switch (kind, other) {
    case (.frame(let own), .frame(let other)): own.kind == other.kind
    case (.block(let own), .block(let other)): own.kind == other.kind
    case (.frame, .block), (.block, .frame): false
    }
  }
}

/// A rule that restates faults of frames or of header blocks: all it has to say are words.
///
/// Where the other side gives up the stream or the connection, it costs that; else it is lint.
protocol WireFaultRule: StoryRule where Story == WireFault {
  static var frames: Set<HTTP2Fault.Kind> { get }
  static var blocks: Set<HPACKFaultKind> { get }
  /// What the sender did, as the end of a sentence.
  static func words(_ fault: HTTP2Fault) -> String
  static func words(_ fault: HTTP2BlockFault) -> String
}

extension WireFaultRule {
  static var frames: Set<HTTP2Fault.Kind> { [] }
  static var blocks: Set<HPACKFaultKind> { [] }
  static func words(_ fault: HTTP2Fault) -> String { "" }
  static func words(_ fault: HTTP2BlockFault) -> String { "" }

  static func judge(_ story: WireFault, in context: FlowContext, report: (Finding) -> Void) {
    let words: String
    var evidence: [Evidence]
    switch story.kind {
    case .frame(let fault):
      guard frames.contains(fault.kind), !fault.isOlderVersion, story.answer != nil || !fault.mayBeAllowed(context)
      else { return }
      words = self.words(fault)
      let isFirst = fault.kind == .prefaceMissing
      let excerpt = isFirst ? Excerpt(fault.bytes.span, isPayload: false) : fault.frame.header
      evidence = [
        Evidence(
          .bytes(fault.frame.span, story.direction), excerpt: excerpt, isFirst ? "first bytes" : fault.frame.type.name)
      ]
    case .block(let fault):
      guard blocks.contains(fault.kind) else { return }
      words = self.words(fault)
      evidence = [Evidence(.bytes(fault.span, story.direction), "the instruction")]
    }
    var cost = Cost.none
    if let answer = story.answer {
      cost = .failed(answer.type == .goAway ? .connection : .exchange)
      evidence.append(
        Evidence(.bytes(answer.span, story.direction.opposite), excerpt: answer.header, answer.errorWords))
    }
    let sender = Wording.sender(story.direction)
    var finding = Finding(
      info, subject: .connection(context.id), exchange: story.exchange, direction: story.direction,
      "\(sender.prefix(1).uppercased())\(sender.dropFirst()) \(words).", cost: cost, fix: info.fix, evidence: evidence)
    finding.count = story.count
    report(finding)
  }
}

extension HTTP2Fault {
  /// The server answers in HTTP/1, which has a rule of its own.
  fileprivate var isOlderVersion: Bool { kind == .prefaceMissing && bytes.starts(with: Array("HTTP/1.".utf8)) }

  /// What the other side said before the capture, or where it was not captured, may have allowed it.
  fileprivate func mayBeAllowed(_ context: FlowContext) -> Bool {
    if kind == .frameTooLarge { return context.isOneSided || context.isMidstream }
    return kind.dependsOnOther && context.isOneSided
  }
}

extension HTTP2Frame {
  /// The code of RST_STREAM and GOAWAY.
  // Inlined into a rule twice, it makes the optimizer of Swift 6.3.1 fail (CopyPropagation).
  @inline(never)
  var errorCode: HTTP2ErrorCode? {
    switch payload {
    case .reset(let code): code
    case .goAway(_, let code, _, _): code
    default: nil
    }
  }

  var errorWords: String { "\(type.name) \(errorCode?.name ?? "")" }
}

/// Gathers the faults of a connection until it is over.
struct WireFaults: ConnectionWatcher {
  static var interests: EventKinds { .http2 }
  private static let limit = 64

  private var faults: [WireFault] = []

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .http2Fault(let fault, let direction, let key): note(.frame(fault), direction, key?.number)
    case .http2BlockFault(let fault, let direction): note(.block(fault), direction, nil)
    case .http2Frame(let frame, let direction, _): if !faults.isEmpty { noteAnswer(frame, direction) }
    case .http2Closed:
      for fault in faults {
        for rule in RuleIndex.wireFaultRules { rule.judge(fault, in: context, report: report) }
      }
      faults = []
    default: break
    }
  }

  private mutating func note(_ kind: WireFault.Kind, _ direction: Direction, _ exchange: Int?) {
    if let at = faults.firstIndex(where: { $0.direction == direction && $0.isLike(kind) }) {
      faults[at].count += 1
    } else if faults.count < Self.limit {
      faults.append(WireFault(kind: kind, direction: direction, exchange: exchange))
    }
  }

  private mutating func noteAnswer(_ frame: HTTP2Frame, _ direction: Direction) {
    guard let code = frame.errorCode, code != .noError else { return }
    for at in faults.indices where faults[at].direction != direction && faults[at].answer == nil {
      // A fault of a header block ends the connection, or was accepted: then the stream is no longer wanted.
      if case .block = faults[at].kind, code == .cancel { continue }
      if frame.type == .goAway || frame.stream == faults[at].stream { faults[at].answer = frame }
    }
  }
}
