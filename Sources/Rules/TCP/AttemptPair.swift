import Citation
import Events

/// Judges two attempts to connect to what looks like one service.
protocol AttemptRule: CaptureStoryRule where Story == AttemptPair {}

/// An attempt that was of no use, and the next one, by an address of the other family, which was.
struct AttemptPair: Sendable {
  let first: ConnectAttempt
  let second: ConnectAttempt
  /// The second one's SYN-ACK.
  private let answer: PacketRef

  init?(_ first: ConnectAttempt, _ second: ConnectAttempt) {
    guard let answer = second.opening.answer, second.opening.isUsed else { return nil }
    self.first = first
    self.second = second
    self.answer = answer
  }

  var stagger: Int64 { second.opening.syn.time.since(first.opening.syn.time) }

  /// The client waited for the first attempt, and noticeably long.
  func isLate(_ thresholds: Thresholds) -> Bool {
    (first.answered.map { $0 > stagger } ?? true) && stagger >= thresholds[.fallbackDelay]
  }

  /// What became of each.
  var words: String {
    let outcome =
      first.failure.map { $0.what == "refused" ? "was refused" : "was answered by an ICMP error" }
      ?? first.answered.map { "was answered after \(Wording.duration($0)) and not used" } ?? "got no answer"
    return "\(first.server) \(outcome); \(second.server) was tried \(Wording.duration(stagger)) later and works."
  }

  var evidence: [Evidence] {
    var evidence = [Evidence(.packet(first.opening.syn, .toServer), "SYN to \(first.server.address)")]
    if let failure = first.failure, failure.packet.number < answer.number {
      evidence.append(Evidence(.packet(failure.packet, nil), failure.what))
    }
    evidence.append(Evidence(.packet(second.opening.syn, .toServer), "SYN to \(second.server.address)"))
    evidence.append(Evidence(.packet(answer, .toClient), "this one is answered"))
    return evidence
  }
}

/// A connection that was begun, and what became of it.
struct ConnectAttempt: Sendable {
  let id: FlowID
  let number: Int
  let client: IPAddress
  let server: Endpoint
  let opening: ConnectionOpening
  let end: ConnectionEnd
  /// The rule of how long a try may take before it counts as slow needs the answer's time.
  var answered: Int64? { opening.answer.map { $0.time.since(opening.syn.time) } }
  /// What ended it before it was of any use.
  var failure: (packet: PacketRef, what: String)? {
    if opening.isUsed { return nil }
    if opening.answer == nil, let icmp = opening.unreachable { return (icmp, "an ICMP error answers it") }
    if opening.answer == nil, end.kind == .reset, let packet = end.packet { return (packet, "refused") }
    return nil
  }
}
