import Citation
import Events
import HTTPSemantics

/// Which addresses name servers gave for which names, and to whom, as far as the capture has their answers.
///
/// Bounded: the last `nameLimit` names, each with the addresses of all answers and the answers to each of its last
/// clients. A name that is not here was resolved before the capture, by another way, or by another host: nothing
/// follows from it.
struct ResolvedNames: Sendable {
  static let nameLimit = 1_024
  static let clientLimit = 16
  /// As many as the bits of `Told.members`.
  static let addressLimit = 64

  /// An answer to one client that has addresses of one family.
  struct Told: Sendable {
    let packet: PacketRef
    /// When it must not be used any more.
    let until: Timestamp
    /// A bit for each of the name's addresses.
    let members: UInt64
  }

  struct Client: Sendable {
    /// Answers of each family that are kept.
    private static let limit = 4

    let address: IPAddress
    private var told: [Told] = []
    private var toldV6: [Told] = []
    /// It sent one of the addresses a request for the name.
    fileprivate(set) var hasReached = false

    fileprivate init(_ address: IPAddress) {
      self.address = address
    }

    /// The newest one before a packet, of the family of a server's address.
    func told(about server: IPAddress, before packet: PacketRef) -> Told? {
      (server.isV4 ? told : toldV6).last { $0.packet.number < packet.number }
    }

    fileprivate mutating func add(_ answer: Told, isV4: Bool) {
      if isV4 { Self.add(answer, to: &told) } else { Self.add(answer, to: &toldV6) }
    }

    private static func add(_ answer: Told, to told: inout [Told]) {
      if told.count == limit { told.removeFirst() }
      told.append(answer)
    }
  }

  struct Name: Sendable {
    let text: String
    /// The addresses of all its answers.
    fileprivate(set) var addresses: [IPAddress] = []
    /// It has others.
    fileprivate(set) var isPartial = false
    fileprivate var clients: [Client] = []

    func client(_ address: IPAddress) -> Client? { clients.first { $0.address == address } }

    func addresses(of told: Told) -> [IPAddress] {
      addresses.indices.filter { told.members >> UInt64($0) & 1 == 1 }.map { addresses[$0] }
    }

    fileprivate mutating func add(_ answer: NameAnswer) {
      if answer.isPartial { isPartial = true }
      var members = (v4: UInt64(0), v6: UInt64(0))
      for address in answer.addresses {
        guard let place = place(of: address) else { continue }
        if address.isV4 { members.v4 |= 1 << UInt64(place) } else { members.v6 |= 1 << UInt64(place) }
      }
      guard members != (0, 0) else { return }
      let until = answer.packet.time.advanced(by: Int64(answer.timeToLive) * 1_000_000_000)
      var client = client(answer.client) ?? Client(answer.client)
      clients.removeAll { $0.address == answer.client }
      for (members, isV4) in [(members.v4, true), (members.v6, false)] where members != 0 {
        client.add(Told(packet: answer.packet, until: until, members: members), isV4: isV4)
      }
      if clients.count == ResolvedNames.clientLimit { clients.removeFirst() }
      clients.append(client)
    }

    fileprivate mutating func reach(_ client: IPAddress) {
      guard let at = clients.firstIndex(where: { $0.address == client }) else { return }
      clients[at].hasReached = true
    }

    private mutating func place(of address: IPAddress) -> Int? {
      if let known = addresses.firstIndex(of: address) { return known }
      guard addresses.count < ResolvedNames.addressLimit else {
        isPartial = true
        return nil
      }
      addresses.append(address)
      return addresses.count - 1
    }
  }

  private struct Pair: MixedKey {
    var client: IPAddress
    var server: IPAddress
  }

  private var names = BoundedTable<String, Name>(limit: nameLimit)
  /// The last name under which a client was given an address.
  private var namesByAddress = BoundedTable<Pair, String>(limit: 8 * nameLimit)
  /// The addresses of all answers.
  private var given = BoundedTable<IPAddress, Void>(limit: 8 * nameLimit)
  private(set) var isEmpty = true

  mutating func add(_ answer: NameAnswer) {
    isEmpty = false
    names.update(answer.name, orMake: Name(text: answer.name)) { $0.add(answer) }
    for address in answer.addresses {
      namesByAddress.update(Pair(client: answer.client, server: address), orMake: answer.name) { $0 = answer.name }
      given.update(address, orMake: ()) { _ in }
    }
  }

  /// Notes that a client sent a request for a name to an address that DNS gave for it.
  mutating func reach(_ name: String, _ context: FlowContext) {
    guard let known = names[name], known.addresses.contains(context.server.address),
      known.client(context.client.address)?.hasReached == false
    else { return }
    names.update(name, orMake: known) { $0.reach(context.client.address) }
  }

  func knows(_ address: IPAddress) -> Bool { !isEmpty && given.has(address) }

  subscript(_ name: String) -> Name? { names[name] }

  /// The name that a client was given an address for.
  func name(of server: IPAddress, for client: IPAddress) -> Name? {
    if isEmpty { return nil }
    return namesByAddress[Pair(client: client, server: server)].flatMap { names[$0] }
  }

  /// The host part of a Host value as it is in DNS queries; nil for an address.
  static func hostName(_ value: ArraySlice<UInt8>) -> String? {
    guard !value.isEmpty, AddressLiteral(host: value) == nil else { return nil }
    let host = value.prefix { $0 != .colon }
    return HTTPSemantics.text(of: host.map(\.lowercased).dropLast(host.last == UInt8(ascii: ".") ? 1 : 0))
  }
}
