import Citation
import Events

/// What of a large document its page holds: a page of tens of megabytes opens slowly, and nobody reads all of it.
///
/// In full are the connections with diagnoses, the worst first, then those with the slowest exchanges, those with the longest
/// gaps, and some of the others as a sample. The rest keeps its rows: figures of each exchange, without fields, timeline and
/// pieces. What does not fit even so is counted. Bounds are bytes of the document as text; below the first nothing is left
/// out.
struct PageSelection {
  private static let whole = 10_000_000
  /// Connections that are not in full; where they need less, the others have more.
  private static let asRows = 6_000_000
  private static let ofFindings = 1_500_000
  /// Of one connection: its first pieces, as many as that.
  private static let ofOne = 3_000_000
  /// And where there is no other: more pieces than that take a second to open.
  private static let ofOnly = 6_000_000
  /// With less room than this left, no more are tried.
  private static let least = 20_000
  private static let slowest = 300
  private static let sample = 300

  private struct Size {
    var place: Int
    var number: Int64
    var outer: Int64?
    var exchanges: Int
    var total: Int64
    var gap: Int64
  }

  private var sizes: [Size] = []
  private var length = 0
  private(set) var isOver = false

  /// The page's form of a document that is there as a whole.
  static func page(of document: DocumentNode) -> DocumentNode {
    // One that was selected while it was made has been.
    guard document.textLength > whole, !document.elements("connections").contains(where: \.isEmbedded) else {
      return document
    }
    var selection = PageSelection()
    selection.isOver = true
    let connections = document.elements("connections")
    let rows = connections.map { selection.take($0) }
    return selection.finish(document.setting("connections", .array(rows))) { connections[$0] }
  }

  /// Looks at the next connection, and gives what is kept of it until `finish`.
  mutating func take(_ connection: DocumentNode) -> DocumentNode {
    let exchanges = connection.elements("exchanges")
    let gaps = exchanges.compactMap { exchange in
      let stream = exchange["stream"]
      return ["events", "lines"].compactMap { stream?[$0]?["gaps"]?.integer("max") }.max()
        ?? stream?["gaps"]?.integer("max") ?? 0
    }
    sizes.append(
      Size(
        place: sizes.count, number: connection.integer("id") ?? 0, outer: connection.integer("hopOf"),
        exchanges: exchanges.count,
        total: exchanges.compactMap { $0["timing"]?.integer("totalNs") }.max() ?? 0, gap: gaps.max() ?? 0))
    if !isOver {
      length += connection.textLength
      isOver = length > Self.whole
    }
    return isOver ? connection.thinned.asEmbedded : connection
  }

  /// Puts those that are chosen back in full; `again` gives a connection by its place.
  func finish(_ document: DocumentNode, _ again: (Int) -> DocumentNode) -> DocumentNode {
    guard isOver || document.textLength > Self.whole else { return document }
    var rows = document.elements("connections")
    var (spent, full): (Int, Set<Int>) = (0, [])
    let thin = rows.reduce(0) { $0 + ($1.isEmbedded ? $1 : $1.thinned).textLength }
    let inFull = Self.whole - Self.ofFindings - min(thin, Self.asRows)
    for place in order(document.elements("findings")) where inFull - spent > Self.least {
      let connection = again(place).cut(to: sizes.count == 1 ? min(inFull, Self.ofOnly) : Self.ofOne)
      let length = connection.textLength
      guard spent + length <= inFull else { continue }
      spent += length
      full.insert(place)
      rows[place] = connection.asEmbedded
    }
    // Taken before it was known how many there are.
    for place in rows.indices where !rows[place].isEmbedded { rows[place] = rows[place].thinned.asEmbedded }
    var left = Self.asRows
    let kept = rows.indices.filter { place in
      guard !full.contains(place), left > 0 else { return full.contains(place) }
      left -= rows[place].textLength
      return left > 0
    }
    let exchanges = sizes.reduce(0) { $0 + $1.exchanges } - kept.reduce(0) { $0 + sizes[$1].exchanges }
    return described(document, kept.map { rows[$0] }, full: full.count, cutExchanges: exchanges)
  }

  private func described(
    _ document: DocumentNode, _ kept: [DocumentNode], full: Int, cutExchanges: Int
  ) -> DocumentNode {
    let cut = sizes.count - kept.count
    let findings = Self.worst(document.elements("findings"))
    let words =
      "this page holds \(Wording.number(UInt64(full))) of "
      + "\(Wording.count(UInt64(sizes.count), "connection")) in full: those with diagnoses, the slowest, those with the "
      + "longest gaps and a sample; of the others it has the figures. --connection and --where make a page of what is "
      + "looked for, -o json holds more"
    let capture = document["capture"] ?? .object([])
    return
      document
      .setting("connections", .array(kept))
      .setting("findings", .array(findings))
      .setting("capture", capture.setting("limits", .array(capture.elements("limits") + [.string(words)])))
      .adding(Int64(cut), to: "connectionsCut")
      .adding(Int64(cutExchanges), to: "exchangesCut")
      .adding(Int64(document.elements("findings").count - findings.count), to: "findingsCut")
  }

