/// How often requests were answered with which status, or not at all.
package struct StatusCounts: Sendable, Equatable {
  /// More kinds are counted together, as the last one.
  private static let limit = 32

  private var counts: [(code: UInt16, count: UInt64)] = []

  package init() {}

  package static func == (left: StatusCounts, right: StatusCounts) -> Bool {
    left.counts.elementsEqual(right.counts) { $0 == $1 }
  }

  /// 0 for a request without an answer.
  package mutating func add(_ code: UInt16, _ count: UInt64 = 1) {
    if let at = counts.firstIndex(where: { $0.code == code }) {
      counts[at].count &+= count
    } else if counts.count < Self.limit {
      counts.append((code, count))
    } else {
      counts[counts.count - 1].count &+= count
    }
  }

  package mutating func add(_ other: StatusCounts) {
    for entry in other.counts { add(entry.code, entry.count) }
  }

  /// By code.
  package var sorted: [(code: UInt16, count: UInt64)] { counts.sorted { $0.code < $1.code } }

  /// Errors of servers and requests without an answer, the most first; nothing of what clients did wrong.
  package var failures: [(code: UInt16, count: UInt64)] {
    counts.filter { $0.code == 0 || $0.code >= 500 }.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// `12 × 500, 3 none`: failures first, then the most.
  package func words(_ limit: Int, ascii: Bool = false) -> String {
    let failed = failures
    let others = counts.filter { $0.code != 0 && $0.code < 500 }.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
    let all = (failed + others).map { entry in
      entry.code == 0
        ? "\(Wording.number(entry.count)) none"
        : "\(Wording.number(entry.count)) \(ascii ? "x" : "×") \(entry.code)"
    }
    guard all.count > limit else { return all.joined(separator: ", ") }
    return all.prefix(limit).joined(separator: ", ") + (ascii ? ", ..." : ", …")
  }
}

extension ExchangeRecord {
  /// The status of its answer, 0 where the connection ended without one; nil where the capture does not show it.
  package var statusOrNone: UInt16? {
    if let code = response?.status.code, code > 0 { return code }
    return isUnanswered && end.isBroken ? 0 : nil
  }
}
