import Citation
import Events

/// Orders differences by usefulness, and assigns their roles.
///
/// Between two points what changes the content comes first, then its framing, and then what hops write into heads.
///
/// If two runs got different responses, differences of the requests are possible causes, the smallest first: a letter
/// before a field. Later differences, such as the response itself, are consequences.
struct DifferenceOrder {
  private let pair: ComparedPair
  private let relation: CaptureRelation

  init(_ pair: ComparedPair, _ relation: CaptureRelation) {
    self.pair = pair
    self.relation = relation
  }

  func ordered(_ found: [Difference]) -> [Difference] {
    let judged = found.map(judged)
    return judged.enumerated().sorted { left, right in
      let one = weight(left.element)
      let other = weight(right.element)
      return one == other ? left.offset < right.offset : one.lexicographicallyPrecedes(other)
    }.map(\.element)
  }

  private func weight(_ difference: Difference) -> [Int] {
    let part = Difference.Part.allCases.firstIndex(of: difference.part) ?? 0
    let isAside = difference.role == .hop || difference.role == .individual
    // What was asked comes before the connection that it was asked on.
    let place = difference.part == .request ? -1 : part
    let rank = relation.kind == .points ? difference.rank : 0
    return [isAside ? 1 : 0, rank, place, size(difference)]
  }

  /// Small differences are easily overlooked, so they come first.
  private func size(_ difference: Difference) -> Int {
    switch difference.kind {
    case .codingCase: 0
    case .fieldCase: 1
    case .method, .target, .version, .status: 2
    case .framing, .contentCoding: 3
    case .fieldValue: 4
    case .fieldAdded, .fieldRemoved: 5
    case .fieldOrder: 6
    default: 7
    }
  }

  private func judged(_ difference: Difference) -> Difference {
    var difference = difference
    switch relation.kind {
    case .points:
      // On its way to another point nothing of it should change, but what is made anew on each hop.
      // Whoever receives a request may say 100 to it.
      if difference.isContinue { difference.role = .hop }
      if difference.role == .individual {
        difference.role = difference.name.lowercased().hasPrefix("sec-websocket-") ? .hop : .plain
      }
    case .runs:
      // Both are on the same hop, as far as known.
      if difference.isAddress { difference.role = .individual }
      if difference.role == .hop { difference.role = difference.kind == .masks ? .individual : .plain }
      guard difference.role == .plain, endsApart else { break }
      difference.role = isAsked(difference) ? .cause : .consequence
    }
    return difference
  }

  /// The two runs were answered differently.
  private var endsApart: Bool {
    let a = pair.a.record
    let b = pair.b.record
    return a.isFailed != b.isFailed || a.status != b.status
  }

  /// It was so before there was an answer.
  private func isAsked(_ difference: Difference) -> Bool {
    switch difference.part {
    case .request, .tls: true
    case .upload: CompareSide.allCases.allSatisfy { !pair[$0].wasAnsweredEarly }
    case .connection, .interim, .response, .download, .webSocket: false
    }
  }
}

extension ComparedExchange {
  /// The answer came while the request was still being sent: how that went on may be its consequence.
  fileprivate var wasAnsweredEarly: Bool {
    guard let answered = record.response?.first, let request = record.request else { return record.response == nil }
    return answered.number < request.last.number || !request.isComplete
  }
}

extension Difference {
  /// Only 100 was sent before the response.
  fileprivate var isContinue: Bool {
    kind == .interim && [a, b].allSatisfy { $0?.split(separator: ", ").allSatisfy { $0.hasPrefix("100") } ?? true }
  }

  /// A Host that is an address, and not a name: another one where another machine or port was used.
  fileprivate var isAddress: Bool {
    guard kind == .fieldValue, name.lowercased() == "host" else { return false }
    return [a, b].allSatisfy { value in
      value?.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E || $0 == 0x3A || $0 == 0x5B || $0 == 0x5D } ?? false
    }
  }
}
