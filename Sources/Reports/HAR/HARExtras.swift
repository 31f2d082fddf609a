import Citation

/// Data for which the format has no field: `_streamscope` of an entry. Times in milliseconds since the entry began, as
/// everywhere in the format.
struct HARExtras {
  private let exchange: DocumentNode
  private let origin: Int64
  private let phases: ExchangePhases
  private let items: [DocumentItems.Item]
  private let findings: [DocumentNode]

  init(_ exchange: DocumentNode, _ phases: ExchangePhases, items: [DocumentItems.Item], findings: [DocumentNode]) {
    self.exchange = exchange
    self.phases = phases
    self.items = items
    self.findings = findings
    origin = phases.opening?.start ?? phases.start
  }

  func write(to json: inout JSONWriter) {
    json.field("exchange", exchange.integer("id"))
    if let kind = exchange["stream"]?.text("kind") { json.field("kind", kind) }
    json.milliseconds("openedAheadMs", known: phases.openedAhead)
    packets(to: &json)
    interim(to: &json)
    ticks(to: &json)
    stalls(to: &json)
    releases(to: &json)
    guard !findings.isEmpty else { return }
    json.array("findings") { list in
      for finding in findings { list.object { HARExtras.finding(finding, to: &$0) } }
    }
  }

  /// First and last, as Wireshark counts them.
  private func packets(to json: inout JSONWriter) {
    let messages = ["request", "response"].compactMap { key in exchange[key].map { (key, $0) } }
    guard !messages.isEmpty else { return }
    json.object("packets") { json in
      for (key, message) in messages {
        guard let first = message.integer("firstPacket"), let last = message.integer("lastPacket") else { continue }
        json.key(FieldName(key))
        json.line([first, last])
      }
    }
  }

  private func interim(to json: inout JSONWriter) {
    let interim = exchange.elements("interim")
    guard !interim.isEmpty else { return }
    json.array("interim") { list in
      for response in interim {
        list.row { json in
          json.milliseconds("tMs", known: response.integer("startNs").map(since))
          json.field("status", response.integer("status"))
          json.field("statusText", response.text("reason"))
          json.field("packet", response.integer("firstPacket"))
        }
      }
    }
  }

  // MARK: Ticks

  /// Chunks as [milliseconds, bytes, events or lines completed in it], of each direction; lines of a body without chunks
  /// and comments of an event stream as [milliseconds, bytes].
  private func ticks(to json: inout JSONWriter) {
    for (name, isToServer) in [("chunks", false), ("requestChunks", true)] {
      let own = items.filter { $0.isToServer == isToServer }
      guard own.contains(where: { $0.kind == "chunk" }) else { continue }
      json.array(FieldName(name)) { list in
        var completed: Int64 = 0
        for item in own {
          if item.kind == "event" || item.kind == "line" { completed += 1 }
          guard item.kind == "chunk" else { continue }
          list.tuple { tuple in
            tuple.decimal(since(item.nanoseconds), scale: 6)
            tuple.integer(item.bytes)
            tuple.integer(completed)
          }
          completed = 0
        }
      }
    }
    for (name, kind) in [("lines", "line"), ("comments", "comment")] {
      let own = items.filter { $0.kind == kind }
      guard !own.isEmpty else { continue }
      json.array(FieldName(name)) { list in
        for item in own {
          list.tuple { tuple in
            tuple.decimal(since(item.nanoseconds), scale: 6)
            tuple.integer(item.bytes)
          }
        }
      }
    }
  }

  // MARK: Silence

  private func stalls(to json: inout JSONWriter) {
    let stalls = exchange["stream"]?.elements("stalls") ?? []
    guard !stalls.isEmpty else { return }
    json.array("stalls") { list in
      for stall in stalls {
        list.row { json in
          json.field("cause", stall.text("cause"))
          json.field("direction", stall.text("direction"))
          json.milliseconds("tMs", known: stall.integer("ns").map(since))
          json.milliseconds("ms", known: stall.integer("durationNs"))
          json.field("firstPacket", stall.integer("firstPacket"))
          json.field("lastPacket", stall.integer("lastPacket"))
          json.field("confidence", stall.text("confidence"))
        }
      }
    }
  }

  /// When a client that holds responses hands this one to its app.
  private func releases(to json: inout JSONWriter) {
    let releases = exchange.elements("releases")
    guard !releases.isEmpty else { return }
    json.array("releases") { list in
      for release in releases {
        list.row { json in
          json.field("client", release.text("client"))
          json.milliseconds("tMs", known: release.integer("ns").map(since))
          json.field("bytes", release.integer("bytes"))
        }
      }
    }
  }

  private func since(_ nanoseconds: Int64) -> Int64 {
    let (rest, overflows) = nanoseconds.subtractingReportingOverflow(origin)
    return overflows ? 0 : rest
  }

  // MARK: Findings

  static func finding(_ finding: DocumentNode, to json: inout JSONWriter) {
    for key in [
      "rule", "severity", "class", "confidence", "cost", "connection", "exchange", "direction", "message", "fix",
      "causedBy", "count", "filter", "filters",
    ] {
      if let value = finding[key] { json.field(FieldName(key), value) }
    }
    var packets: [Int64] = []
    for packet in finding.elements("evidence").compactMap(\.citedPacket) {
      if !packets.contains(packet) { packets.append(packet) }
    }
    guard !packets.isEmpty else { return }
    json.key("packets")
    json.line(packets)
  }
}

extension JSONWriter {
  fileprivate mutating func milliseconds(_ name: FieldName, known nanoseconds: Int64?) {
    if let nanoseconds { field(name, decimal: nanoseconds, scale: 6) }
  }
}
