import Citation
import Events

/// Documents as slices and instants.
struct TraceStory {
  private(set) var events = TimedValues(depth: 2)
  var tracks = TraceTracks()
  private(set) var instantsCut = 0
  private(set) var itemsCut: Int64 = 0
  private var instantsLeft: Int
  private var arrows = 0
  private var servers: [String: Int] = [:]

  /// Of the document at hand.
  private var offset: Int64 = 0
  private var connections: [Int64: (track: TraceTrack, range: ClosedRange<Int64>)] = [:]
  private var exchanges: [Place: (track: TraceTrack, range: ClosedRange<Int64>)] = [:]

  private struct Place: Hashable { var connection, exchange: Int64 }

  init(instantLimit: Int) {
    instantsLeft = instantLimit
  }

  /// `offset` is how much later than the earliest capture this one began.
  mutating func add(_ reading: inout DocumentReading, offset: Int64, isOneOfSeveral: Bool) {
    let document = reading.frame
    self.offset = max(0, offset)
    connections = [:]
    exchanges = [:]
    let file = isOneOfSeveral ? document["capture"]?.text("file").map { "\($0): " } ?? "" : ""
    var hops: [(outer: Int64, inner: Int64)] = []
    reading.connections { node in
      add(node, file)
      if let inner = node.integer("id"), let outer = node.integer("hopOf") { hops.append((outer, inner)) }
    }
    for hop in hops { join(hop.outer, hop.inner) }
    add(findings: document.elements("findings"), file)
  }

  // MARK: Connections

  private mutating func add(_ node: DocumentNode, _ file: String) {
    let server = node["server"]
    let port = server?.integer("port").map(String.init) ?? "?"
    let address = server?.text("ip") ?? "?"
    let name = server?.text("name") ?? node["tls"]?.text("sni") ?? address
    let title = "\(file)\(name.hasSuffix(":\(port)") ? name : "\(name):\(port)")"
    // Two servers may have one name.
    let key = "\(title) \(address)"
    let process: Int
    if let known = servers[key] {
      process = known
    } else {
      process = tracks.process(title)
      servers[key] = process
    }
    let number = node.integer("id") ?? 0
    let label = "c\(number)"
    let phases = ConnectionPhases(node)
    let track = tracks.track("\(label) connection", of: process)
    connections[number] = (track, phases.whole)
    let client = node["client"]
    var facts: [(String, DocumentNode?)] = [
      ("client", .string("\(client?.text("ip") ?? "?") port \(client?.integer("port").map(String.init) ?? "?")")),
      ("server", .string("\(address) port \(port)")), ("protocols", node["protocols"]), ("end", node["end"]),
      ("firstPacket", node["firstPacket"]), ("lastPacket", node["lastPacket"]),
    ]
    if node.flag("midstream") { facts.append(("midstream", .bool(true))) }
    slice("connection \(number)", "connection", phases.whole, track, facts)
    handshakes(node, phases, track)
    exchanges(node, label, process)
    items(node, track)
  }

  private mutating func handshakes(_ node: DocumentNode, _ phases: ConnectionPhases, _ track: TraceTrack) {
    if let tcp = phases.tcp { slice("TCP handshake", "tcp", tcp, track, [("rtt", node["rtt"])]) }
    guard let tls = phases.tls else { return }
    // A hello may ride on the last packet of the TCP handshake, but nothing that overlaps may nest.
    let start = phases.tcp.map { max($0.upperBound, tls.lowerBound) } ?? tls.lowerBound
    guard start <= tls.upperBound else { return }
    slice(
      "TLS handshake", "tls", start...tls.upperBound, track,
      [
        ("version", node["tls"]?["version"]), ("cipher", node["tls"]?["cipher"]), ("sni", node["tls"]?["sni"]),
        ("alpn", node["tls"]?["alpn"]), ("resumed", node["tls"]?["resumed"]),
      ])
  }

  // MARK: Exchanges

