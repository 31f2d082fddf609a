/// The items of a connection, as a document holds them: columns. Columns that are missing or too short read as zeros, and
/// items without a kind are skipped.
struct DocumentItems {
  struct Item {
    /// When it was complete.
    var nanoseconds: Int64
    /// From its first byte until then.
    var span: Int64
    var packet: Int64
    var isToServer: Bool
    var kind: String
    var exchange: Int64
    var bytes: Int64
    var label: String
    /// nil if the document holds no preview.
    var preview: String?
  }

  let items: [Item]
  /// Whether the document reports items at all.
  let isThere: Bool
  /// Left out of the document.
  let cut: Int64

  init(_ connection: DocumentNode) {
    let node = connection["items"]
    isThere = node != nil
    cut = max(0, connection.integer("itemsCut") ?? 0)
    guard let node else {
      items = []
      return
    }
    let kinds = node.elements("kinds").map { $0.text ?? "" }
    let labels = node.elements("labels").map { $0.text ?? "" }
    let previews = node.elements("preview").map(\.text)
    let times = node.integers("ns")
    let spans = node.integers("spanNs")
    let packets = node.integers("packet")
    let directions = node.integers("direction")
    let kindColumn = node.integers("kind")
    let exchanges = node.integers("exchange")
    let bytes = node.integers("bytes")
    let labelColumn = node.integers("label")
    items = times.indices.compactMap { index in
      guard let kind = kinds.element(at: kindColumn.element(at: index) ?? 0), !kind.isEmpty else { return nil }
      let preview = previews.element(at: index) ?? nil
      return Item(
        nanoseconds: max(0, times[index]), span: max(0, spans.element(at: index) ?? 0),
        packet: max(0, packets.element(at: index) ?? 0), isToServer: directions.element(at: index) == 0, kind: kind,
        exchange: exchanges.element(at: index) ?? 0, bytes: max(0, bytes.element(at: index) ?? 0),
        label: labels.element(at: labelColumn.element(at: index) ?? 0) ?? "",
        preview: preview.flatMap { $0.isEmpty ? nil : $0 })
    }
  }

  /// Whether a connection has messages, events or chunks that the document counts but does not list, as older ones do.
  static func areWanted(by connection: DocumentNode) -> Bool {
    guard connection["items"] == nil, (connection.integer("itemsCut") ?? 0) == 0 else { return false }
    func counts(_ node: DocumentNode?) -> Bool { (node?.integer("count") ?? 0) > 0 }
    // Messages and not frames: an unfinished message is not an item.
    let messages = connection["websocket"]?["messages"]
    for side in ["toServer", "toClient"] {
      for kind in ["text", "binary"] where (messages?[side]?.integer(kind) ?? 0) > 0 { return true }
    }
    return connection.elements("exchanges").contains { exchange in
      counts(exchange["request"]?["chunks"]) || counts(exchange["response"]?["chunks"])
        || counts(exchange["stream"]?["events"]) || counts(exchange["stream"]?["lines"])
    }
  }
}

extension Array {
  fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }

  fileprivate func element(at index: Int64) -> Element? {
    index >= 0 && index < Int64(count) ? self[Int(index)] : nil
  }
}
