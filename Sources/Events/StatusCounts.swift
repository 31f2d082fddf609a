/// How often requests were answered with which status, or not at all.
package struct StatusCounts: Sendable, Equatable {
  /// More kinds are counted together.
  private static let limit = 32

  private var counts: [(code: UInt16, count: UInt64)] = []
  /// Requests with a status of a further kind.
  package private(set) var others: UInt64 = 0

  package init() {}

  package static func == (left: StatusCounts, right: StatusCounts) -> Bool {
    left.others == right.others && left.counts.elementsEqual(right.counts) { $0 == $1 }
  }

  /// 0 for a request without an answer.
  package mutating func add(_ code: UInt16, _ count: UInt64 = 1) {
    if let at = counts.firstIndex(where: { $0.code == code }) {
      counts[at].count &+= count
    } else if counts.count < Self.limit {
      counts.append((code, count))
    } else {
      others &+= count
    }
  }

  package mutating func add(_ other: StatusCounts) {
    for entry in other.counts { add(entry.code, entry.count) }
    others &+= other.others
  }

  /// By code; without the others.
  package var sorted: [(code: UInt16, count: UInt64)] { counts.sorted { $0.code < $1.code } }

  /// Errors of servers and requests without an answer, the most first; nothing of what clients did wrong.
  package var failures: [(code: UInt16, count: UInt64)] {
    counts.filter { $0.code == 0 || $0.code >= 500 }.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// `12 × 500, 3 none`: failures first, then the most.
  package func words(_ limit: Int, ascii: Bool = false) -> String {
    let failed = failures
    let answered = counts.filter { $0.code != 0 && $0.code < 500 }.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
    var all = (failed + answered).map { entry in
      entry.code == 0
        ? "\(Wording.number(entry.count)) none"
        : "\(Wording.number(entry.count)) \(ascii ? "x" : "×") \(entry.code)"
    }
    if others > 0 { all.append("\(Wording.number(others)) of other kinds") }
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
