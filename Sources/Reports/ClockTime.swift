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

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