  /// The worst, in the order of the document.
  private static func worst(_ findings: [DocumentNode]) -> [DocumentNode] {
    let numbered = Array(findings.enumerated())
    var (left, kept): (Int, [Int]) = (ofFindings, [])
    for (place, finding) in DocumentFinding.worstFirst(numbered, { DocumentFinding($0.element) }) {
      left -= finding.textLength
      guard left > 0 else { break }
      kept.append(place)
    }
    return kept.sorted().map { findings[$0] }
  }

  /// All places, the one that a reader would miss most first.
  private func order(_ findings: [DocumentNode]) -> [Int] {
    let roots = findings.map(DocumentFinding.init).filter { !$0.isLint && $0.causedBy == nil }
    let hurt = DocumentFinding.worstFirst(roots) { $0 }.compactMap(\.connection)
    let places = Dictionary(sizes.map { ($0.number, $0.place) }, uniquingKeysWith: { first, _ in first })
    let slowest = sizes.sorted { $0.total > $1.total }.prefix(Self.slowest)
    let gaps = sizes.sorted { $0.gap > $1.gap }.prefix(Self.slowest)
    let step = max(1, sizes.count / Self.sample)
    var wanted = hurt.compactMap { places[$0] }
    for (one, other) in zip(slowest, gaps) { wanted += [one.place, other.place] }
    wanted += stride(from: 0, to: sizes.count, by: step)
    var known: Set<Int> = []
    var order: [Int] = []
    for place in wanted {
      // The other hop belongs to it.
      let hops = [place] + [sizes[place].outer.flatMap { places[$0] }].compactMap { $0 }
      for hop in hops where known.insert(hop).inserted { order.append(hop) }
    }
    for size in sizes where !known.contains(size.place) { order.append(size.place) }
    return order
  }
}

extension DocumentNode {
  /// About how long it is as text.
  var textLength: Int {
    switch self {
    case .null, .bool: 5
    case .integer(let value): value.digits
    case .number(let text): text.utf8.count
    case .string(let text): text.utf8.count + 2
    case .integers(let values): values.reduce(2) { $0 + $1.digits + 1 }
    case .array(let elements): elements.reduce(2) { $0 + $1.textLength + 1 }
    case .object(let fields): fields.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.textLength }
    case .embedded(let text): text.count
    }
  }

  func setting(_ key: String, _ value: DocumentNode) -> DocumentNode {
    var fields = fields
    if let at = fields.firstIndex(where: { $0.key == key }) {
      fields[at].value = value
    } else {
      fields.append(Field(key, value))
    }
    return .object(fields)
  }

  fileprivate var isEmbedded: Bool { if case .embedded = self { true } else { false } }

  fileprivate var asEmbedded: DocumentNode {
    var text = HTMLText()
    text.json(self)
    return .embedded(text.taken())
  }

  fileprivate func adding(_ count: Int64, to key: String) -> DocumentNode {
    count > 0 ? setting(key, .integer((integer(key) ?? 0) &+ count)) : self
  }

  /// A connection as rows: without what only its details show.
  fileprivate var thinned: DocumentNode {
    let pieces = self["items"]?["ns"]?.integers.count ?? 0
    let entries = elements("timeline").count
    let exchanges = elements("exchanges").map { exchange in
      exchange.without(["window"]).changing(["request", "response"]) { $0.without(["headers", "trailers"]) }
    }
    return without(["items", "timeline"]).changing(["toServer", "toClient"], \.withoutZeros)
      .setting("exchanges", .array(exchanges))
      .adding(Int64(pieces), to: "itemsCut").adding(Int64(entries), to: "timelineCut")
  }

  private func changing(_ keys: [String], _ change: (DocumentNode) -> DocumentNode) -> DocumentNode {
    .object(fields.map { keys.contains($0.key) ? Field($0.key, change($0.value)) : $0 })
  }

  /// The page takes a counter that is not there for zero.
  private var withoutZeros: DocumentNode {
    .object(fields.filter { if case .integer(0) = $0.value { false } else { true } })
  }

  /// A connection with as many of its pieces as fit.
  fileprivate func cut(to room: Int) -> DocumentNode {
    let length = textLength
    guard length > room, let items = self["items"], case let count = items["ns"]?.integers.count ?? 0, count > 0 else {
      return self
    }
    let ofItems = items.textLength
    let limit = max(0, Int(Double(count) * Double(room - (length - ofItems)) / Double(ofItems)))
    guard limit < count else { return self }
    let columns = items.fields.map { field -> Field in
      switch field.value {
      case .integers(let values) where values.count == count: Field(field.key, .integers(Array(values[..<limit])))
      case .array(let values) where values.count == count: Field(field.key, .array(Array(values[..<limit])))
      default: field
      }
    }
    return setting("items", .object(columns)).adding(Int64(count - limit), to: "itemsCut")
  }

  private func without(_ keys: Set<String>) -> DocumentNode {
    .object(fields.filter { !keys.contains($0.key) })
  }
}

extension Int64 {
  fileprivate var digits: Int {
    var (rest, count) = (magnitude / 10, self < 0 ? 2 : 1)
    while rest > 0 { (rest, count) = (rest / 10, count + 1) }
    return count
  }
}
