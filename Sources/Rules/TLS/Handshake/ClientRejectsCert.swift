import Citation
import Events
import TLSSemantics

/// A client that leaves when it has seen the certificate.
///
/// Bounded: the first `limit` that did, and when so many clients were served under a name.
struct ClientRejectsCert: CaptureRule {
  static let info = RuleInfo(
    id: "tls/client-rejects-cert", severity: .error,
    summary: "The client refuses the server's certificate.",
    explanation: """
      It does not trust the issuer, the certificate has expired or is for another name, or it is not the one that the app \
      has pinned: a company's proxy that reads along, a debugging proxy whose root is not installed, a server that was \
      moved to another issuer. Checks written by hand (delegates, trust managers) often refuse without any alert: the \
      connection is reset.
      """,
    evidence: """
      The server's certificate, or the flight that must hold it, and the client's alert. Where the alert is encrypted, or \
      the client ends the connection right behind the certificate and has not finished the handshake, the confidence is \
      medium. A client that has finished and closes is not told: most of these had opened one connection too many. Nor is \
      one that is served under the same name within a second, or, where it left with a FIN, at the same address.
      """,
    fix: """
      Client: log the result of the certificate check; install the missing root, or update the pins; check its clock. Server: \
      send the whole chain, for the right name, and renew it before it expires.
      """,
    specifications: [.rfc(8446, "6.2"), .rfc(5280, "6")], thresholds: [.rejectionTime, .secondTry], since: "0.1")

  private static let limit = 256
  private static let visitLimit = 32

  private struct Place: MixedKey {
    var client: IPAddress
    var name: String
  }

  private struct Rejection: Sendable {
    /// Where it must not have been served at about the same time.
    var places: [Place]
    var at: PacketRef
    var finding: Finding
  }

  private struct Visit: Sendable {
    var from: PacketRef
    var to: PacketRef
  }

  private var rejections: [Rejection] = []
  /// Of each place the first ones, and the newest.
  private var served = BoundedTable<Place, [Visit]>(limit: 1_024)

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard let story = TLSStory(event, in: context), story.hello != nil else { return }
    let (client, server) = story.ends
    // Browsers drop what they opened beside a connection of HTTP/2 that serves the address.
    let places = [Place(client: client.address, name: story.title), Place(client: client.address, name: "\(server)")]
    let profile = story.session.sides[story.client].application
    if let first = profile.first, let last = profile.last, story.session.sides[story.server].application.count > 0 {
      for place in places {
        served.update(place, orMake: []) { visits in
          if visits.count == Self.visitLimit { visits.removeLast() }
          visits.append(Visit(from: first.span.first, to: last.released))
        }
      }
    } else if rejections.count < Self.limit, let (at, finding) = rejection(story) ?? CertNameMismatch.left(story) {
      let isSure = story.context.closing.isReset || !story.session.alerts.isEmpty
      rejections.append(
        Rejection(
          places: isSure ? [places[0]] : places, at: at, finding: finding.on(story.context.number)))
    }
  }

  private static let codes: Set<UInt8> = [42, 43, 44, 45, 46, 48]

  private func rejection(_ story: TLSStory) -> (PacketRef, Finding)? {
    let session = story.session
    guard let flight = session.certificate?.span.last ?? story.phases.serverFlight else { return nil }
    if let alert = session.alerts.first(where: {
      $0.direction == story.client && $0.alert.map { Self.codes.contains($0.code) } ?? false
    }) {
      let meaning = alert.alert.map { ": \($0.meaning)" } ?? ""
      return (
        alert.released,
        story.finding(
          Self.info, story.client,
          "The client refuses the certificate of \(story.title) with \(alert.words)\(meaning).",
          cost: .failed(.connection), causedBy: cause(alert, story),
          [flightEvidence(story, flight), alert.evidence(alert.words)])
      )
    }
    guard session.isResumed != true, story.isWhole, session.sides[story.client].application.count == 0,
      story.phases.serverHello != nil, story.isReadToEnd(story.client), story.isReadToEnd(story.server)
    else { return nil }
    let hidden = session.alerts.first { $0.direction == story.client && $0.alert == nil && !$0.isAfterHandshake }
    // Before it had finished: what closes a connection that is not needed has finished.
    let left =
      story.context.closedBy == story.client && story.phases.finished[story.client] == nil
        && session.sides[story.client].closeNotify == nil
      ? story.context.firstEnd ?? story.context.closedAt : nil
    // What the server sends behind the end answers nothing, and is not the flight: that began with its hello.
    guard let end = hidden?.span.first ?? left, let hello = story.phases.serverHello,
      case let flight = flight.number < end.number ? flight : hello, end.number > flight.number,
      session.sides[story.server].application.first.map({ $0.span.first.number > end.number }) ?? true,
      !session.alerts.contains(where: { isOther($0, story, before: end) })
    else { return nil }
    let waited = end.time.since(flight.time)
    let allowed = story.context.thresholds[.rejectionTime] &+ (story.context.roundTrip.total ?? 0)
    guard waited <= allowed else { return nil }
    let leaves = story.context.closing.isReset ? "resets" : "closes"
    let how = hidden == nil ? "\(leaves) the connection" : "sends an encrypted alert"
    return (
      end,
      story.finding(
        Self.info, story.client,
        "The client \(how) \(Wording.duration(waited)) after the certificate of \(story.title), without one byte of a request.",
        confidence: .medium, cost: .failed(.connection), causedBy: hidden.flatMap { cause($0, story) },
        [
          flightEvidence(story, flight),
          Evidence(.packet(end, story.client), hidden == nil ? "the client \(leaves)" : "an alert, by its length"),
        ])
    )
  }

  /// Another reason to end the connection: an alert of the server in front of the end, or one of the client's that
  /// is about something else. What the server answers to the client's alert takes nothing back.
  private func isOther(_ seen: SeenAlert, _ story: TLSStory, before end: PacketRef) -> Bool {
    if seen.direction == story.server { return seen.span.first.number < end.number }
    return seen.alert.map { !$0.isCloseNotify } ?? false
  }

  /// The alert is reported already, or why it was sent.
  private func cause(_ alert: SeenAlert, _ story: TLSStory) -> RuleID? {
    if alert.alert != nil, CertNameMismatch.missed(story) != nil { return CertNameMismatch.info.id }
    return AlertFatal.isFatal(alert, story) ? AlertFatal.info.id : nil
  }

  private func flightEvidence(_ story: TLSStory, _ flight: PacketRef) -> Evidence {
    story.certificateEvidence("the certificate").first
      ?? Evidence(.packet(flight, story.server), "the server's flight, with its certificate")
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let near = thresholds[.secondTry]
    for rejection in rejections {
      let isServed = rejection.places.flatMap { served[$0] ?? [] }.contains { visit in
        visit.from.time.since(rejection.at.time) <= near && rejection.at.time.since(visit.to.time) <= near
      }
      if !isServed { report(rejection.finding) }
    }
    rejections.removeAll()
  }
}

extension Threshold {
  static let rejectionTime = Threshold(
    "tls.rejection", .nanoseconds, 500_000_000,
    "a client that leaves this soon after the certificate, and a round trip")
  static let secondTry = Threshold(
    "tls.second-try", .nanoseconds, 1_000_000_000, "the same client, served within this time, had refused nothing")
}
