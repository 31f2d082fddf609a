import Citation
import HTTPSemantics

/// A date of HTTP in its fixed form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7), as seconds since 1970.
///
/// The two obsolete forms are not read.
struct HTTPDate: Sendable {
  let seconds: Int64

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let monthLetters: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// The value of a field. Nearly every date is written in exactly this form, and is read where it stands: as text it took
  /// a fifth of an exchange.
  init?(_ block: HeaderBlock, _ field: HeaderField) {
    let held = block.bytes
    if let date = HTTPDate(fixed: held.span.extracting(field.value.clamped(to: 0..<held.count))) {
      self = date
    } else {
      self.init(block.value(field))
    }
  }

  /// 29 bytes of the one form.
  private init?(fixed bytes: Span<UInt8>) {
    let shape: StaticString = "AAA, 00 AAA 0000 00:00:00 GMT"
    guard bytes.count == shape.utf8CodeUnitCount else { return nil }
    for index in 0..<bytes.count {
      switch shape.utf8Start[index] {
      case UInt8(ascii: "0"): guard bytes[index].isDigit else { return nil }
      case UInt8(ascii: "A"): guard bytes[index].lowercased &- 0x61 < 26 else { return nil }
      case let other: guard bytes[index] == other else { return nil }
      }
    }
    let month = Self.month(bytes.extracting(8..<11))
    let (day, year) = (Self.pair(bytes, 5), Self.pair(bytes, 12) * 100 + Self.pair(bytes, 14))
    let (hour, minute, second) = (Self.pair(bytes, 17), Self.pair(bytes, 20), Self.pair(bytes, 23))
    guard month > 0, 1...31 ~= day, hour < 24, minute < 60, second <= 60 else { return nil }
    seconds = ((Self.days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  /// Two digits.
  private static func pair(_ bytes: Span<UInt8>, _ index: Int) -> Int64 {
    Int64(bytes[index] &- 0x30) * 10 + Int64(bytes[index + 1] &- 0x30)
  }

  /// Of three letters, or 0.
  private static func month(_ name: Span<UInt8>) -> Int64 {
    let letters = monthLetters.utf8Start
    for month in 0..<12 where name[0] == letters[3 * month] {
      if name[1] == letters[3 * month + 1], name[2] == letters[3 * month + 2] { return Int64(month) + 1 }
    }
    return 0
  }

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
