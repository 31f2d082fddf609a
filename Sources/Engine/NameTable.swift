import Citation
import Events

/// Which names had which addresses, as name servers told the clients of the capture.
///
/// Bounded: the last `limit` pairs of client and address, and for each the first name and the last.
struct NameTable: Sendable {
  private static let limit = 16_384

  private struct Pair: Hashable {
    var client: IPAddress
    var address: IPAddress
  }

  private struct Name {
    var text: String
    var packet: PacketRef
  }

  private var names: [Pair: [Name]] = [:]
  private var order: [Pair] = []
  private var oldest = 0

  var isEmpty: Bool { names.isEmpty }

  mutating func add(_ answer: NameAnswer) {
    for address in answer.addresses {
      let pair = Pair(client: answer.client, address: address)
      let name = Name(text: answer.name, packet: answer.packet)
      guard var known = names[pair] else {
        if order.count - oldest == Self.limit { forgetOldest() }
        order.append(pair)
        names[pair] = [name]
        continue
      }
      if known.count > 1 { known.removeLast() }
      known.append(name)
      names[pair] = known
    }
  }

  private mutating func forgetOldest() {
    names[order[oldest]] = nil
    oldest += 1
    if oldest >= Self.limit {
      order.removeFirst(oldest)
      oldest = 0
    }
  }

  /// Names a connection's server by what its client was told before it connected.
  func name(_ record: inout ConnectionRecord) {
    guard record.serverName == nil, !names.isEmpty,
      let known = names[Pair(client: record.client.address, address: record.server.address)],
      let name = known.last(where: { $0.packet.number < record.firstPacket.number })
    else { return }
    record.serverName = name.text
    record.namedBy = name.packet
  }
}
