import Citation
import Events

// The objects of streamscope.result/1, separate from internal types: a change of the program cannot change the document
// by accident. Every function here writes one object, with its keys in the order of the contract. Empty keys are left
// out, unless the contract requires them.

/// Data that all writers of a document need.
struct ResultContext {
  let origin: Timestamp
  let redaction: Redaction
  let file: String
  /// Of a series: which file each packet is in.
  var members: MemberTable?
  /// Connections behind a proxy, and those in front of it; known only at the end.
  var hops: [Int: Int] = [:]
  /// Exchanges that are uplink and downlink of each other; known only at the end, too.
  var pairs: [ExchangeKey: ExchangeKey] = [:]
  /// Of a comparison: of each capture its own.
  var sides: BothSides<ResultContext>? {
    get { own.first }
    set { own = newValue.map { [$0] } ?? [] }
  }
  private var own: [BothSides<ResultContext>] = []

  init(origin: Timestamp, redaction: Redaction, file: String) {
    self.origin = origin
    self.redaction = redaction
    self.file = file
  }

  /// Nanoseconds since the first packet.
  func relative(_ time: Timestamp) -> Int64 { time.since(origin) }
}

extension JSONWriter {
  mutating func field(_ name: FieldName, nonzero value: UInt64) {
    if value > 0 { field(name, value) }
  }

  mutating func tool(_ run: RunInfo) {
    object("tool") { json in
      json.field("name", "streamscope")
      json.field("version", run.version)
      json.array("features") { list in for feature in run.features { list.value(feature) } }
    }
  }

  /// What else is known of a run, if anything.
  mutating func run(_ run: RunInfo) {
    guard run.isLive || !run.labels.isEmpty else { return }
    object("run") { json in
      if run.isLive { json.field("live", true) }
      guard !run.labels.isEmpty else { return }
      json.array("labels") { list in
        for label in run.labels {
          list.object { json in
            json.field("name", label.name)
            json.field("value", label.value)
          }
        }
      }
    }
  }

  mutating func redaction(_ redaction: Redaction, payloads: UInt64) {
    object("redaction") { json in
      json.field("mode", redaction.isOn ? "default" : "none")
      json.object("counts") { counts in counts.field("payload", payloads) }
    }
  }

  mutating func capture(_ capture: CaptureRecord, _ context: ResultContext) {
    object("capture") { json in
      json.field("file", capture.file)
      json.field("error", capture.error)
      if let members = capture.members {
        json.array("members") { list in
          for member in members.all {
            list.object { json in
              json.field("file", member.file)
              if let before = member.before { json.field("firstPacket", before + 1) }
            }
          }
        }
      }
      json.field("format", capture.format)
      json.array("linkTypes") { list in for name in capture.linkTypes { list.value(name) } }
      json.field("packets", capture.packets)
      json.field("bytes", capture.bytes)
      json.field("firstTime", at: capture.firstTime)
      json.field("lastTime", at: capture.lastTime)
      json.field("durationNs", capture.duration)
      json.field("complete", capture.isComplete)
      json.array("problems") { list in for problem in capture.problems { list.value(problem) } }
      json.field("dropped", capture.dropped)
      if !capture.losses.isEmpty {
        json.array("losses") { list in
          for loss in capture.losses { list.object { $0.loss(loss, context) } }
        }
      }
      json.field("snaplenCut", nonzero: capture.snaplenCut)
      json.field("timeReversals", nonzero: capture.timeReversals)
      json.field("datagrams", nonzero: capture.datagrams)
      if !capture.undecoded.isEmpty {
        json.map("undecoded", capture.undecoded.map { ($0.name, Int64(clamping: $0.count)) })
      }
      json.field("opaque", nonzero: capture.opaque)
      if !capture.limits.isEmpty {
        json.array("limits") { list in for limit in capture.limits { list.value(limit) } }
      }
      json.field("vantage", capture.vantage?.rawValue)
    }
  }

  mutating func summary(_ summary: Summary) {
    object("summary") { json in
      json.field("connections", summary.connections)
      json.field("exchanges", summary.exchanges)
      json.field("websockets", summary.webSockets)
      json.field("eventStreams", summary.eventStreams)
      json.field("hurt", summary.hurt)
      json.object("findings") { counts in
        for severity in Severity.allCases.reversed() {
          counts.field(FieldName(severity.name), summary.findings[severity, default: 0])
        }
      }
      json.field("lint", summary.lint)
      if let selection = summary.selection { json.selection(selection) }
    }
  }

