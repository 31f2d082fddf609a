import Citation
import Events
import HTTPSemantics

/// Which exchange of one capture belongs to which of the other: by the key of a WebSocket, by method and target, by
/// method and the shape of the path, by what was sent; and among those that are alike in order, so that as much as
/// possible fits.
struct ExchangeMatcher {
  struct Match: Equatable {
    var a: Int
    var b: Int
    var reason: MatchReason
  }

  /// More of a kind are paired by their place alone.
  private static let tableLimit = 1 << 20

  private let sides: BothSides<[ComparedExchange]>
  private var open: BothSides<[Int]>
  private(set) var matches: [Match] = []
  /// Those of A that were paired by their place alone, because there are too many that are alike.
  private(set) var pairedByPlace = 0

  init(_ a: [ComparedExchange], _ b: [ComparedExchange]) {
    sides = BothSides(a: a, b: b)
    open = BothSides(a: Array(a.indices), b: Array(b.indices))
    match(.socketKey) { $0.socketKey.map { "\($0)" } }
    match(.target) { "\($0.record.method) \($0.requestTarget)" }
    match(.path) { $0.record.method.isEmpty ? nil : "\($0.record.method) \(PathTemplate.of($0.record.target))" }
    match(.content) { exchange in exchange.sentHash.map { "\(exchange.record.method) \($0)" } }
    matchRemaining()
    matches.sort { ($0.a, $0.b) < ($1.a, $1.b) }
  }

  var unmatched: BothSides<[Int]> { open }

  // MARK: Groups

  /// Pairs those of a kind that have the same key.
  private mutating func match(_ reason: MatchReason, _ key: (ComparedExchange) -> String?) {
    let ofA = groups(.a, key)
    let ofB = groups(.b, key)
    var matched = BothSides<Set<Int>>(a: [], b: [])
    for (key, a) in ofA {
      guard let b = ofB[key] else { continue }
      for (left, right) in pairs(a, b) {
        matches.append(Match(a: left, b: right, reason: reason))
        matched.a.insert(left)
        matched.b.insert(right)
      }
    }
    open.a.removeAll { matched.a.contains($0) }
    open.b.removeAll { matched.b.contains($0) }
  }

  private func groups(_ side: CompareSide, _ key: (ComparedExchange) -> String?) -> [String: [Int]] {
    var groups: [String: [Int]] = [:]
    for index in open[side] {
      if let key = key(sides[side][index]) { groups[key, default: []].append(index) }
    }
    return groups
  }

  private mutating func matchRemaining() {
    let ofA = groups(.a) { $0.record.method }
    let ofB = groups(.b) { $0.record.method }
    var matched = BothSides<Set<Int>>(a: [], b: [])
    for (method, a) in ofA where a.count == 1 && !method.isEmpty {
      guard let b = ofB[method], b.count == 1 else { continue }
      matches.append(Match(a: a[0], b: b[0], reason: .remaining))
      matched.a.insert(a[0])
      matched.b.insert(b[0])
    }
    open.a.removeAll { matched.a.contains($0) }
    open.b.removeAll { matched.b.contains($0) }
  }

  // MARK: One group

  /// In order, with the most in common.
  private mutating func pairs(_ a: [Int], _ b: [Int]) -> [(Int, Int)] {
    if a.count == 1, b.count == 1 { return [(a[0], b[0])] }
    guard a.count * b.count <= Self.tableLimit else {
      pairedByPlace += min(a.count, b.count)
      return Array(zip(a, b))
    }
    let traitsOfA = a.map { Traits(sides.a[$0]) }
    let traitsOfB = b.map { Traits(sides.b[$0]) }
    let width = b.count + 1
    var best = [Int32](repeating: 0, count: (a.count + 1) * width)
    for i in a.indices.reversed() {
      for j in b.indices.reversed() {
        let here = best[(i + 1) * width + j + 1] + traitsOfA[i].likeness(traitsOfB[j])
        best[i * width + j] = max(here, best[(i + 1) * width + j], best[i * width + j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if best[i * width + j] == best[(i + 1) * width + j + 1] + traitsOfA[i].likeness(traitsOfB[j]) {
        pairs.append((a[i], b[j]))
        (i, j) = (i + 1, j + 1)
      } else if best[i * width + j] == best[(i + 1) * width + j] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}

/// What exchanges are distinguished by, as figures: of a group each is compared with each.
private struct Traits {
  private let client: Endpoint
  private let server: Endpoint
  private let sent: UInt64?
  private let came: UInt64?
  private let status: Status?
  private let head: UInt64?
  private let host: UInt64?

  init(_ exchange: ComparedExchange) {
    client = exchange.connection.client
    server = exchange.connection.server
    sent = exchange.sentHash
    came = exchange.record.response?.contentHash
    status = exchange.record.status
    head = exchange.record.request?.head.map { ContentHash.of($0.block.bytes) }
    host = exchange.record.host.map { ContentHash.of(Array($0.utf8)) }
  }

  /// How much two exchanges have in common; more than nothing, because one without a partner is worse than any.
  func likeness(_ other: Traits) -> Int32 {
    var score: Int32 = 16
    if client == other.client, server == other.server { score += 8 }
    if let sent, sent == other.sent { score += 4 }
    if let came, came == other.came { score += 3 }
    if status == other.status { score += 2 }
    if let head, head == other.head { score += 2 }
    if host == other.host { score += 1 }
    return score
  }
}

extension ComparedExchange {
  /// Of a handshake; not the sample of the RFC, which many send.
  var socketKey: String? {
    guard let key = record.request?.head?.block.value("sec-websocket-key"), !key.isEmpty,
      key != "dGhlIHNhbXBsZSBub25jZQ=="
    else { return nil }
    return key
  }

  /// Without scheme and authority: towards a proxy a target has them.
  var requestTarget: String {
    let target = record.target
    guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return target }
    let rest = target[scheme.upperBound...]
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }

  /// Of the body that was sent, where there is one.
  var sentHash: UInt64? { record.request?.contentHash }
}

extension Message {
  /// Of its body, where that is known from its first byte to its last; nil where there is none.
  var contentHash: UInt64? {
    guard isComplete, let trail, trail.isWhole, trail.bytes > 0 else { return nil }
    return trail.hash
  }
}
