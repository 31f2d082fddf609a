import Citation

/// A time as RFC 3339 writes it, with nine digits.
struct ClockTime {
  private let time: Timestamp

  init(_ time: Timestamp) { self.time = time }

  var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// "2023-11-14T22:13:20.000000000Z": every time has a year of four digits.
  func append(to bytes: inout [UInt8]) {
    bytes.append(room: Self.length) { write(to: &$0) }
  }

  func write(to pen: inout Pen) {
    let second: Int64 = 1_000_000_000
    let seconds = time.nanoseconds.flooredQuotient(by: second)
    let days = seconds.flooredQuotient(by: 86_400)
    let clock = UInt64(truncatingIfNeeded: seconds - days * 86_400)
    let date = CivilDate(daysSince1970: days)
    @inline(__always)
    func put(_ value: UInt64, _ width: Int, _ following: Unicode.Scalar) {
      pen.append(digits: value, width: width)
      pen.append(UInt8(ascii: following))
    }
    put(UInt64(clamping: date.year), 4, "-")
    put(UInt64(clamping: date.month), 2, "-")
    put(UInt64(clamping: date.day), 2, "T")
    put(clock / 3_600, 2, ":")
    put(clock / 60 % 60, 2, ":")
    put(clock % 60, 2, ".")
    put(UInt64(truncatingIfNeeded: time.nanoseconds &- seconds &* second), 9, "Z")
  }

  static let length = 30

  /// Reads a time in the form of `text`, with any number of digits up to nine. Nil for any other
  /// form, for a day that no calendar has, and outside of what `Timestamp` can hold.
  static func parse(_ text: String) -> Timestamp? {
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
    guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
    let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(rest)
    return isTooMuch || overflow ? nil : Timestamp(nanoseconds: sum)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
