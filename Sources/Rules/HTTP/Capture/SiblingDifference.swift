import Citation
import Events
import HTTPSemantics

/// A request that failed beside one like it that did not: what is different?
struct SiblingDifference: CaptureRule {
  static let info = RuleInfo(
    id: "http/sibling-difference", severity: .note, confidence: .medium,
    summary: "A request failed, and one like it that worked differs in a few bytes.",
    explanation: """
      The same method went to the same place twice; one answer was an error, the other was not. What the two requests do not \
      have in common is the first thing to look at: a letter of another case, a Host, a length, a field that is missing. It \
      is a comparison, not a verdict; the server's state may have changed between the two.
      """,
    evidence: """
      Both requests, at the smallest difference. Compared are version, framing, and fields; fields that differ on every \
      request (dates, lengths of bodies, trace and request ids) are left out, and so are those in which two successes \
      differ. A request that was answered 416 is not compared: its Range is meant. Values of Cookie, Authorization and \
      other secrets are compared and never shown.
      """,
    fix: "Repeat the failing request with its differences removed one by one, the smallest first.",
    specifications: [
      Specification("RFC 9110 §15.5", "https://www.rfc-editor.org/rfc/rfc9110#section-15.5")
    ],
    since: "0.1")

  /// A request that was answered.
  struct Asked: Sendable {
    let flow: FlowID
    let connection: Int
    let exchange: Int
    /// Of one that failed.
    let title: String
    let status: Status
    let request: Message
    let head: MessageHead
  }

  private struct Key: MixedKey {
    var method: Int
    /// A Host, or a server's endpoint.
    var place: Int
    var shape: Int

    @inline(__always)
    func mix(into mixer: inout WordMixer) {
      mixer.combine(method)
      mixer.combine(place)
      mixer.combine(shape)
    }
  }

  private struct Failure: Sendable {
    var asked: Asked
    var host: Key
    var server: Key
    /// The nearest success before it with the same Host, and the nearest on the same server with another one.
    var before: Asked?
    var elsewhere: Asked?
  }

  private struct Told: MixedKey {
    var host: Key
    var status: UInt16
  }

  /// 409 and 423 speak of the state of what is asked for, and 416 of Range.
  private static let selfExplaining: [UInt16] = [409, 416, 423]
  /// Heads that are longer are not kept, nor more failures that wait for a success after them.
  private static let headLimit = 4_096
  private static let waitLimit = 64

  /// The last two successes of a kind: by Host, and by server for a Host that is itself the difference.
  private var hosts = BoundedTable<Key, [Asked]>(limit: 64)
  private var servers = BoundedTable<Key, [Asked]>(limit: 64)
  private var failures: [Failure] = []
  /// One failure of a kind is enough.
  private var told = BoundedTable<Told, Bool>(limit: 1_024)

  mutating func observe(_ told: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, request, head, key) = (told.exchange, told.request, told.head, told.key)
    guard head.block.bytes.count <= Self.headLimit, exchange.status.code >= 200,
      !Self.selfExplaining.contains(exchange.status.code)
    else { return }
    let asked = Asked(
      flow: context.id, connection: context.number, exchange: exchange.number,
      title: exchange.status.isError ? exchange.title : "", status: exchange.status, request: request, head: head)
    let host = Key(method: key.method, place: key.asker.authority, shape: key.shape)
    let server = Key(method: key.method, place: key.server, shape: key.shape)
    if exchange.status.isError {
      fail(Failure(asked: asked, host: host, server: server), report)
    } else {
      succeed(asked, host, server, report)
    }
  }

  /// The capture is read: no success comes any more.
  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for failure in failures { resolve(failure, report) }
    failures.removeAll()
  }

  private mutating func fail(_ failure: Failure, _ report: (Finding) -> Void) {
    let key = Told(host: failure.host, status: failure.asked.status.code)
    guard !told.has(key) else { return }
    told.update(key, orMake: true) { _ in }
    var failure = failure
    failure.before = hosts[failure.host]?.last
    failure.elsewhere = servers[failure.server]?.last
    if failures.count == Self.waitLimit { resolve(failures.removeFirst(), report) }
    failures.append(failure)
  }

  private mutating func succeed(_ asked: Asked, _ host: Key, _ server: Key, _ report: (Finding) -> Void) {
    let matching = failures.filter { $0.host == host }
    if !matching.isEmpty {
      failures.removeAll { $0.host == host }
      for var failure in matching {
        failure.before = Self.nearer(failure.before, asked, to: failure.asked)
        resolve(failure, report)
      }
    }
    for index in failures.indices where failures[index].server == server {
      failures[index].elsewhere = Self.nearer(failures[index].elsewhere, asked, to: failures[index].asked)
    }
    Self.remember(asked, in: &hosts, host)
    Self.remember(asked, in: &servers, server)
  }

  private static func remember(_ asked: Asked, in table: inout BoundedTable<Key, [Asked]>, _ key: Key) {
    table.update(key, orMake: []) { successes in
      successes.append(asked)
      if successes.count > 2 { successes.removeFirst() }
    }
  }

  private static func nearer(_ before: Asked?, _ after: Asked, to failed: Asked) -> Asked {
    guard let before else { return after }
    let distance = { (one: Asked) -> UInt64 in
      let a = one.request.first.number
      let b = failed.request.first.number
      return a > b ? a - b : b - a
    }
    return distance(after) < distance(before) ? after : before
  }

  private func resolve(_ failure: Failure, _ report: (Finding) -> Void) {
    guard let sibling = failure.before ?? failure.elsewhere else { return }
    let failed = failure.asked
    var comparison = RequestComparison(failed.request, failed.head, sibling.request, sibling.head)
    // What two successes do not have in common is no reason to fail.
    if let successes = hosts[failure.host], successes.count == 2 {
      comparison.leaveOut(
        RequestComparison(successes[0].request, successes[0].head, successes[1].request, successes[1].head))
    }
    guard let smallest = comparison.differences.first else { return }
    report(
      Finding(
        Self.info, subject: .connection(failed.flow), exchange: failed.exchange, direction: .toServer,
        .differs(failed, sibling, comparison), cost: .none,
        fix: Self.info.fix,
        evidence: [
          evidence(failed, smallest.failed, "fails: \(failed.status.code)"),
          evidence(sibling, smallest.sibling, "works: \(sibling.status.code)"),
        ]
      ).on(failed.connection))
  }

  /// The field in which a request differs, or its head where it lacks it.
  private func evidence(_ asked: Asked, _ field: HeaderField?, _ note: String) -> Evidence {
    if let field { return .field(field, asked.head, .toServer, note) }
    return Evidence(.packet(asked.head.span.first, .toServer), note)
  }
}

extension FindingMessage {
  fileprivate static func differs(
    _ failed: SiblingDifference.Asked, _ sibling: SiblingDifference.Asked, _ comparison: RequestComparison
  ) -> Self {
    let shown = comparison.differences.prefix(5).map(\.text).joined(separator: "; ")
    let rest = comparison.differences.count - 5
    let more = rest > 0 ? "; and \(rest) more" : ""
    return """
      \(failed.title), and \(sibling.status.code) for one like it on connection #\(sibling.connection). What differs, \
      smallest first: \(shown)\(more).
      """
  }
}
