import Trace

/// A time as RFC 3339 writes it, with nine digits.
struct ClockTime {
  let text: String

  init(_ time: Timestamp) {
    let second: Int64 = 1_000_000_000
    let seconds = time.nanoseconds.flooredQuotient(by: second)
    let rest = time.nanoseconds &- seconds &* second
    let days = seconds.flooredQuotient(by: 86_400)
    let clock = seconds - days * 86_400
    let date = ClockTime.date(days)
    let pad = { (value: Int64, width: Int) -> String in
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    text =
      "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T\(pad(clock / 3600, 2)):"
      + "\(pad(clock / 60 % 60, 2)):\(pad(clock % 60, 2)).\(pad(rest, 9))Z"
  }

  /// Proleptic Gregorian, from days since 1970. The year is taken to begin in March, so that the leap day is its last.
  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (civil <= 2 ? 1 : 0), civil, day)
  }
}

extension ClockTime {
  /// Reads what `text` writes, and nothing else.
  static func parse(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00.000000000Z".utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, place) in zip(bytes, form) {
      let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      guard place == UInt8(ascii: "0") ? isDigit : byte == place else { return nil }
    }
    let number = { (range: Range<Int>) in bytes[range].reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
    let (month, day) = (number(5..<7), number(8..<10))
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let clock = number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
    let seconds = days(number(0..<4), month, day) * 86_400 + clock
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : Timestamp(nanoseconds: nanoseconds).advanced(by: number(20..<29))
  }

  /// Since 1970; the opposite of `date`.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredQuotient(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
