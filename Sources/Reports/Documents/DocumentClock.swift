import Trace

/// When things were, by a document: it counts nanoseconds from its first packet, whose time of day it names.
struct DocumentClock {
  /// Of the first packet. Without a time it is 1970, and `isKnown` says that this is no date.
  let origin: Timestamp
  let isKnown: Bool

  init(_ document: DocumentNode) {
    let first = document["capture"]?.text("firstTime").flatMap { Timestamp(rfc3339: $0) }
    origin = first ?? .zero
    isKnown = first != nil
  }

  func time(_ nanoseconds: Int64) -> Timestamp {
    let (sum, overflows) = origin.nanoseconds.addingReportingOverflow(nanoseconds)
    return Timestamp(nanoseconds: overflows ? origin.nanoseconds : sum)
  }
}

extension Timestamp {
  /// As documents write it: `2026-11-22T02:42:43.123456789Z`, with up to nine digits of a fraction. No other zone.
  init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    func digits(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[range] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[bytes.count - 1] | 0x20 == UInt8(ascii: "z"), let year = digits(0..<4), let month = digits(5..<7),
      let day = digits(8..<10), let hour = digits(11..<13), let minute = digits(14..<16), let second = digits(17..<19),
      // What 64 bits of nanoseconds hold.
      1678...2261 ~= year, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      let places = bytes.count - 21
      guard bytes[19] == UInt8(ascii: "."), 1...9 ~= places, let value = digits(20..<20 + places) else { return nil }
      fraction = (places..<9).reduce(value) { value, _ in value * 10 }
    }
    let days = Timestamp.days(year, month, day)
    self.init(nanoseconds: (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000_000 + fraction)
  }

  /// Since 1970, by the Gregorian calendar; the year is taken to begin in March, so that the leap day is its last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
