import Citation

/// Figures in sentences, formatted the same everywhere.
package enum Wording {
  /// `1,234,567`
  package static func number(_ value: UInt64) -> String {
    guard value >= 1_000 else { return String(value) }
    var text: [UInt8] = []
    let digits = Array(String(value).utf8)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `653 B`, `1,204 B`: exact, because a packet count or an offset can be checked against it.
  package static func bytes(_ value: UInt64) -> String { number(value) + " B" }

  /// `1 packet`, `20 packets`
  package static func count(_ value: UInt64, _ singular: String, _ plural: String? = nil) -> String {
    value == 1 ? "1 \(singular)" : "\(number(value)) \(plural ?? singular + "s")"
  }

  /// `0.025 ms`, `0.25 ms`, `4.050 s`, `15 min 02 s`, `2 h 05 min`: about three figures, from integers, and never more
  /// than it was.
  package static func duration(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let value = nanoseconds.magnitude
    switch value {
    case 0: return "0 s"
    case ..<1_000: return sign + "\(value) ns"
    case ..<100_000: return sign + decimal(value / 1_000, places: 3) + " ms"
    case ..<10_000_000: return sign + decimal(value / 10_000, places: 2) + " ms"
    case ..<100_000_000: return sign + decimal(value / 100_000, places: 1) + " ms"
    case ..<120_000_000_000: return sign + decimal(value / 1_000_000, places: 3) + " s"
    case ..<7_200_000_000_000:
      let seconds = value / 1_000_000_000
      return sign + "\(seconds / 60) min \(twoDigits(seconds % 60)) s"
    default:
      let minutes = value / 60_000_000_000
      return sign + "\(number(minutes / 60)) h \(twoDigits(minutes % 60)) min"
    }
  }

  /// `0.25 ms after`, or `0.014 ms before` what it crossed on the way.
  package static func after(_ nanoseconds: Int64) -> String {
    "\(duration(Int64(clamping: nanoseconds.magnitude))) \(nanoseconds < 0 ? "before" : "after")"
  }

  private static func twoDigits(_ value: UInt64) -> String { value < 10 ? "0\(value)" : String(value) }

  /// `places` decimal places.
  package static func decimal(_ value: UInt64, places: Int) -> String {
    let digits = String(value)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return padded.dropLast(places) + "." + padded.suffix(places)
  }

  /// `the server`, `the client`: whose bytes travel in a direction.
  package static func sender(_ direction: Direction) -> String {
    direction == .toServer ? "the client" : "the server"
  }

  package static func receiver(_ direction: Direction) -> String { sender(direction.opposite) }
}
