import Citation
import Events

/// What happened during an exchange, as an event of its span.
struct SpanEvent {
  enum Content {
    case finding(SpanFinding)
    case firstByte
    case stall(StreamPause)
  }

  /// What OpenTelemetry's own programs allow for.
  static let limit = 128

  let packet: PacketRef
  let content: Content

  init(_ content: Content, at packet: PacketRef) {
    self.packet = packet
    self.content = content
  }

  /// No more than `limit`, by time, and how many are left out: findings stay before the first byte, and that before stalls,
  /// of which the longest stay.
  static func kept(_ events: [SpanEvent]) -> (events: [SpanEvent], dropped: Int) {
    let kept = events.enumerated().sorted { left, right in
      let (first, second) = (left.element.rank, right.element.rank)
      return first == second ? left.offset < right.offset : first < second
    }
    .prefix(limit)
    .sorted { left, right in
      let (first, second) = (left.element.packet, right.element.packet)
      return (first.time, first.number, left.offset) < (second.time, second.number, right.offset)
    }
    return (kept.map(\.element), events.count - kept.count)
  }

  private var rank: (Int, Int64) {
    switch content {
    case .finding: (0, 0)
    case .firstByte: (1, 0)
    case .stall(let pause): (2, -pause.nanoseconds)
    }
  }
}

/// What a span keeps of a finding until it is written.
struct SpanFinding {
  let rule: String
  let fingerprint: String
  let severity: Severity
  let message: String
  let first: PacketRef
  let last: PacketRef

  init(_ finding: Finding, fingerprint: String) {
    rule = finding.rule.text
    self.fingerprint = fingerprint
    severity = finding.shownSeverity
    message = finding.message.text
    first = finding.firstPacket
    last = finding.lastPacket
  }
}

extension JSONWriter {
  /// The fields of an event, inside an object that the caller opened.
  mutating func event(_ event: SpanEvent, within span: ClosedRange<Timestamp>) {
    nanoseconds("timeUnixNano", min(max(event.packet.time, span.lowerBound), span.upperBound))
    switch event.content {
    case .firstByte:
      field("name", "streamscope.response.first_byte")
      array("attributes") { $0.attribute("streamscope.packet.first", count: event.packet.number) }
    case .stall(let pause):
      field("name", "streamscope.stall")
      array("attributes") { list in
        list.attribute("streamscope.stall.cause", pause.cause.name)
        list.attribute("streamscope.stall.duration_ns", pause.nanoseconds)
        list.attribute("streamscope.direction", pause.direction.name)
        list.attribute("streamscope.packet.first", count: pause.from.number)
        list.attribute("streamscope.packet.last", count: pause.to.number)
      }
    case .finding(let finding):
      field("name", "streamscope.finding")
      array("attributes") { list in
        list.attribute("streamscope.finding.rule", finding.rule)
        list.attribute("streamscope.finding.severity", finding.severity.name)
        list.attribute("streamscope.finding.fingerprint", finding.fingerprint)
        list.attribute("streamscope.finding.message", finding.message)
        list.attribute("streamscope.packet.first", count: finding.first.number)
        list.attribute("streamscope.packet.last", count: finding.last.number)
      }
    }
  }
}
