import Citation
import Events
import HTTPSemantics
import TLSSemantics

/// A request for a name, sent to an address that no name server gave for it.
///
/// Judged when the capture is read, for an answer with the address may come later. Kept: the first `limit` pairs of
/// client and server with another name each, and of each the first exchange.
struct ConnectMismatch: Sendable {
  static let info = RuleInfo(
    id: "direct/connect-mismatch", severity: .note, confidence: .medium,
    summary: "A request for a name went to an address that DNS did not give for it.",
    explanation: """
      The client had asked a name server for this name, was given addresses that were still valid, and connected to \
      another one. Something else chose it: a resolver of the app's own (HTTPDNS, DNS over HTTPS), a pinned or remembered \
      address, a hosts file, a test override, domain fronting. It works until that address is moved or drained, and what \
      DNS does to balance load or to lead away from a dead server has no effect on this client.
      """,
    evidence: """
      The Host field or the server name in TLS, the newest answer that this client was given for the name before it connected, and the connection's \
      first packet. Nothing is said where the answer had expired or may not be all, where anybody was ever given this \
      address for the name, of loopback, of private addresses for public ones, and of requests to a proxy. A box that \
      rewrites destinations on the way to the capture point looks the same.
      """,
    fix: """
      Nothing, when it is meant so. Client: give the library a resolver instead of an address, fall back to DNS when the \
      address fails, and forget remembered addresses when the network changes.
      """,
    specifications: [
      Specification("RFC 9110 §7.2", "https://www.rfc-editor.org/rfc/rfc9110#section-7.2"),
      Specification("RFC 1035 §7.4", "https://www.rfc-editor.org/rfc/rfc1035#section-7.4"),
    ],
    since: "0.1")

  private static let limit = 512
  /// Addresses that are named in a sentence.
  private static let shown = 4

  private struct Place: Hashable, Sendable {
    var client: IPAddress
    var server: IPAddress
    var name: String
  }

  /// The first request that went elsewhere.
  private struct Elsewhere: Sendable {
    var name: String
    var title: String
    var connection: FlowContext
    var exchange: Int?
    var direction: Direction
    var field: Evidence
    var answer: PacketRef
    var given: [IPAddress]
    var count: UInt64 = 1
  }

  private var places: [Place: Int] = [:]
  private var found: [Elsewhere] = []

  /// The answer that a connection went against, where it did.
  static func answer(
    _ name: ResolvedNames.Name, _ context: FlowContext
  ) -> ResolvedNames.Told? {
    let server = context.server.address
    guard !context.isMidstream, !name.isPartial, !server.isLoopback, !name.addresses.contains(server),
      let told = name.client(context.client.address)?.told(about: server, before: context.firstPacket),
      context.firstPacket.time <= told.until
    else { return nil }
    // Behind a translator of addresses every server has a private one.
    if server.isPrivate, !name.addresses(of: told).contains(where: \.isPrivate) { return nil }
    return told
  }

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ names: inout ResolvedNames,
    in context: FlowContext
  ) {
    guard head.targetForm == .origin || head.targetForm == .asterisk, let field = head.authority,
      let text = ResolvedNames.hostName(head.block.bytes[field.value.clamped(to: 0..<head.block.bytes.count)]),
      let name = names[text]
    else { return }
    guard let told = Self.answer(name, context) else { return names.reach(text, context) }
    let place = Place(client: context.client.address, server: context.server.address, name: text)
    if let index = places[place] {
      found[index].count += 1
    } else if found.count < Self.limit {
      places[place] = found.count
      found.append(
        Elsewhere(
          name: text, title: exchange.title, connection: context, exchange: exchange.number,
          direction: request.direction, field: .field(field, head, request.direction, "the name"),
          answer: told.packet, given: name.addresses(of: told)))
    }
  }

  /// A name that TLS was asked for.
  mutating func observe(_ session: TLSSession, _ names: inout ResolvedNames, in context: FlowContext) {
    guard let hello = session.hellos.client, let sent = hello.serverName, session.client == .toServer,
      let text = ResolvedNames.hostName(sent[...]), let name = names[text]
    else { return }
    guard let told = Self.answer(name, context) else { return names.reach(text, context) }
    let place = Place(client: context.client.address, server: context.server.address, name: text)
    guard places[place] == nil, found.count < Self.limit else { return }
    places[place] = found.count
    found.append(
      Elsewhere(
        name: text, title: "TLS", connection: context, exchange: nil, direction: .toServer,
        field: Evidence(.bytes(hello.span, .toServer), "the name"), answer: told.packet,
        given: name.addresses(of: told)))
  }

  mutating func finish(_ names: ResolvedNames, report: (Finding) -> Void) {
    for elsewhere in found {
      // What was learned since may explain it.
      guard let name = names[elsewhere.name], !name.isPartial,
        !name.addresses.contains(elsewhere.connection.server.address)
      else { continue }
      report(finding(elsewhere))
    }
    found.removeAll()
    places.removeAll()
  }

  private func finding(_ elsewhere: Elsewhere) -> Finding {
    let context = elsewhere.connection
    let given = Self.list(elsewhere.given)
    let others = elsewhere.count > 1 ? " (\(Wording.number(elsewhere.count)) requests did)" : ""
    var finding = Finding(
      Self.info, subject: .connection(context.id), exchange: elsewhere.exchange, direction: elsewhere.direction,
      """
      \(elsewhere.title): the request for \(elsewhere.name) went to \(context.server.address)\(others). This client had \
      been told \(given) \(Wording.duration(context.firstPacket.time.since(elsewhere.answer.time))) before it connected.
      """,
      cost: .none,
      evidence: [
        elsewhere.field,
        Evidence(.packet(elsewhere.answer, nil), "DNS: \(elsewhere.name) is \(given)"),
        Evidence(.packet(context.firstPacket, .toServer), "to \(context.server)"),
      ])
    finding.count = elsewhere.count
    return finding.on(context.number)
  }

  static func list(_ addresses: [IPAddress]) -> String {
    let named = addresses.prefix(shown).map(\.description).joined(separator: ", ")
    return addresses.count > shown ? "\(named) and \(addresses.count - shown) more" : named
  }
}

extension IPAddress {
  fileprivate var isLoopback: Bool { isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// Of a network of its own (RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291 §2.5.6).
  fileprivate var isPrivate: Bool {
    guard isV4 else { return high >> 57 == 0xFC >> 1 || high >> 54 == 0xFE80 >> 6 }
    let address = UInt32(truncatingIfNeeded: low)
    return address >> 24 == 10 || address >> 20 == 0xAC1 || address >> 16 == 0xC0A8 || address >> 22 == 0x6440 >> 6
      || address >> 16 == 0xA9FE
  }
}
