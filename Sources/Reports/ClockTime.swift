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

  /// Nanoseconds since 1970 of a time in the form of `text`, with any number of digits up to nine. Nil for any other
  /// form, for a day that no calendar has, and outside of what `Timestamp` can hold.
  static func nanoseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let form = Array("dddd-dd-ddTdd:dd:dd".utf8)
    guard bytes.count > form.count, bytes.last == UInt8(ascii: "Z"),
      zip(form, bytes).allSatisfy({ $0 == UInt8(ascii: "d") ? $1.isDigit : $0 == $1 })
    else { return nil }
    let fraction = bytes[form.count..<bytes.count - 1]
    guard fraction.isEmpty || fraction.first == UInt8(ascii: ".") && (2...10).contains(fraction.count),
      fraction.dropFirst().allSatisfy(\.isDigit)
    else { return nil }
    let number = { (range: Range<Int>) in bytes[range].reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard hour < 24, minute < 60, second < 60 else { return nil }
    var rest = fraction.isEmpty ? 0 : number(form.count + 1..<bytes.count - 1)
    for _ in max(1, fraction.count)..<10 { rest *= 10 }
    let days = Self.days(year, month, day)
    guard date(days) == (year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
    let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(rest)
    return isTooMuch || overflow ? nil : sum
  }

  /// The opposite of `date`.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = year - (month <= 2 ? 1 : 0)
    let era = shifted.flooredQuotient(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
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

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
