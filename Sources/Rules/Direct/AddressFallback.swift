import Citation
import Events

/// A client that tries one address again and again, and no other.
///
/// Bounded: the last `limit` attempts to reach addresses that somebody was told for a name. An attempt that had to be
/// forgotten makes everything before it unknown.
struct AddressFallback: Sendable {
  static let info = RuleInfo(
    id: "direct/no-address-fallback", severity: .warning, confidence: .medium,
    summary: "The client tried one address again and again, and never the others it knew.",
    explanation: """
      The name has several addresses, and the client was told all of them. One did not answer, or refused, and the client \
      went on with that one until it gave up. Connecting by name does this right without anybody's help: getaddrinfo gives \
      the whole list, and libraries go through it, side by side or in turn. A client that resolves names itself and \
      connects to the first address loses that, and is down as soon as one server of many is.
      """,
    evidence: """
      The DNS answer with the addresses, the first and the last failed attempt and what became of them. Nothing is said \
      where the capture has no answer for the address, where the other addresses are of the other family, where any of \
      them was tried within 10 s before or after, where the first address answered after all, and where the capture ends \
      within 10 s. Attempts of other programs behind the same client address count as its own.
      """,
    fix: """
      Client: try the addresses of the list in turn, with 250 ms between them (RFC 8305), or let the library connect to \
      the name. Server: take dead addresses out of DNS.
      """,
    specifications: [
      Specification("RFC 8305 §5", "https://www.rfc-editor.org/rfc/rfc8305#section-5"),
      Specification("RFC 1123 §2.3", "https://www.rfc-editor.org/rfc/rfc1123#section-2.3"),
    ],
    thresholds: [.addressTries, .addressFallback], since: "0.1")

  private struct Attempt: Sendable {
    let id: FlowID
    let number: Int
    let client: IPAddress
    let server: Endpoint
    let opening: ConnectionOpening
    /// What ended it before there was an answer; nil where there was one.
    let failure: (packet: PacketRef, what: String)?
    /// The name that the client knows the address by; nil where it was told by way of another address of its own.
    let name: String?
  }

  /// What one client did with one address.
  private struct Target: Hashable {
    var client: IPAddress
    var server: Endpoint
  }

  private static let limit = 2_048
  private var attempts: [Attempt] = []
  private var oldest = 0
  /// The newest SYN among those forgotten.
  private var forgotten = Timestamp(nanoseconds: .min)

  mutating func close(_ end: ConnectionEnd, _ names: ResolvedNames, in context: FlowContext) {
    guard let opening = context.opening, names.knows(context.server.address) else { return }
    let name = names.name(of: context.server.address, for: context.client.address)
    if let name, name.addresses.count == 1 { return }
    let attempt = Attempt(
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

  func finish(
    _ capture: CaptureRecord, _ names: ResolvedNames, _ thresholds: Thresholds, report: (Finding) -> Void
  ) {
    guard let last = capture.lastTime else { return }
    let attempts = attempts.sorted { $0.id < $1.id }
    var told: Set<Target> = []
    for attempt in attempts where attempt.failure != nil {
      guard told.insert(Target(client: attempt.client, server: attempt.server)).inserted,
        let name = attempt.name.flatMap({ names[$0] }),
        let finding = judge(attempt, attempts, name, thresholds, until: last)
      else { continue }
      report(finding)
    }
  }

  /// `first` is the first failure of a client with an address.
  private func judge(
    _ first: Attempt, _ attempts: [Attempt], _ name: ResolvedNames.Name, _ thresholds: Thresholds,
    until captured: Timestamp
  ) -> Finding? {
    let patience = max(0, thresholds[.addressFallback])
    let own = attempts.filter { $0.client == first.client && $0.server == first.server }
    let failed = own.filter { $0.failure != nil }
    guard let last = failed.last, let failure = first.failure, let lastFailure = last.failure,
      failed.reduce(0, { $0 + $1.opening.synCount }) >= UInt64(max(1, thresholds[.addressTries])),
      first.opening.syn.time.advanced(by: -patience) > forgotten,
      first.opening.syn.time.advanced(by: patience) <= captured,
      let told = name.client(first.client)?.told(about: first.server.address, before: first.opening.syn)
    else { return nil }
    let given = name.addresses(of: told)
    let others = given.filter { $0 != first.server.address }
    guard given.contains(first.server.address), !others.isEmpty else { return nil }
    let from = first.opening.syn.time.advanced(by: -patience)
    let end = max(lastFailure.packet.time, last.opening.lastSyn.time)
    let to = end.advanced(by: patience)
    let isTried = attempts.contains { other in
      // The same host has another address in the other family.
      let isSame =
        other.client == first.client
        || (other.opening.linkSource != 0 && other.opening.linkSource == first.opening.linkSource)
      return isSame && other.opening.syn.time >= from && other.opening.syn.time <= to
        && (other.server == first.server ? other.failure == nil : name.addresses.contains(other.server.address))
    }
    if isTried { return nil }
    var evidence = [
      Evidence(.packet(told.packet, nil), "DNS: \(name.text) is \(ConnectMismatch.list(given))"),
      Evidence(.packet(first.opening.syn, .toServer), "SYN to \(first.server)"),
    ]
    if failure.packet != first.opening.syn { evidence.append(Evidence(.packet(failure.packet, nil), failure.what)) }
    if failed.count > 1 {
      evidence.append(Evidence(.packet(last.opening.syn, .toServer), "the same address again"))
      if lastFailure.packet != last.opening.syn {
        evidence.append(Evidence(.packet(lastFailure.packet, nil), lastFailure.what))
      }
    }
    let tries = Wording.count(failed.reduce(0) { $0 + $1.opening.synCount }, "time")
    var finding = Finding(
      Self.info, subject: .connection(first.id), direction: .toServer,
      """
      The client tried \(first.server) \(tries) in \(Wording.duration(end.since(first.opening.syn.time))) \
      without success, and never \(ConnectMismatch.list(others)), which it had been given for \(name.text), too.
      """,
      cost: .failed(.connection),
      fix: "Client: when \(first.server.address) fails, try \(ConnectMismatch.list(others)).",
      evidence: evidence)
    finding.count = UInt64(failed.count)
    return finding.on(first.number)
  }
}
