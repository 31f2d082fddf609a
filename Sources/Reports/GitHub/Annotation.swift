import Events

/// One workflow command. Its text is escaped, so that it cannot start another command.
struct Annotation {
  /// A step shows this many per level.
  static let limit = 10
  /// Longer texts are cut: GitHub shows them folded at best.
  private static let longest = 2_000

  var file: String?
  var title: String
  var message: String

  init(file: String? = nil, title: String, message: String) {
    self.file = file
    self.title = title
    self.message = message
  }

  init(_ found: FindingRun.Found) {
    let finding = found.finding
    var lines = [finding.message]
    if let cause = finding.causedBy { lines.append("A consequence of \(cause).") }
    if let fix = finding.fix { lines.append("Fix: \(fix)") }
    if let filter = finding.filter { lines.append("Packets: \(filter)") }
    lines += found.folded.consequences.map { "And so \($0.rule): \($0.message)" }
    self.init(file: Self.file(of: found.capture), title: finding.rule, message: lines.joined(separator: "\n"))
  }

  /// Annotations for an incomplete capture, or one with nothing to check.
  static func problems(_ capture: DocumentCapture) -> [Annotation] {
    var annotations: [Annotation] = []
    if capture.figure("summary", "connections") == 0 {
      annotations.append(
        Annotation(
          file: file(of: capture), title: "nothing to check",
          message: "\(capture.base): no TCP connection found, so nothing was checked"))
    }
    if !capture.isWhole {
      annotations.append(
        Annotation(
          file: file(of: capture), title: "incomplete capture",
          message: "\(capture.base): \(capture.problems.joined(separator: "; "))"))
    }
    return annotations
  }

  private static func file(of capture: DocumentCapture) -> String? {
    capture.isStandardInput || capture.path.isEmpty ? nil : EscapedText.text(capture.uriPath)
  }

  /// As many as a step shows, the last of which counts what is left out.
  static func kept(_ annotations: [Annotation], _ level: String) -> [Annotation] {
    guard annotations.count > limit else { return annotations }
    let cut = UInt64(annotations.count - limit + 1)
    let last = Annotation(
      title: "streamscope", message: "\(Wording.count(cut, "more \(level)")) not shown: a step is limited to \(limit)")
    return annotations.prefix(limit - 1) + [last]
  }

  func command(_ level: String) -> String {
    let properties = [file.map { "file=\(Self.property($0))" }, "title=\(Self.property(title))"].compactMap { $0 }
    let shown = message.count > Self.longest ? message.prefix(Self.longest) + "…" : message[...]
    return "::\(level) \(properties.joined(separator: ","))::\(Self.data(String(shown)))\n"
  }

  // MARK: Escapes

  static func data(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return LogCommand.disarmed(escaped)
  }

  static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
