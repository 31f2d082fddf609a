import Citation
import Events
import HTTPSemantics
import TLSSemantics

/// Judges a request for a name that went to an address which DNS did not give for it, when the capture is read.
protocol MisdirectedRequestRule: CaptureStoryRule where Story == MisdirectedRequest {}

/// A request for a name that went to an address which DNS did not give for it; of several the first.
struct MisdirectedRequest: Sendable {
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

/// Finds such requests. An answer with the address may come later.
///
/// Bounded: the first `limit` pairs of client and server with another name each, and of each the first exchange.
struct MisdirectedRequests: Sendable {
  private static let limit = 512

  private struct Place: Hashable, Sendable {
    var client: IPAddress
    var server: IPAddress
    var name: String
  }

  private var places: [Place: Int] = [:]
  private var found: [MisdirectedRequest] = []

  mutating func observe(_ asked: AskedExchange, _ names: inout ResolvedNames, in context: FlowContext) {
    let (exchange, head) = (asked.exchange, asked.head)
    guard head.targetForm == .origin || head.targetForm == .asterisk, let field = head.authority,
      let text = ResolvedNames.hostName(head.block.bytes[field.value.clamped(to: 0..<head.block.bytes.count)]),
      let name = names[text]
    else { return }
    guard let told = name.answer(against: context) else { return names.reach(text, context) }
    let place = Place(client: context.client.address, server: context.server.address, name: text)
    if let index = places[place] {
      found[index].count += 1
    } else if found.count < Self.limit {
      places[place] = found.count
      found.append(
        MisdirectedRequest(
          name: text, title: exchange.title, connection: context, exchange: exchange.number,
          direction: asked.request.direction, field: .field(field, head, asked.request.direction, "the name"),
          answer: told.packet, given: name.addresses(of: told)))
    }
  }

  /// The name in a ClientHello.
  mutating func observe(_ session: TLSSession, _ names: inout ResolvedNames, in context: FlowContext) {
    guard let hello = session.hellos.client, let sent = hello.serverName, session.client == .toServer,
      let text = ResolvedNames.hostName(sent[...]), let name = names[text]
    else { return }
    guard let told = name.answer(against: context) else { return names.reach(text, context) }
    let place = Place(client: context.client.address, server: context.server.address, name: text)
    guard places[place] == nil, found.count < Self.limit else { return }
    places[place] = found.count
    found.append(
      MisdirectedRequest(
        name: text, title: "TLS", connection: context, exchange: nil, direction: .toServer,
        field: Evidence(.bytes(hello.span, .toServer), "the name"), answer: told.packet,
        given: name.addresses(of: told)))
  }

  /// What no answer explains that came since.
  mutating func finish(_ names: ResolvedNames) -> [MisdirectedRequest] {
    defer {
      found.removeAll()
      places.removeAll()
    }
    return found.filter { request in
      guard let name = names[request.name], !name.isPartial else { return false }
      return !name.addresses.contains(request.connection.server.address)
    }
  }
}

extension ResolvedNames.Name {
  /// The answer that a connection went against, where it did.
  func answer(against context: FlowContext) -> ResolvedNames.Told? {
    let server = context.server.address
    guard !context.isMidstream, !isPartial, !server.isLoopback, !addresses.contains(server),
      let told = client(context.client.address)?.told(about: server, before: context.firstPacket),
      context.firstPacket.time <= told.until
    else { return nil }
    // Behind a translator of addresses every server has a private one.
    if server.isPrivate, !addresses(of: told).contains(where: \.isPrivate) { return nil }
    return told
  }
}

extension IPAddress {
  var isLoopback: Bool { isV4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// Of a network of its own (RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291 §2.5.6).
  fileprivate var isPrivate: Bool {
    guard isV4 else { return high >> 57 == 0xFC >> 1 || high >> 54 == 0xFE80 >> 6 }
    let address = UInt32(truncatingIfNeeded: low)
    return address >> 24 == 10 || address >> 20 == 0xAC1 || address >> 16 == 0xC0A8 || address >> 22 == 0x6440 >> 6
      || address >> 16 == 0xA9FE
  }
}