  private mutating func selection(_ selection: SelectionRecord) {
    object("selection") { json in
      json.field("where", selection.condition)
      json.field("from", selection.from)
      json.field("to", selection.to)
      json.field("exchangesLeftOut", selection.exchangesLeftOut)
      json.field("connectionsLeftOut", selection.connectionsLeftOut)
      json.field("findingsLeftOut", selection.findingsLeftOut)
      json.field("exchangesBeyond", nonzero: selection.exchangesBeyond)
    }
  }

  // MARK: Connections

  /// The fields of a connection, inside an object that the caller opened; without exchanges if those are
  /// written separately.
  mutating func connection(_ record: ConnectionRecord, _ exchanges: [ExchangeRecord]?, _ context: ResultContext) {
    field("id", record.number)
    field("communityId", CommunityID.text(record.client, record.server))
    endpoint(
      "client", record.client, name: nil, agent: record.clientAgent,
      library: record.clientAgent.flatMap { ClientIdentity(agent: $0)?.library })
    endpoint("server", record.server, name: record.serverName, agent: record.serverAgent)
    field("namedBy", record.namedBy?.number)
    field("midstream", record.isMidstream)
    if record.isOneSided { field("oneSided", true) }
    field("firstPacket", record.firstPacket.number)
    field("lastPacket", record.lastPacket.number)
    field("startNs", context.relative(record.firstPacket.time))
    field("endNs", context.relative(record.lastPacket.time))
    if record.roundTrip.isKnown {
      object("rtt") { json in
        json.field("clientNs", record.roundTrip.clientNanoseconds)
        json.field("serverNs", record.roundTrip.serverNanoseconds)
      }
    }
    field("vantage", record.roundTrip.vantage?.rawValue)
    field("hopOf", context.hops[record.number])
    object("end") { json in
      json.field("kind", record.end.kind.rawValue)
      json.field("by", record.end.by.rawValue)
      json.field("packet", record.end.packet?.number)
    }
    side("toServer", record.sides.toServer)
    side("toClient", record.sides.toClient)
    array("protocols") { list in for name in record.protocols { list.value(name) } }
    if !record.encapsulation.isEmpty {
      array("encapsulation") { list in for name in record.encapsulation { list.value(name) } }
    }
    field("roundTripsToFirstByte", record.roundTripsToFirstByte)
    if let session = record.tls { tls(session, context) }
    if let http2 = record.http2 { self.http2(http2, context) }
    if let exchanges {
      array("exchanges") { list in
        for exchange in exchanges {
          let pair = context.pairs[exchange.key]
          list.object { $0.exchange(exchange, pairOf: pair, context) }
        }
      }
    }
    field("exchangesLeftOut", nonzero: record.exchangesLeftOut)
    if let socket = record.sockets.first { object("websocket") { $0.webSocket(socket, context) } }
    if record.sockets.count > 1 {
      array("websockets") { list in for socket in record.sockets { list.object { $0.webSocket(socket, context) } } }
    }
    if !record.timeline.isEmpty {
      array("timeline") { list in
        for entry in record.timeline { list.object { $0.timelineEntry(entry, context) } }
      }
    }
    field("timelineCut", nonzero: record.timelineCut)
  }

  private mutating func endpoint(
    _ key: FieldName, _ endpoint: Endpoint, name: String?, agent: String?, library: String? = nil
  ) {
    object(key) { json in
      json.field("ip", endpoint.address.description)
      json.field("port", endpoint.port)
      json.field("name", name)
      json.field("agent", agent)
      json.field("library", library)
    }
  }

  private mutating func side(_ name: FieldName, _ side: DirectionRecord) {
    object(name) { json in
      json.field("packets", side.packets)
      json.field("bytes", side.bytes)
      json.field("retransmittedBytes", side.retransmittedBytes)
      json.field("outOfOrder", side.outOfOrder)
      json.field("missingBytes", side.missingBytes)
      json.field("overlapConflicts", side.overlapConflicts)
      json.field("duplicatePackets", nonzero: side.duplicatePackets)
      json.field("sha256", side.sha256?.hexText)
      json.silence(side.silence)
    }
  }

  private mutating func timelineEntry(_ entry: TimelineEntry, _ context: ResultContext) {
    field("ns", context.relative(entry.first.time))
    field("packet", entry.first.number)
    if entry.last.number != entry.first.number {
      field("lastNs", context.relative(entry.last.time))
      field("lastPacket", entry.last.number)
      field("packets", UInt64(entry.packets))
    }
    field("direction", entry.direction?.name)
    field("kind", entry.kind.name)
    field("bytes", nonzero: entry.bytes)
    field("value", nonzero: entry.value)
    field("refersTo", entry.earlier?.number)
    field("exchange", nonzero: UInt64(entry.exchange))
    if !entry.label.isEmpty { field("label", entry.label) }
    if !entry.quote.isEmpty {
      field("quote", context.redaction.text(Excerpt(entry.quote.span, isPayload: true)))
    }
  }

