import Citation

/// A date of HTTP in its fixed form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7), as seconds since 1970.
///
/// The two obsolete forms are not read.
struct HTTPDate: Sendable {
  let seconds: Int64

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].count == 4, words[0].last == ",", words[5] == "GMT",
      let day = Self.number(words[1], digits: 2), let month = Self.months.firstIndex(where: { $0 == words[2] }),
      let year = Self.number(words[3], digits: 4)
    else { return nil }
    let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = Self.number(clock[0], digits: 2), let minute = Self.number(clock[1], digits: 2),
      let second = Self.number(clock[2], digits: 2), 1...31 ~= day, hour < 24, minute < 60, second <= 60
    else { return nil }
    seconds = ((Self.days(year, Int64(month) + 1, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  private static func number(_ word: Substring, digits: Int) -> Int64? {
    guard word.utf8.count == digits, word.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return Int64(word)
  }

  /// Days since 1970 in the Gregorian calendar: years begin in March, so that a leap day is their last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
