import Citation
import Events
import HTTPSemantics

/// A client that is redirected in a circle.
///
/// Where one of the targets answers in between, it is none: a page that sets a cookie redirects each new visit once.
/// Bounded: the newest `limit` targets that redirect.
struct RedirectLoop: CaptureRule {
  static let info = RuleInfo(
    id: "http/redirect-loop", severity: .error,
    summary: "A client was redirected in a circle.",
    explanation: """
      Each answer sends the client on, and the last one back to where it was. Browsers give up after some twenty rounds ("too \
      many redirects"), other clients after five to fifty; nothing is shown. Behind a proxy that ends TLS it is most often the \
      redirect from http to https, answered to a request that had come over https; between pages it is most often a session \
      that one of them does not find.
      """,
    evidence: """
      The first redirect of one of the targets with its Location, and the last request for it. The same client was redirected \
      from each target of the circle at least three times, with no more than two seconds between them, and got no other answer \
      there. Where a Location changes to https, which this capture does not show, a proxy must have passed the requests on, \
      five of them: a client that does not follow, a health check for example, asks again, too.
      """,
    fix: """
      Server: let one of these places answer: look for a cookie that is not set, or not sent back (its Domain, Path, Secure, \
      SameSite), and for rules that undo each other (with and without www, or a slash at the end). Proxy that ends TLS: set \
      X-Forwarded-Proto, and let the application trust it.
      """,
    specifications: [
      Specification("RFC 9110 §15.4", "https://www.rfc-editor.org/rfc/rfc9110#section-15.4")
    ],
    thresholds: [.redirectRounds], since: "0.1")

  private struct Round: Sendable {
    let key: RequestKey.Same
    let asker: Asker
    /// Path and query, and those of the Location.
    let target: String
    let next: String
    /// The Location changes to https, which this capture may not show.
    let isUpgrade: Bool
    var first: SeenExchange
    var location: Evidence
    var begun: PacketRef
    var last: PacketRef
    var count: Int64 = 1
  }

  private static let limit = 64
  private static let longestCircle = 5
  private static let longestLocation = 4_096
  private static let pause: Int64 = 2_000_000_000
  private static let upgradeRounds: Int64 = 5

  private var rounds: [Round] = []

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = asked.exchange.response, !asked.exchange.isPairingUnsure else { return }
    guard [301, 302, 303, 307, 308].contains(asked.exchange.status.code) else {
      if !rounds.isEmpty {
        let key = RequestKey.Same(asked.key)
        rounds.removeAll { $0.key == key }
      }
      return
    }
    guard let field = response.head?.block.value("location"), field.utf8.count <= Self.longestLocation,
      let location = Evidence.field("location", of: response, "and is sent here"),
      let next = Location(field, from: asked.head, isSecure: context.isSecure),
      !next.isUpgrade || asked.head.isForwarded
    else { return }
    let asker = asked.key.asker
    let target = String(asked.head.targetText.prefix { $0 != "#" })
    let request = asked.request.first
    let at = rounds.firstIndex { $0.asker == asker && $0.target == target && $0.next == next.target }
    if let at, request.time.apart(from: rounds[at].last.time) <= Self.pause {
      rounds[at].count += 1
      if request.number > rounds[at].last.number { rounds[at].last = request }
      return
    }
    // Of what goes in a circle the first time is enough.
    if let at {
      guard rounds[at].count < context.thresholds[.redirectRounds] else { return }
      rounds.remove(at: at)
    } else if rounds.count == Self.limit {
      rounds.remove(at: rounds.firstIndex { $0.count < context.thresholds[.redirectRounds] } ?? 0)
    }
    rounds.append(
      Round(
        key: RequestKey.Same(asked.key), asker: asker, target: target, next: next.target, isUpgrade: next.isUpgrade,
        first: SeenExchange(asked, in: context), location: location, begun: request, last: request))
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    var left = rounds.filter { $0.count >= ($0.isUpgrade ? Self.upgradeRounds : thresholds[.redirectRounds]) }
    left.sort { $0.begun.number < $1.begun.number }
    while let first = left.first {
      let circle = Self.circle(from: first, left)
      if circle.isEmpty {
        left.removeFirst()
      } else {
        left.removeAll { round in circle.contains { $0.begun == round.begun } }
        report(Self.finding(circle))
      }
    }
    rounds.removeAll()
  }

  /// The targets by which it leads back to itself; none where it does not.
  private static func circle(from first: Round, _ rounds: [Round]) -> [Round] {
    var circle = [first]
    while let last = circle.last, last.next != first.target {
      guard circle.count < longestCircle,
        let next = rounds.first(where: { $0.asker == first.asker && $0.target == last.next })
      else { return [] }
      circle.append(next)
    }
    return circle
  }

  private static func finding(_ circle: [Round]) -> Finding {
    let first = circle[0]
    let others = circle.dropFirst().map(\.first.title).joined(separator: ", ")
    let way = others.isEmpty ? "to the same place" : "by \(others), and back"
    let times = Wording.count(UInt64(first.count), "time")
    return first.first.finding(
      info, .toClient,
      "\(first.first.title): the client was redirected in a circle, \(way)\(first.isUpgrade ? " with https" : ""), \(times) in \(Wording.duration(first.last.time.since(first.begun.time))).",
      cost: .failed(.exchange),
      evidence: [
        Evidence(.packet(first.begun, .toServer), "the client asks"), first.location,
        Evidence(.packet(first.last, .toServer), "and asks for the same, the last time"),
      ])
  }
}

/// Where a redirect leads on the same host.
private struct Location {
  /// Path and query.
  let target: String
  let isUpgrade: Bool

  init?(_ text: String, from head: MessageHead, isSecure: Bool) {
    let place = text.prefix { $0 != "#" }
    let scheme = place.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    guard place[scheme.endIndex...].hasPrefix("://") else {
      guard place.hasPrefix("/"), !place.hasPrefix("//") else { return nil }
      (target, isUpgrade) = (String(place), false)
      return
    }
    let rest = place[scheme.endIndex...].dropFirst(3)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let own = head.authority.map { head.block.text(of: $0.value) }
    guard authority.lowercased() == own?.lowercased() else { return nil }
    let path = rest[authority.endIndex...]
    target = path.hasPrefix("/") ? String(path) : "/" + path
    isUpgrade = !isSecure && scheme.lowercased() == "https"
  }
}

extension Threshold {
  static let redirectRounds = Threshold("http.redirect-rounds", .count, 3, "so many rounds are a circle")
}
