import Citation
import Events
import HTTPSemantics

/// A Set-Cookie field, without the value.
struct SetCookie {
  var name = ""
  var path: String?
  var isSecure = false
  /// When it ends, to the day: on that day it is not expected any more.
  var expires = Timestamp.distantFuture

  init(_ block: HeaderBlock, _ field: HeaderField, at time: Timestamp) {
    let held = block.bytes
    let bytes = held.span
    var age: Timestamp?
    for (index, part) in FieldList.split(bytes, field.value, at: UInt8(ascii: ";")).enumerated() {
      let text = block.text(of: part)
      let name = text.prefix { $0 != "=" }
      let value = text.dropFirst(name.count).dropFirst()
      if index == 0 {
        self.name = String(name)
        continue
      }
      switch name.lowercased() {
      case "path": path = value.hasPrefix("/") ? String(value) : nil
      case "secure": isSecure = true
      case "expires": expires = Self.date(value) ?? .zero
      case "max-age":
        let (nanoseconds, overflow) = (Int64(value) ?? 0).multipliedReportingOverflow(by: 1_000_000_000)
        age = overflow ? .distantFuture : time.advanced(by: nanoseconds)
      default: break
      }
    }
    // Max-Age has precedence (RFC 6265 §4.1.2.2).
    expires = age ?? expires
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// `Wed, 21 Oct 2026 07:28:00 GMT`, also with hyphens; to the day, which is all that is asked.
  private static func date(_ text: Substring) -> Timestamp? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    guard words.count >= 4, let day = Int64(words[1]), (1...31).contains(day),
      let month = months.firstIndex(of: words[2].lowercased()), var year = Int64(words[3]), (0...9_999).contains(year)
    else { return nil }
    if year < 70 { year += 2_000 } else if year < 100 { year += 1_900 }
    // Days since 1970 in the Gregorian calendar, with years that begin in March.
    let shifted = year - (month < 2 ? 1 : 0)
    let dayOfYear = (153 * Int64((month + 10) % 12) + 2) / 5 + day - 1
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    let (nanoseconds, overflow) = days.multipliedReportingOverflow(by: 86_400_000_000_000)
    return overflow ? .distantFuture : Timestamp(nanoseconds: nanoseconds)
  }
}

/// Where cookies are sent, RFC 6265 §5.1.4.
enum CookiePath {
  /// Whether a cookie of one path is sent to another.
  static func covers(_ cookie: String, _ path: String) -> Bool {
    path == cookie || (path.hasPrefix(cookie) && (cookie.hasSuffix("/") || path.dropFirst(cookie.count).first == "/"))
  }

  /// The default path of a cookie.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// What two paths have in common, whole segments only: a cookie that was sent on both covers that.
  static func common(_ a: String, _ b: String) -> String {
    if a == b { return a }
    let left = a.split(separator: "/", omittingEmptySubsequences: false)
    let right = b.split(separator: "/", omittingEmptySubsequences: false)
    let same = zip(left, right).prefix { $0 == $1 }.map { $0.0 }
    let joined = same.joined(separator: "/")
    return joined.isEmpty ? "/" : joined
  }
}
