import Citation

/// One of several visits of a client to the same place.
protocol Visit {
  var first: PacketRef { get }
  /// nil while it goes on.
  var end: PacketRef? { get }
}

extension Array where Element: Visit {
  /// The first `count` visits that lie within a minute, each after the end of the one before. They are in the order in
  /// which they began, and `count` is at most their number.
  func loop(of count: Int) -> ArraySlice<Element>? {
    var start = 0
    for index in indices.dropFirst() {
      let isAfter = self[index - 1].end.map { $0.number < self[index].first.number } ?? false
      if !isAfter { start = index }
      while self[index].first.time.since(self[start].first.time) > 60_000_000_000 { start += 1 }
      if index - start == count - 1 { return self[start...index] }
    }
    return nil
  }
}