  // MARK: Findings

  /// The fields of a finding, inside an object that the caller opened.
  mutating func finding(_ finding: Finding, _ context: ResultContext) {
    field("rule", finding.rule.text)
    field("severity", finding.shownSeverity.name)
    field("class", finding.isDiagnosis ? "diagnosis" : "lint")
    field("confidence", finding.confidence.name)
    cost(finding.cost, finding.count)
    field("capture", finding.side?.key)
    field("connection", finding.connection)
    field("exchange", finding.exchange)
    field("direction", finding.direction?.name)
    field("message", finding.message.text)
    field("fix", finding.fix)
    field("causedBy", finding.causedBy?.text)
    array("evidence") { list in
      for evidence in finding.evidence { list.object { $0.evidence(evidence, context) } }
    }
    if !finding.thresholds.isEmpty {
      map("thresholds", finding.sortedThresholds.map { ($0.name, finding.thresholds[$0] ?? $0.standard) })
    }
    field("count", finding.count)
    field("firstPacket", finding.firstPacket.number)
    field("lastPacket", finding.lastPacket.number)
    let packets = finding.evidence.compactMap { $0.packet?.number }
    if let members = context.members {
      array("filters") { list in
        for (file, filter) in DisplayFilter.packets(packets, in: members) {
          list.object { json in
            json.field("file", file)
            json.field("filter", filter)
          }
        }
      }
    } else if finding.side == nil {
      field("filter", DisplayFilter.packets(packets))
    }
  }

  mutating func cost(_ cost: Cost, _ count: UInt64) {
    object("cost") { json in
      switch cost {
      case .none: json.field("kind", "none")
      case .delay(let nanoseconds):
        json.field("kind", "delay")
        json.field("ns", nanoseconds)
      case .lost(let bytes):
        json.field("kind", "lost")
        json.field("bytes", bytes)
      case .failed(let what):
        json.field("kind", "failed")
        json.field("what", what.rawValue)
      }
      if cost != .none { json.field("count", count) }
    }
  }

  /// In its file, and in the series.
  private mutating func cited(_ packet: UInt64, _ number: UInt64) {
    field("packet", packet)
    field("seriesPacket", number)
  }

  private mutating func evidence(_ evidence: Evidence, _ context: ResultContext) {
    let context = evidence.side.flatMap { context.sides?[$0] } ?? context
    let place = context.members.flatMap { members in evidence.packet.flatMap { members.place(of: $0.number) } }
    field("file", place?.file ?? context.file)
    field("capture", evidence.side?.key)
    if let place, let packet = evidence.packet { cited(place.number, packet.number) }
    switch evidence.place {
    case .bytes(let span, let direction):
      if place == nil { field("packet", span.first.number) }
      field("ns", context.relative(span.first.time))
      field("direction", direction.name)
      field("offset", span.range.lowerBound)
      field("length", span.count)
    case .packet(let packet, let direction):
      if place == nil { field("packet", packet.number) }
      field("ns", context.relative(packet.time))
      field("direction", direction?.name)
    case .file(let offset):
      field("packet", 0)
      field("ns", 0)
      field("offset", offset)
    }
    field("excerpt", evidence.excerpt.map { context.redaction.text($0) })
    field("note", evidence.note)
  }
}

extension Direction {
  var name: String { self == .toServer ? "toServer" : "toClient" }
  /// Of what a document says of each direction.
  var field: FieldName { self == .toServer ? "toServer" : "toClient" }
}

extension TimelineEntry.Kind {
  var name: String {
    switch self {
    case .data: "data"
    case .conflict: "overlapConflict"
    case .head: "head"
    case .body: "body"
    case .chunks: "chunks"
    case .lastChunk: "lastChunk"
    case .message: "message"
    case .handshake: "handshake"
    case .records: "records"
    case .unreadable: "unreadable"
    case .gap(let cause): "gap." + cause.name
    case .observation(let kind): kind.name
    }
  }
}

extension TCPObservation.Kind {
  /// Found out once: a document names thousands.
  private static let names = allCases.map { String(describing: $0) }
  fileprivate var name: String { Self.names[Int(rawValue)] }
}

extension SequenceGap.Cause {
  fileprivate var name: String {
    switch self {
    case .notCaptured: "notCaptured"
    case .snaplen: "snaplen"
    case .neverArrived: "neverArrived"
    case .holdLimit: "holdLimit"
    }
  }
}