  private mutating func exchanges(_ node: DocumentNode, _ label: String, _ process: Int) {
    let number = node.integer("id") ?? 0
    let nodes = node.elements("exchanges")
    let phases = ExchangePhases.all(nodes, of: node)
    let socket = node["websocket"]?.integer("exchange")
    let order = nodes.indices.sorted { (phases[$0].start, $0) < (phases[$1].start, $1) }
    var lanes = TraceLanes("\(label) exchanges", of: process)
    var silence = [
      TraceLanes("\(label) silence of the client", of: process),
      TraceLanes("\(label) silence of the server", of: process),
    ]
    var stalls: [DocumentNode] = []
    var holds: [(lane: TraceLanes, client: String)] = []
    for index in order {
      let exchange = nodes[index]
      let own = phases[index]
      let range = own.start...own.end
      let track = lanes.place(range, &tracks)
      let place = Place(connection: number, exchange: exchange.integer("id") ?? 0)
      if exchanges[place] == nil { exchanges[place] = (track, range) }
      add(exchange, own, track, isSocket: socket != nil && exchange.integer("id") == socket)
      stalls += exchange["stream"]?.elements("stalls") ?? []
      for release in exchange.elements("releases") {
        guard let client = release.text("client"), let answered = own.answered, let time = release.integer("ns"),
          time > answered
        else { continue }
        let place: Int
        if let known = holds.firstIndex(where: { $0.client == client }) {
          place = known
        } else {
          place = holds.count
          holds.append((TraceLanes("\(label) held by \(client)", of: process), client))
        }
        slice(
          "held by \(client)", "hold", answered...time, holds[place].lane.place(answered...time, &tracks),
          [("bytes", release["bytes"]), ("exchange", exchange["id"])])
      }
    }
    let timed = stalls.compactMap { stall -> (range: ClosedRange<Int64>, stall: DocumentNode)? in
      guard let start = stall.integer("ns"), let length = stall.integer("durationNs"), start >= 0, length >= 0 else {
        return nil
      }
      let (end, overflows) = start.addingReportingOverflow(length)
      return overflows ? nil : (start...end, stall)
    }
    let ordered = timed.indices.sorted { (timed[$0].range.lowerBound, $0) < (timed[$1].range.lowerBound, $1) }
    for index in ordered {
      let (range, stall) = timed[index]
      let side = stall.text("direction") == "toServer" ? 0 : 1
      slice(
        "silent: \(stall.text("cause") ?? "unknown")", "stall", range, silence[side].place(range, &tracks),
        [
          ("cause", stall["cause"]), ("direction", stall["direction"]), ("confidence", stall["confidence"]),
          ("firstPacket", stall["firstPacket"]), ("lastPacket", stall["lastPacket"]), ("proof", stall["proof"]),
        ])
    }
  }

  private mutating func add(
    _ exchange: DocumentNode, _ phases: ExchangePhases, _ track: TraceTrack, isSocket: Bool
  ) {
    let request = exchange["request"]
    let response = exchange["response"]
    let words = [request?.text("method"), request?.text("target")].compactMap { $0 }.joined(separator: " ")
    let status = response?.integer("status").map(String.init)
    let title = words.isEmpty ? "response \(status ?? "without its request")" : words
    slice(
      title, isSocket ? "websocket" : "exchange", phases.start...phases.end, track,
      [
        ("exchange", exchange["id"]), ("status", response?["status"]), ("kind", exchange["stream"]?["kind"]),
        ("requestBytes", request?["bodyBytes"]), ("responseBytes", response?["bodyBytes"]),
        ("incomplete", response?["incomplete"] ?? request?["incomplete"]), ("notes", exchange["notes"]),
      ])
    if request != nil { slice("request", "request", phases.start...phases.sent, track, packets(request)) }
    let waited = phases.answered ?? phases.end
    if request != nil {
      slice(response == nil ? "wait, no response" : "wait", "wait", phases.sent...waited, track, [])
    }
    if let answered = phases.answered {
      slice(isSocket ? "open" : "receive", "receive", answered...phases.end, track, packets(response))
    }
  }

