import Platform

/// Names of the files of a recording: as given, or with a number and the local time as tshark does:
/// NAME_00001_20260131123000.pcapng.
enum RecordingNames {
  static func name(_ path: String, number: Int, at seconds: Int) -> String {
    let (stem, suffix) = parts(path)
    return "\(stem)_\(padded(number % 100_000, 5))_\(stamp(seconds))\(suffix)"
  }

  /// The suffix begins at the last dot of the last part of the path, unless that is how the name begins.
  private static func parts(_ path: String) -> (stem: String, suffix: String) {
    let bytes = Array(path.utf8)
    let start = (bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot > start else { return (path, "") }
    return (String(decoding: bytes[..<dot], as: UTF8.self), String(decoding: bytes[dot...], as: UTF8.self))
  }

  private static func stamp(_ seconds: Int) -> String {
    guard let time = LocalTime(secondsSinceEpoch: seconds) else { return String(seconds) }
    let date = padded(time.year, 4) + padded(time.month, 2) + padded(time.day, 2)
    return date + padded(time.hour, 2) + padded(time.minute, 2) + padded(time.second, 2)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
