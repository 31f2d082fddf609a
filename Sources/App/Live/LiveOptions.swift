import Arguments
import Capture
import Citation

/// Options of live captures only. Names and units are those of tcpdump and tshark.
struct LiveOptions: Sendable {
  var device: String?
  var listsDevices = false
  var snapLength = CaptureLimits.packet
  var bufferBytes = 16 << 20
  var isPromiscuous = true
  var packetLimit: UInt64?
  var duration: Int64?
  var write: String?
  var next = RecordingOptions.Limits()
  var filesKept: Int?
  var fileLimit: Int?
  var byteLimit: UInt64?
  var user: String?
  var readyDescriptor: Int32?
  var readyFile: String?
  var testsPrivileges = false
  var showsScreen = false
  /// The silence after which an open stream is reported as stalled.
  var stall: Int64 = 5_000_000_000
  /// The time after which an idle connection is dropped.
  var idle: Int64 = 3_600_000_000_000

  /// Of files of lines.
  var rotation = LineLog.Rotation()
  private var keepsRotated = false

  /// Checks that concern several flags.
  func check(_ outputs: [OutputRequest]) throws(UsageError) {
    if !rotation.isEmpty || keepsRotated, !outputs.contains(where: \.isLog) {
      throw UsageError("--rotate-size, --rotate-age and --rotate-keep need -o ndjson=FILE")
    }
    if keepsRotated, rotation.isEmpty {
      throw UsageError(
        "--rotate-keep needs a limit for each file", hint: "add --rotate-size 100M or --rotate-age 3600s")
    }
    if write == "-" { throw UsageError("-w needs a file: standard output is for the report") }
    if write == nil {
      if !next.isEmpty || filesKept != nil { throw UsageError("-b needs a file: -w FILE") }
      if fileLimit != nil || byteLimit != nil { throw UsageError("-a filesize and -a files need -w FILE") }
    }
    if next.isEmpty, filesKept != nil {
      throw UsageError("-b files needs a limit for each file", hint: "add -b filesize:KB or -b duration:S")
    }
    if next.isEmpty, fileLimit != nil {
      throw UsageError("-a files needs a limit for each file", hint: "add -b filesize:KB or -b duration:S")
    }
  }
}

extension LiveOptions {
  private enum Word: String, CaseIterable { case duration, filesize, packets, files }

  /// `-b`: when the next file is begun.
  mutating func addRing(_ text: String) throws(UsageError) {
    let (word, number) = try Self.condition(text, "-b")
    switch word {
    case .duration: next.nanoseconds = try Self.nanoseconds(number, "-b")
    case .filesize: next.bytes = try Self.kilobytes(number, "-b")
    case .packets: next.packets = number
    case .files: filesKept = Int(clamping: number)
    }
  }

  /// `-a`: when the capture ends.
  mutating func addStop(_ text: String) throws(UsageError) {
    let (word, number) = try Self.condition(text, "-a")
    switch word {
    case .duration: duration = try Self.nanoseconds(number, "-a")
    case .filesize: byteLimit = try Self.kilobytes(number, "-a")
    case .packets: packetLimit = number
    case .files: fileLimit = Int(clamping: number)
    }
  }

  private static func condition(_ text: String, _ flag: String) throws(UsageError) -> (Word, UInt64) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let word = Word(rawValue: parts[0]), let number = UInt64(parts[1]), number > 0 else {
      let near = parts.first.flatMap { nearestWord(to: $0, among: Word.allCases.map(\.rawValue)) }
      throw UsageError(
        "\(flag) takes duration:S, filesize:KB, packets:N or files:N, not '\(text)'",
        hint: near.flatMap { $0 == parts.first ? nil : "did you mean \($0)?" })
    }
    return (word, number)
  }

  private static func nanoseconds(_ seconds: UInt64, _ flag: String) throws(UsageError) -> Int64 {
    guard seconds < 1 << 32 else { throw UsageError("\(flag) duration:\(seconds) is too long") }
    return Int64(seconds) * 1_000_000_000
  }

  /// Of 1000 bytes, as in tshark.
  private static func kilobytes(_ number: UInt64, _ flag: String) throws(UsageError) -> UInt64 {
    guard number < 1 << 40 else { throw UsageError("\(flag) filesize:\(number) is too large") }
    return number * 1_000
  }

  /// `-B`: MiB as in tshark; tcpdump's KiB with a K.
  static func buffer(_ text: String) throws(UsageError) -> Int {
    guard let bytes = size(text, plain: 1 << 20), (1 << 16...1 << 30).contains(bytes) else {
      throw UsageError("-B needs a size from 64K to 1G, such as 32M, not '\(text)'; a plain number is MiB")
    }
    return bytes
  }

  /// Seconds, or with a unit.
  static func time(_ text: String, _ flag: String) throws(UsageError) -> Int64 {
    let (digits, unit): (Substring, Int64) =
      text.hasSuffix("ms")
      ? (text.dropLast(2), 1_000_000) : (text.hasSuffix("s") ? text.dropLast() : text[...], 1_000_000_000)
    guard let number = Int64(digits), (1...86_400_000).contains(number) else {
      throw UsageError("\(flag) needs a time such as 5s or 500ms, not '\(text)'")
    }
    return number * unit
  }

  mutating func keepRotated(_ text: String) throws(UsageError) {
    guard let number = Int(text), (1...LineLog.Rotation.keptLimit).contains(number) else {
      throw UsageError("--rotate-keep needs a number from 1 to \(LineLog.Rotation.keptLimit), not '\(text)'")
    }
    rotation.kept = number
    keepsRotated = true
  }

  /// The first line of a file alone has some thousand bytes.
  static func rotationSize(_ text: String) throws(UsageError) -> UInt64 {
    guard let bytes = size(text), bytes >= 1 << 16 else {
      throw UsageError("--rotate-size needs a size of at least 64K, such as 100M, not '\(text)'")
    }
    return UInt64(bytes)
  }

  /// Of bytes, or with a unit.
  private static func size(_ text: String, plain: Int = 1) -> Int? {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0,
      case let (bytes, overflow) = number.multipliedReportingOverflow(by: unit ?? plain), !overflow
    else { return nil }
    return bytes
  }

  static func snapLength(_ text: String) throws(UsageError) -> Int {
    guard let number = Int(text), (0...CaptureLimits.packet).contains(number) else {
      throw UsageError("-s needs a number of bytes up to \(CaptureLimits.packet), not '\(text)'")
    }
    // As in tcpdump: all of it.
    return number == 0 ? CaptureLimits.packet : number
  }
}