  private func packets(_ message: DocumentNode?) -> [(String, DocumentNode?)] {
    [("firstPacket", message?["firstPacket"]), ("lastPacket", message?["lastPacket"])]
  }

  private mutating func items(_ node: DocumentNode, _ track: TraceTrack) {
    let number = node.integer("id") ?? 0
    let items = DocumentItems(node)
    itemsCut = itemsCut.addingReportingOverflow(items.cut).partialValue
    for item in items.items {
      let own = exchanges[Place(connection: number, exchange: item.exchange)]?.track ?? track
      var facts: [(String, DocumentNode?)] = [
        ("bytes", .integer(item.bytes)), ("packet", .integer(item.packet)),
        ("direction", .string(item.isToServer ? "toServer" : "toClient")),
      ]
      if item.span > 0 { facts.append(("spanNs", .integer(item.span))) }
      if !item.label.isEmpty { facts.append(("label", .string(item.label))) }
      instant(item.label.isEmpty ? item.kind : "\(item.kind) \(item.label)", item.kind, item.nanoseconds, own, facts)
    }
  }

  // MARK: Hops and findings

  /// An arrow from the connection in front of a proxy to the one behind it.
  private mutating func join(_ outer: Int64, _ inner: Int64) {
    guard let inner = connections[inner], let outer = connections[outer], inner.track != outer.track else { return }
    let out = outer.range.lowerBound
    let into = max(inner.range.lowerBound, out)
    guard into <= inner.range.upperBound else { return }
    arrows += 1
    add(.arrowOut(arrows), "hop", "hop", out, outer.track, [])
    add(.arrowIn(arrows), "hop", "hop", into, inner.track, [])
  }

  private mutating func add(findings: [DocumentNode], _ file: String) {
    var own: TraceTrack?
    for finding in findings {
      let number = finding.integer("connection") ?? 0
      let place = Place(connection: number, exchange: finding.integer("exchange") ?? 0)
      let track: TraceTrack
      if let known = exchanges[place]?.track ?? connections[number]?.track {
        track = known
      } else {
        if own == nil { own = tracks.track("findings", of: tracks.process("\(file)capture")) }
        track = own ?? TraceTrack(process: 0, thread: 0)
      }
      let evidence = finding.elements("evidence")
      let packets = evidence.compactMap(\.citedPacket)
      instant(
        finding.text("rule") ?? "finding", "finding", evidence.compactMap { $0.integer("ns") }.first ?? 0, track,
        [
          ("message", finding["message"]), ("severity", finding["severity"]), ("class", finding["class"]),
          ("confidence", finding["confidence"]), ("cost", finding["cost"]), ("fix", finding["fix"]),
          ("causedBy", finding["causedBy"]), ("packets", .integers(packets)), ("filter", finding["filter"]),
        ])
    }
  }

  // MARK: Events

  private mutating func slice(
    _ name: String, _ category: String, _ range: ClosedRange<Int64>, _ track: TraceTrack,
    _ facts: [(String, DocumentNode?)]
  ) {
    add(.slice(range.upperBound - range.lowerBound), name, category, range.lowerBound, track, facts)
  }

  private mutating func instant(
    _ name: String, _ category: String, _ time: Int64, _ track: TraceTrack, _ facts: [(String, DocumentNode?)]
  ) {
    guard instantsLeft > 0 else {
      instantsCut += 1
      return
    }
    instantsLeft -= 1
    add(.instant, name, category, max(0, time), track, facts)
  }

  private mutating func add(
    _ phase: TraceEvent.Phase, _ name: String, _ category: String, _ time: Int64, _ track: TraceTrack,
    _ facts: [(String, DocumentNode?)]
  ) {
    let (start, overflows) = time.addingReportingOverflow(offset)
    let event = TraceEvent(
      phase: phase, name: name, category: category, start: overflows ? time : start, track: track,
      arguments: facts.compactMap { fact in fact.1.map { (fact.0, $0) } })
    events.add(at: event.start) { event.write(to: &$0) }
  }
}
