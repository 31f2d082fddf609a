/// Data shared by the entries of a connection.
struct HARConnection {
  let node: DocumentNode
  /// Not a number: Chrome would take that for a port.
  let name: String
  let isRedacted: Bool
  /// The exchange that became a WebSocket; 0 if its handshake was before the capture.
  let socket: Int64?
  let itemsCut: Int64
  private var itemsOfExchange: [Int64: [DocumentItems.Item]] = [:]

  private struct Head: Hashable {
    var exchange: Int64
    var direction: String
  }
  private var heads: [Head: [Int64?]] = [:]

  /// `number` is that of the capture, where there are several.
  init(_ node: DocumentNode, number: Int?, isRedacted: Bool) {
    self.node = node
    let id = "c-\(node.integer("id") ?? 0)"
    name = number.map { "f\($0)-\(id)" } ?? id
    self.isRedacted = isRedacted
    socket = node["websocket"].map { $0.integer("exchange") ?? 0 }
    let items = DocumentItems(node)
    itemsCut = items.cut
    for item in items.items {
      // There is one WebSocket on a connection.
      let exchange = item.isOfSocket ? socket ?? item.exchange : item.exchange
      itemsOfExchange[exchange, default: []].append(item)
    }
    guard node.integer("timelineCut") ?? 0 == 0 else { return }
    for entry in node.elements("timeline") where entry.text("kind") == "head" {
      let head = Head(exchange: entry.integer("exchange") ?? 0, direction: entry.text("direction") ?? "")
      heads[head, default: []].append(entry.integer("bytes"))
    }
  }

  func items(of exchange: Int64) -> [DocumentItems.Item] { itemsOfExchange[exchange] ?? [] }

  /// How long a head was on the wire, from the timeline, if it holds this head. Interim responses have
  /// heads of their own before it.
  func headBytes(_ exchange: DocumentNode, _ direction: String, after interim: Int) -> Int64? {
    guard let number = exchange.integer("id"), let known = heads[Head(exchange: number, direction: direction)],
      known.count == interim + 1
    else { return nil }
    return known[interim]
  }
}
