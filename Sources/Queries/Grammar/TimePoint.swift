import Citation

/// A point in a capture as people name it: so long after the first packet, or what a clock showed.
package enum TimePoint: Sendable, Equatable {
  /// Nanoseconds since the first packet.
  case sinceFirst(Int64)
  /// Nanoseconds since the Unix epoch.
  case clock(Int64)
  /// Nanoseconds since midnight, UTC, of the day of the first packet.
  case timeOfDay(Int64)

  private static let second: Int64 = 1_000_000_000
  private static let day = 86_400 * second

  /// `1.5` `1.5s` `2m` `1:30` since the first packet, `12:30:00.5` of its day, or a time as RFC 3339 writes it.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if let date = Self.date(text) {
      self = .clock(date)
    } else if parts.count == 3, let time = Self.timeOfDay(text[...]) {
      self = .timeOfDay(time)
    } else if parts.count == 2, let minutes = Quantity.value(parts[0], times: Quantity.durations["m"] ?? 0),
      !parts[0].contains("."), let seconds = Self.seconds(parts[1]), seconds < 60 * Self.second,
      case let (sum, overflow) = minutes.addingReportingOverflow(seconds), !overflow
    {
      self = .sinceFirst(sum)
    } else if parts.count == 1, let duration = Self.duration(text) {
      self = .sinceFirst(duration)
    } else {
      return nil
    }
  }

  package func resolved(from origin: Timestamp) -> Timestamp {
    switch self {
    case .sinceFirst(let duration): return origin.advanced(by: duration)
    case .clock(let time): return Timestamp(nanoseconds: time)
    case .timeOfDay(let time):
      var rest = origin.nanoseconds % Self.day
      if rest < 0 { rest += Self.day }
      return origin.advanced(by: time &- rest)
    }
  }

  /// Whether it is certain, without knowing the capture, that this comes after another one.
  package func isSurelyAfter(_ other: TimePoint) -> Bool {
    switch (self, other) {
    case (.sinceFirst(let left), .sinceFirst(let right)), (.clock(let left), .clock(let right)),
      (.timeOfDay(let left), .timeOfDay(let right)):
      left > right
    default: false
    }
  }

  // MARK: Forms

  /// Without a unit, seconds.
  private static func duration(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard digits.first?.isNumber == true, digits.last?.isNumber == true else { return nil }
    let name = String(text[digits.endIndex...])
    guard let unit = name.isEmpty ? UInt64(second) : Quantity.durations[name] else { return nil }
    return Quantity.value(digits, times: unit)
  }

  /// Two digits and a fraction.
  private static func seconds(_ text: Substring) -> Int64? {
    let whole = text.prefix { $0 != "." }
    guard whole.utf8.count == 2, text.last != "." else { return nil }
    return Quantity.value(text, times: UInt64(second))
  }

  /// `HH:MM:SS` with a fraction; a leap second is the second after it.
  private static func timeOfDay(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = digits(parts[0], 2), let minutes = digits(parts[1], 2),
      let seconds = seconds(parts[2]), hours < 24, minutes < 60, seconds < 61 * second
    else { return nil }
    return (hours * 3_600 + minutes * 60) * second + seconds
  }

  /// `2026-01-31T12:30:00.5Z`, `2026-01-31 12:30:00+01:00`
  private static func date(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.allSatisfy({ $0 < 0x80 }), [0x54, 0x74, 0x20].contains(bytes[10]) else { return nil }
    let text = Array(text)
    let days = String(text[..<10]).split(separator: "-", omittingEmptySubsequences: false)
    guard days.count == 3, let year = digits(days[0], 4), let month = digits(days[1], 2), let day = digits(days[2], 2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let rest = String(text[11...])
    guard let zoneStart = rest.firstIndex(where: { "Zz+-".contains($0) }), let time = timeOfDay(rest[..<zoneStart]),
      let zone = zone(rest[zoneStart...]), case let seconds = date.daysSince1970 * 86_400,
      case let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: second), !isTooFar,
      case let (sum, overflow) = whole.addingReportingOverflow(time - zone), !overflow
    else { return nil }
    return sum
  }

  private static func zone(_ text: Substring) -> Int64? {
    guard let first = text.first else { return nil }
    if text == "Z" || text == "z" { return 0 }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hours = digits(parts[0], 2), let minutes = digits(parts[1], 2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3_600 + minutes * 60) * second * (first == "-" ? -1 : 1)
  }

  private static func digits(_ text: Substring, _ count: Int) -> Int64? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}
