import Citation
import Events

/// Judges what a client did with an address that did not answer it, when the capture is read.
protocol FailedAddressRule: CaptureStoryRule where Story == FailedAddress {}

/// A client's first failure with an address that it was given for a name.
struct FailedAddress: Sendable {
  let first: AddressAttempt
  /// Those of all clients, in the order of their beginnings.
  let attempts: [AddressAttempt]
  let name: ResolvedNames.Name
  /// The newest SYN among the evicted attempts.
  let forgotten: Timestamp
  /// The end of the capture.
  let captured: Timestamp
}

struct AddressAttempt: Sendable {
  let id: FlowID
  let number: Int
  let client: IPAddress
  let server: Endpoint
  let opening: ConnectionOpening
  /// What ended it before there was an answer; nil where there was one.
  let failure: (packet: PacketRef, what: String)?
  /// The name that the client knows the address by; nil where the answer went to another address of the client.
  let name: String?
}

/// Attempts to reach addresses from DNS answers.
///
/// Bounded: the last `limit`. Everything before an evicted one is unknown.
struct AddressAttempts: Sendable {
  /// What one client did with one address.
  private struct Target: Hashable {
    var client: IPAddress
    var server: Endpoint
  }

  private static let limit = 2_048
  private var attempts: [AddressAttempt] = []
  private var oldest = 0
  /// The newest SYN among those evicted.
  private var forgotten = Timestamp(nanoseconds: .min)

  mutating func close(_ end: ConnectionEnd, _ names: ResolvedNames, in context: FlowContext) {
    guard let opening = context.opening, names.knows(context.server.address) else { return }
    let name = names.name(of: context.server.address, for: context.client.address)
    if let name, name.addresses.count == 1 { return }
    let attempt = AddressAttempt(
      id: context.id, number: context.number, client: context.client.address, server: context.server, opening: opening,
      failure: Self.failure(opening, end), name: name?.text)
    if attempts.count < Self.limit {
      attempts.append(attempt)
    } else {
      forgotten = max(forgotten, attempts[oldest].opening.syn.time)
      attempts[oldest] = attempt
      oldest = (oldest + 1) % Self.limit
    }
  }

  private static func failure(_ opening: ConnectionOpening, _ end: ConnectionEnd) -> (PacketRef, String)? {
    // Data without an answer is a capture that lacks one side.
    if opening.answer != nil || opening.isUsed { return nil }
    if let icmp = opening.unreachable { return (icmp, "an ICMP error") }
    if end.kind == .reset, let packet = end.packet { return (packet, "refused") }
    return (opening.lastSyn, opening.synCount > 1 ? "the last SYN, unanswered, too" : "unanswered")
  }

  func finish(_ capture: CaptureRecord, _ names: ResolvedNames) -> [FailedAddress] {
    guard let last = capture.lastTime else { return [] }
    let attempts = attempts.sorted { $0.id < $1.id }
    var seen: Set<Target> = []
    return attempts.compactMap { attempt in
      guard attempt.failure != nil,
        seen.insert(Target(client: attempt.client, server: attempt.server)).inserted,
        let name = attempt.name.flatMap({ names[$0] })
      else { return nil }
      return FailedAddress(first: attempt, attempts: attempts, name: name, forgotten: forgotten, captured: last)
    }
  }
}
