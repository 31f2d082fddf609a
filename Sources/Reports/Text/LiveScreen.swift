import Citation
import Events

/// The screen of `--top`: rates, open streams with the age of their last byte, stalls with their causes, the newest
/// findings. Pure: turns its input into lines that fit.
package struct LiveScreen: Sendable {
  /// Counts from outside, at one time.
  package struct Figures: Sendable {
    package var device: String
    package var elapsed: Int64
    package var packets: UInt64
    package var bytes: UInt64
    package var dropped: UInt64
    package var time: Timestamp

    package init(
      device: String, elapsed: Int64, packets: UInt64, bytes: UInt64, dropped: UInt64, time: Timestamp
    ) {
      self.device = device
      self.elapsed = elapsed
      self.packets = packets
      self.bytes = bytes
      self.dropped = dropped
      self.time = time
    }
  }

  private static let findingsKept = 50
  private let style: TextStyle
  private let stall: Int64
  private var streams: [OpenStream] = []
  private var newest: [String] = []
  private var findings: UInt64 = 0
  private var exchanges: UInt64 = 0
  private var connections: UInt64 = 0
  /// Those of about a second ago, for rates.
  private var before: Figures?
  private var packetRate: UInt64 = 0
  private var byteRate: UInt64 = 0

  package init(_ style: TextStyle, stall: Int64) {
    self.style = style
    self.stall = stall
  }

  package mutating func take(_ item: ReportItem) {
    switch item {
    case .exchange: exchanges += 1
    case .connection: connections += 1
    case .piece, .stall: break
    case .loss(let loss): note(style.paint("loss", .warning) + "  " + loss.sentence)
    case .finding(let finding):
      guard finding.isDiagnosis || style.showsLint else { return }
      findings += 1
      let name = style.paint(finding.shownSeverity.name, style.paint(for: finding.shownSeverity))
      let number = finding.connection.map { "#\($0)  " } ?? ""
      note("\(name)  \(number)\(finding.rule)  \(EscapedText.text(finding.message.text))")
    }
  }

  private mutating func note(_ line: String) {
    if newest.count == Self.findingsKept { newest.removeFirst() }
    newest.append(line)
  }

  package mutating func show(_ streams: [OpenStream]) { self.streams = streams }

  /// The lines of a screen, none longer than `width`.
  package mutating func lines(_ now: Figures, width: Int, height: Int) -> [String] {
    measure(now)
    var lines = [
      "streamscope live \(EscapedText.text(now.device))   \(Wording.duration(now.elapsed / 1_000_000_000 * 1_000_000_000))   "
        + "\(Wording.count(now.packets, "packet"))   \(Wording.number(packetRate))/s   \(Wording.size(byteRate))/s",
      "\(Wording.count(exchanges, "exchange")) and \(Wording.count(connections, "connection")) finished   "
        + "\(Wording.count(UInt64(streams.count), "open stream"))   \(Wording.count(findings, "finding"))   "
        + (now.dropped > 0
          ? style.paint("\(Wording.number(now.dropped)) dropped", .warning) : "nothing dropped"),
      "",
    ]
    // Half of what is left for streams, the rest for findings; each leaves unused room to the other.
    let room = max(2, height - lines.count - 3)
    let shownFindings = min(newest.count, max(room / 2, room - streams.count))
    let shownStreams = min(streams.count, room - shownFindings)
    lines.append(style.paint("open streams, longest silence first", .strong))
    let ordered = streams.map { (stream: $0, age: max(0, now.time.since($0.last.time))) }
      .sorted {
        ($1.age, $0.stream.key) < ($0.age, $1.stream.key)
      }
    for (stream, age) in ordered.prefix(shownStreams) { lines.append(line(stream, age)) }
    lines.append("")
    lines.append(style.paint("newest findings", .strong))
    lines += newest.suffix(shownFindings).reversed()
    return lines.prefix(height).map { Ink.line(cut($0, to: width), isColored: style.isColored) }
  }

  private func line(_ stream: OpenStream, _ age: Int64) -> String {
    let key = stream.key
    let number = key.isKnown ? "#\(key.connection).\(key.number)" : "#\(key.connection)"
    let arrow = stream.direction == .toServer ? style.toServer : style.toClient
    var text = "\(Wording.duration(age).aligned(right: 12))  \(number.padded(to: 8)) \(arrow) "
    text += "\(Wording.bytes(stream.bytes).aligned(right: 13))  \(EscapedText.text(stream.kind))  "
    let isStalled = stream.isBody && age >= stall
    if isStalled {
      text =
        style.paint(text + "STALLED" + (stream.cause.map { ": " + $0.words(stream.direction) } ?? ""), .warning) + "  "
    }
    return text + EscapedText.text(stream.title)
  }

  private mutating func measure(_ now: Figures) {
    guard let before else {
      self.before = now
      return
    }
    let elapsed = now.elapsed - before.elapsed
    guard elapsed >= 1_000_000_000 else { return }
    let rate = { (count: UInt64) in
      count.multipliedReportingOverflow(by: 1_000).partialValue / UInt64(elapsed / 1_000_000)
    }
    packetRate = rate(now.packets &- before.packets)
    byteRate = rate(now.bytes &- before.bytes)
    self.before = now
  }

  /// Colour codes take no room, and end where the text is cut.
  private func cut(_ text: String, to width: Int) -> String {
    guard text.visibleCount > width else { return text }
    var result = ""
    var count = 0
    for character in text {
      if !Ink.isMark(character) { count += 1 }
      if count > width - 1 { break }
      result.append(character)
    }
    return result + "…" + (style.isColored ? String(Ink.end) : "")
  }
}
