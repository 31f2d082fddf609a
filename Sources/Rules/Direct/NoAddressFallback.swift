import Citation
import Events

/// A client that tries one address again and again, and no other.
enum NoAddressFallback: FailedAddressRule {
  static let info = RuleInfo(
    id: "direct/no-address-fallback", severity: .warning, confidence: .medium,
    summary: "The client tried one address again and again, and never the others it knew.",
    explanation: """
      The name has several addresses, and DNS gave the client all of them. One did not answer, or refused, and the \
      client went on with that one until it gave up. Connecting by name handles this: getaddrinfo returns the whole \
      list, and libraries try it side by side or in turn. A client that resolves names itself and connects only to the \
      first address fails as soon as that one server does.
      """,
    evidence: """
      The DNS answer with the addresses, the first and the last failed attempt and what became of them. The rule is \
      silent where the capture has no DNS answer for the address, where the other addresses are of the other family, \
      where any of them was tried within 10 s before or after, where the first address answered after all, and where \
      the capture ends within 10 s. Attempts of other programs behind the same client address count as its own.
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

  static func judge(_ story: FailedAddress, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let (first, attempts, name) = (story.first, story.attempts, story.name)
    let patience = max(0, thresholds[.addressFallback])
    let own = attempts.filter { $0.client == first.client && $0.server == first.server }
    let failed = own.filter { $0.failure != nil }
    guard let last = failed.last, let failure = first.failure, let lastFailure = last.failure,
      failed.reduce(0, { $0 + $1.opening.synCount }) >= UInt64(max(1, thresholds[.addressTries])),
      first.opening.syn.time.advanced(by: -patience) > story.forgotten,
      first.opening.syn.time.advanced(by: patience) <= story.captured,
      let told = name.client(first.client)?.told(about: first.server.address, before: first.opening.syn)
    else { return }
    let given = name.addresses(of: told)
    let others = given.filter { $0 != first.server.address }
    guard given.contains(first.server.address), !others.isEmpty else { return }
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
    if isTried { return }
    var evidence = [
      Evidence(.packet(told.packet, nil), "DNS: \(name.text) is \(Wording.addresses(given))"),
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
      info, subject: .connection(first.id), direction: .toServer,
      """
      The client tried \(first.server) \(tries) in \(Wording.duration(end.since(first.opening.syn.time))) without \
      success, and never \(Wording.addresses(others)), which DNS had given it for \(name.text), too.
      """,
      cost: .failed(.connection),
      fix: "Client: when \(first.server.address) fails, try \(Wording.addresses(others)).",
      evidence: evidence)
    finding.count = UInt64(failed.count)
    report(finding.on(first.number))
  }
}

extension Threshold {
  static let addressTries = Threshold("direct.tries", .count, 2, "SYNs to one address without success")
  static let addressFallback = Threshold(
    "direct.fallback", .nanoseconds, 10_000_000_000, "another address tried this late is no fallback")
}
