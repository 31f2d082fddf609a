import Citation

/// The number that a recorder counts up in the names of its files, if there is one: `cap_00017_20260101.pcap`, `cap.pcap17`.
struct MemberCounter {
  private var numbers: [String: UInt64] = [:]
  private var empty: Set<UInt64> = []
  private var least: UInt64 = 0
  private var greatest: UInt64 = 0

  /// The empty files are not missing.
  init(_ paths: [String], empty: [String]) {
    let names = (paths + empty).map { Self.parts(of: $0) }
    guard names.count > 1, let places = names.map(\.count).max() else { return }
    for place in 0..<places {
      // The first file of tcpdump -C has no number.
      let counted = names.compactMap { Self.number(at: place, of: $0) }.sorted()
      guard counted.count == names.count, Set(counted).count == counted.count else { continue }
      let steps = zip(counted, counted.dropFirst()).count { $1 - $0 == 1 }
      guard steps * 2 >= counted.count - 1 else { continue }
      for path in paths { numbers[path] = Self.number(at: place, of: Self.parts(of: path)) }
      self.empty = Set(empty.compactMap { Self.number(at: place, of: Self.parts(of: $0)) })
      least = counted.first ?? 0
      greatest = counted.last ?? 0
      return
    }
  }

  /// How many files are missing between two that follow one another; nil if the names do not say.
  func missing(between first: String, and second: String) -> UInt64? {
    guard let before = numbers[first], let after = numbers[second] else { return nil }
    // A ring begins again at its least number.
    if before == greatest, after == least { return 0 }
    guard after > before else { return nil }
    return after - before - 1 - UInt64(empty.count { $0 > before && $0 < after })
  }

  private static func parts(of path: String) -> [NaturalOrder.Part] {
    NaturalOrder.parts(of: String(path.split(separator: "/").last ?? ""))
  }

  private static func number(at place: Int, of parts: [NaturalOrder.Part]) -> UInt64? {
    guard place < parts.count else { return place == parts.count ? 0 : nil }
    if case .number(let number) = parts[place] { return number }
    return nil
  }
}
