import Citation
import Events
import TLSSemantics

/// Full handshakes of a client that could have taken up an earlier session.
///
/// Bounded: so many clients and names, and of each the first visits.
struct NoResumption: CaptureRule {
  static let info = RuleInfo(
    id: "tls/no-resumption", severity: .warning,
    summary: "A client that was given a ticket makes a full handshake again.",
    explanation: """
      A ticket or a session ID of an earlier connection spares the certificate and its check, and before TLS 1.3 a \
      round trip. Clients keep them in their session object: code that makes a new one for each request (a URLSession \
      with a delegate of its own, a new HTTP client) loses them. Servers decline them where several machines do not \
      share the key of their tickets.
      """,
    evidence: """
      The packet that gave the ticket or the session ID, and the later full handshake of the same client, to the same \
      name and with the same offer of suites. In TLS 1.3 tickets are encrypted: only with secrets, or where the later \
      hello offers one that the server declines, is this known.
      """,
    fix: "Client: one session object for all requests. Server: the same ticket keys on all machines of a name.",
    specifications: [.rfc(8446, "2.2"), .rfc(5077)], thresholds: [.resumptionTime, .handshakeLoss], since: "0.1")

  private struct Key: MixedKey {
    var client: IPAddress
    var name: String
    /// The suites' part of the fingerprint: that of extensions changes with a ticket.
    var suites: Substring
  }

  private struct Visit: Sendable {
    var flow: FlowID
    var connection: Int
    var direction: Direction
    var title: String
    var hello: ByteSpan
    var isFull: Bool
    var hasOffered: Bool
    var ticket: PacketRef?
    /// The packet with which the handshake was complete: before, there is no session to take up.
    var complete: PacketRef?
    var lifetime: UInt32
    var isTLS13: Bool
    var roundTrip: Int64
    var certificateBytes: UInt64
  }

  private static let limit = 1_024
  private static let visitLimit = 64

  /// Of one client under one name: the first ones, and how many there were besides.
  private struct Visits: Sendable {
    var first: [Visit] = []
    var more: UInt64 = 0
  }

  private var visits = BoundedTable<Key, Visits>(limit: Self.limit)

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard let story = TLSStory(event, in: context), let hello = story.hello, let fingerprint = hello.ja4,
      let isResumed = story.session.isResumed,
      !story.context.isMidstream, story.isWhole(.toServer), story.isWhole(.toClient)
    else { return }
    let parts = fingerprint.split(separator: "_")
    guard parts.count == 3 else { return }
    let parties = story.client == .toServer ? story.context.client : story.context.server
    let key = Key(client: parties.address, name: story.title, suites: parts[1])
    // A promise that was not kept gave nothing.
    let ticket = story.session.tickets.first { $0.ticket.length > 0 }
    let visit = Visit(
      flow: story.context.id, connection: story.context.number, direction: story.client, title: story.title,
      hello: hello.span, isFull: !isResumed, hasOffered: hello.offersResumption, ticket: ticket?.packet,
      complete: Self.complete(story), lifetime: ticket?.lifetime ?? 0, isTLS13: story.session.version?.isTLS13 ?? false,
      roundTrip: story.context.roundTrip.total ?? 0,
      certificateBytes: UInt64(story.session.certificate?.byteCount ?? 0))
    visits.update(key, orMake: Visits()) { visits in
      if visits.first.count < Self.visitLimit { visits.first.append(visit) } else { visits.more += 1 }
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for visits in visits.inOrder where visits.first.count > 1 {
      let list = visits.first.sorted { $0.hello.first.number < $1.hello.first.number }
      let pairs = list.indices.compactMap { at in
        Self.giver(of: list[at], in: list[..<at], thresholds).map { ($0, list[at]) }
      }
      guard let (giver, first) = pairs.first else { continue }
      let lost = pairs.reduce(Int64(0)) { $0 &+ ($1.1.isTLS13 ? 0 : $1.1.roundTrip) }
      let bytes = pairs.reduce(UInt64(0)) { $0 &+ $1.1.certificateBytes }
      let how = first.hasOffered ? "offers an earlier session, which the server declines," : "offers no earlier session"
      let certificates = bytes > 0 ? " and \(Wording.bytes(bytes)) of certificates" : ""
      let price = lost > 0 ? ": \(Wording.duration(lost)) of round trips\(certificates)" : ""
      let more =
        visits.more > 0
        ? "; of the first \(list.count) connections only, \(Wording.number(visits.more)) more were not looked at" : ""
      var evidence = [Evidence(.bytes(first.hello, first.direction), "a full handshake again")]
      if let ticket = giver.ticket {
        evidence.insert(
          Evidence(
            .packet(ticket, first.direction.opposite), "a session to take up, on connection #\(giver.connection)"),
          at: 0)
      }
      var finding = Finding(
        Self.info, confidence: giver.ticket == nil ? .medium : nil, subject: .connection(first.flow),
        direction: first.hasOffered ? first.direction.opposite : first.direction,
        FindingMessage(
          "\(first.title): the client \(how) and makes a full handshake, \(Wording.count(UInt64(pairs.count), "time"))\(price)\(more)."
        ), cost: lost >= thresholds[.handshakeLoss] ? .delay(nanoseconds: lost) : .none, fix: Self.info.fix,
        evidence: evidence
      ).on(first.connection)
      finding.count = UInt64(pairs.count)
      report(finding)
    }
  }

  private static func complete(_ story: TLSStory) -> PacketRef? {
    guard let client = story.phases.finished[story.client], let server = story.phases.finished[story.server] else {
      return nil
    }
    return client.number > server.number ? client : server
  }

  /// The earlier full handshake that gave what this one could have used.
  private static func giver(
    of visit: Visit, in earlier: ArraySlice<Visit>, _ thresholds: Thresholds
  ) -> Visit? {
    guard visit.isFull else { return nil }
    let longest = thresholds[.resumptionTime]
    return earlier.last { before in
      guard visit.hello.first.time.since(before.hello.first.time) <= longest, before.isFull,
        let complete = before.complete, complete.number < visit.hello.first.number
      else { return false }
      guard let ticket = before.ticket else { return visit.isTLS13 && before.isTLS13 && visit.hasOffered }
      let age = visit.hello.first.time.since(ticket.time)
      // It must have come to the client, too.
      return age > before.roundTrip
        && (before.lifetime == 0 || age <= Int64(before.lifetime) &* 1_000_000_000)
    }
  }
}

extension Threshold {
  static let resumptionTime = Threshold(
    "tls.resumption", .nanoseconds, 600_000_000_000, "handshakes further apart need not be of one session")
}
