import Citation
import Events
import TLSSemantics

/// A TLS connection that is over, with what its rules need besides the session.
struct TLSStory: Sendable {
  let session: TLSSession
  let watch: TLSWatch
  let context: FlowContext

  init(session: TLSSession, watch: TLSWatch, context: FlowContext) {
    self.session = session
    self.watch = watch
    self.context = context
  }

  /// What is known of it to who looks at all connections.
  init?(_ event: Event, in context: FlowContext?) {
    guard case .tlsClosed(let session) = event, let context else { return nil }
    self.init(session: session, watch: TLSWatch(), context: context)
  }

  /// The client is the side of the ClientHello.
  var ends: (client: Endpoint, server: Endpoint) {
    client == .toServer ? (context.client, context.server) : (context.server, context.client)
  }

  var client: Direction { session.client }
  var server: Direction { session.client.opposite }
  var hello: ClientHello? { session.hellos.client }
  var phases: TLSPhases { session.phases }

  /// All of it was captured, both ways and from its beginning: what did not come was not sent.
  var isWhole: Bool {
    !context.isMidstream && !context.isOneSided && isWhole(.toServer) && isWhole(.toClient)
  }

  func isWhole(_ direction: Direction) -> Bool {
    !session.sides[direction].isLost && session.sides[direction].opaque == nil
  }

  /// The content of a direction's records is known, or they are known to be undecrypted: they did not stop on the way.
  func isReadToEnd(_ direction: Direction) -> Bool {
    switch session.opening {
    case .failed(_, let failed, _): failed != direction
    case .lost(_, let lost): lost != direction
    default: true
    }
  }

  /// Nothing of it was decrypted, and data may have been sent.
  var isShut: Bool {
    if case .opened = session.opening { return false }
    return phases.serverHello != nil
  }

  /// All that the server sent behind the client's first data is its close_notify or, in TLS 1.3, two records of one length
  /// before that, as session tickets are; those that came before are not counted.
  var sentNoData: Bool {
    let (sent, farewells) = (session.sides[server].application, session.sides[server].isCloseInferred ? 1 : 0)
    guard session.version?.isTLS13 == true else { return sent.count == 0 }
    if sent.count == farewells { return session.turns.asked != nil }
    return sent.count == 2 + farewells && sent.lengths.all.first?.count == 2
  }

  /// The client offers the protocol by ALPN.
  func offers(_ name: String) -> Bool { hello?.applicationProtocols.contains(Array(name.utf8)) ?? false }

  var offersHTTP: Bool { offers("http/1.1") || offers("h2") }

  /// The server answered the opening of HTTP/2, and nothing else.
  var sentSettingsOnly: Bool {
    let turns = session.turns
    return turns.hasAcknowledgedSettings && turns.answered == 0 && !turns.hasSmallAnswer && turns.asked != nil
      && offers("h2")
  }

  /// On a connection of requests and answers, the last request has none, nor any other record of the server behind it.
  var leftUnanswered: Bool {
    guard offersHTTP, session.turns.areExchanges, let asked = session.turns.asked else { return false }
    return session.sides[server].application.last.map { $0.released.number < asked.span.first.number } ?? true
  }

  /// Who ended the connection first, by what.
  struct End: Sendable {
    let by: Direction
    let packet: PacketRef
    let isReset: Bool
    let isClients: Bool

    var words: String {
      isClients ? "the client gave up" : "the server \(isReset ? "reset" : "closed") the connection"
    }

    var evidence: Evidence { Evidence(.packet(packet, by), isReset ? "the reset" : "the FIN") }
  }

  var end: End? {
    let ends = Direction.allCases.compactMap { by in
      watch.ends[by].map { End(by: by, packet: $0.packet, isReset: $0.isReset, isClients: by == client) }
    }
    return ends.min { $0.packet.number < $1.packet.number }
  }

  /// `api.example`, or the server's address where no name was given.
  var title: String { session.serverName ?? "\(client == .toServer ? context.server : context.client)" }

  func finding(
    _ info: RuleInfo, _ direction: Direction?, _ what: String, severity: Severity? = nil,
    confidence: Confidence? = nil, cost: Cost = .none, exchange: Int? = nil, causedBy: RuleID? = nil,
    _ evidence: [Evidence], count: UInt64 = 1
  ) -> Finding {
    var finding = Finding(
      info, severity: severity, confidence: confidence, subject: .connection(context.id), exchange: exchange,
      direction: direction, FindingMessage(what), cost: cost, fix: info.fix, causedBy: causedBy, evidence: evidence)
    finding.count = count
    return finding
  }

  /// The ClientHello as evidence.
  func helloEvidence(_ note: String) -> [Evidence] {
    hello.map { [Evidence(.bytes($0.span, client), note)] } ?? []
  }

  func certificateEvidence(_ note: String) -> [Evidence] {
    session.certificate.map { [Evidence(.bytes($0.span, server), note)] } ?? []
  }

  /// What is wrong with the certificate's times, by the capture's clock, when this packet was sent.
  func validity(at packet: PacketRef) -> String? {
    guard let leaf = session.certificate?.leaf else { return nil }
    let now = packet.time.nanoseconds / 1_000_000_000
    if let end = leaf.notAfter, end < now { return "had expired \(Self.days(now &- end)) before" }
    if let begin = leaf.notBefore, begin > now { return "is valid only \(Self.days(begin &- now)) later" }
    return nil
  }

  private static func days(_ seconds: Int64) -> String {
    let days = UInt64(max(0, seconds)) / 86_400
    return days > 0 ? Wording.count(days, "day") : "less than a day"
  }

  /// A fatal alert that could be read, of whichever side.
  func alert(_ codes: Set<UInt8>) -> SeenAlert? {
    session.alerts.first { $0.alert.map { codes.contains($0.code) } ?? false }
  }

  static let failureCodes: Set<UInt8> = [40, 112]
}

extension SeenAlert {
  func evidence(_ note: String) -> Evidence { Evidence(.bytes(span, direction), note) }

  /// `certificate_expired (45)`
  var words: String { alert.map { "\($0.name) (\($0.code))" } ?? "an alert that cannot be read" }
}

extension Specification {
  /// An RFC, or a section of it.
  static func rfc(_ number: Int, _ section: String? = nil) -> Specification {
    let link = "https://www.rfc-editor.org/rfc/rfc\(number)"
    guard let section else { return Specification("RFC \(number)", link) }
    return Specification("RFC \(number) §\(section)", "\(link)#section-\(section)")
  }
}
