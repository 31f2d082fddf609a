import Citation
import Digests
import Engine
import Events
import RunSupport
import Support
import Testing

@Suite("Connections as the engine reports them")
struct ConnectionTests {
  private static let hello = MixedCapture.hello

  @Test("Connections are numbered by their first packets, whichever ends first.")
  func numbers() async throws {
    let capture = ScriptedCapture([
      Conversation(Self.hello + "+90s\n> FIN\n< FIN\n", client: "10.0.0.9:1000", start: 1_000),
      Conversation(Self.hello + "> FIN\n< FIN\n", client: "10.0.0.8:1000", start: 2_000),
      Conversation("> SYN\n< RST ack=0\n", client: "10.0.0.7:1000", start: 3_000),
    ])
    let run = try await CaptureRun(capture)
    #expect(run.connections.map(\.number) == [1, 2, 3])
    #expect(run.connections.map { $0.client.address.description } == ["10.0.0.9", "10.0.0.8", "10.0.0.7"])
    #expect(run.connections.map(\.firstPacket.number) == [1, 2, 3])
    let reported = run.items.compactMap { if case .connection(let record) = $0 { record.number } else { nil } }
    #expect(reported == [3, 2, 1])
    #expect(run.findings.map(\.connection) == [3])
  }

  @Test("A late packet belongs to its closed connection for 30 seconds, wherever windows end.", arguments: [nil, 70])
  func retirement(piece: Int?) async throws {
    let closed = Self.hello + "> FIN\n< FIN\n> ACK\n"
    let within = try await CaptureRun(ScriptedCapture(closed + "+29s\n< FIN\n").bytes, pieceLength: piece)
    #expect(within.connections.map(\.lastPacket.number) == [7])
    // The clock passes the deadline with the very packet that comes too late.
    let beyond = try await CaptureRun(ScriptedCapture(closed + "+31s\n< FIN\n").bytes, pieceLength: piece)
    #expect(beyond.connections.map(\.lastPacket.number) == [6, 7])
    #expect(beyond.connections.map(\.isMidstream) == [false, true])
  }

  @Test("A SYN on the ports of a closed connection begins another one, at once.")
  func portReuse() async throws {
    let capture = ScriptedCapture([
      Conversation(Self.hello + "> \"one\"\n< ACK\n> FIN\n< FIN\n> ACK\n"),
      Conversation(
        WireScript(
          Self.hello + "> \"second\"\n< ACK\n", start: 1_700_000_001_000_000_000,
          origins: BothDirections(toServer: 9_000_000, toClient: 8_000_000))),
    ])
    let run = try await CaptureRun(capture)
    #expect(run.connections.map(\.sides.toServer.bytes) == [3, 6])
    #expect(run.connections.map(\.firstPacket.number) == [1, 9])
    #expect(run.connections.map(\.end.kind) == [.fin, .open])
  }

  @Test("A SYN that nothing followed is reported alike on the short way and on the long one, and no rule speaks of it.")
  func loneSyn() async throws {
    let capture = ScriptedCapture([
      Conversation("> SYN\n", client: "10.0.0.7:1000", start: 1_000),
      Conversation("> SYN\n+1s\n> SYN\n", client: "10.0.0.8:1000", start: 2_000),
      Conversation(Self.hello + "+9s\n> \"x\"\n", client: "10.0.0.9:1000", start: 3_000),
    ])
    var figuresOnly = PipelineOptions()
    figuresOnly.timelineLimit = 0
    let long = try await CaptureRun(capture)
    let short = try await CaptureRun(capture, figuresOnly)
    let records = [long, short].map { run in
      run.connections.map { record in
        var record = record
        record.timeline = []
        var text = ""
        dump(record, to: &text)
        return text
      }
    }
    #expect(records[0] == records[1])
    #expect(long.connections.allSatisfy { !$0.timeline.isEmpty } && short.connections.allSatisfy(\.timeline.isEmpty))
    for run in [long, short] { #expect(run.findings.map(\.connection) == [2]) }
  }

  @Test("The digest of a direction is SHA-256 of its bytes, each once and in order.")
  func digests() async throws {
    var options = PipelineOptions()
    options.digests = true
    let run = try await CaptureRun(
      Self.hello + "> \"ab\"\n> \"ef\" @4\n> \"cd\" @2\n> \"cdef\" @2\n< \"answer\"\n> ACK\n", options)
    let sides = try #require(run.connections.first?.sides)
    let hash = { (text: String) in SHA256.digest(of: Array(text.utf8).span) }
    #expect(sides.toServer.sha256 == hash("abcdef"))
    #expect(sides.toClient.sha256 == hash("answer"))
    #expect(try await CaptureRun(Self.hello).connections.first?.sides.toServer.sha256 == nil)
  }

  @Test(
    "What ended a connection, and by whom.",
    arguments: [
      ("> FIN\n< FIN\n> ACK\n", ConnectionEnd.Kind.fin, ConnectionEnd.Side.client, 4),
      ("< FIN\n> FIN\n< ACK\n", .fin, .server, 4),
      ("> FIN\n< FIN ack=0\n", .fin, .both, 4),
      ("< RST\n", .reset, .server, 4),
      ("> RST\n", .reset, .client, 4),
      ("> \"x\"\n", .open, .none, 0),
    ] as [(String, ConnectionEnd.Kind, ConnectionEnd.Side, UInt64)])
  func ends(script: String, kind: ConnectionEnd.Kind, side: ConnectionEnd.Side, packet: UInt64) async throws {
    let end = try #require(try await CaptureRun(Self.hello + script).connections.first?.end)
    #expect(end.kind == kind)
    #expect(end.by == side)
    #expect(end.packet?.number ?? 0 == packet)
  }

  @Test("A timeline keeps its beginning and its end, and counts what lies between.")
  func timeline() async throws {
    let pings = (0..<100).map { "> \"a\($0)\"\n+50ms\n< \"b\"\n+50ms\n" }.joined()
    var options = PipelineOptions()
    options.timelineLimit = 16
    let record = try #require(try await CaptureRun(Self.hello + pings, options).connections.first)
    #expect(record.timeline.count == 16)
    // SYN, SYN-ACK and 200 runs of data.
    #expect(record.timelineCut == 202 - 16)
    #expect(record.timeline.prefix(3).map(\.first.number) == [1, 2, 4])
    #expect(record.timeline.suffix(4).map(\.first.number) == [200, 201, 202, 203])
    options.timelineLimit = 0
    #expect(try await CaptureRun(Self.hello + pings, options).connections.first?.timeline == [])
  }

  @Test("A timeline keeps both sides of the longest silence, wherever it is, and counts what it leaves out around it.")
  func timelineSilence() async throws {
    let ping = "> \"a\"\n+50ms\n< \"b\"\n+50ms\n"
    var options = PipelineOptions()
    options.timelineLimit = 16
    // Before the first ping, behind the beginning, in the middle, at the last but one before the end.
    for place in 0...40 {
      let script =
        Self.hello + String(repeating: ping, count: place) + "+900ms\n+2s\n"
        + String(repeating: ping, count: 40 - place)
      let record = try #require(try await CaptureRun(script, options).connections.first)
      let pauses = zip(record.timeline, record.timeline.dropFirst()).map { $1.first.time.since($0.last.time) }
      #expect(pauses.contains { 2_900_000_000...3_000_000_000 ~= $0 } || place == 40, "\(place)")
      #expect(record.timeline.count <= 18 && record.timelineCut == 82 - UInt64(record.timeline.count), "\(place)")
      // Each cut is named where it is: the entries before it, those of the cut, those behind it.
      var before = 0
      for cut in record.timelineCuts {
        let at = try #require(record.timeline.firstIndex { $0.first.number == cut.packet })
        let skipped = record.timeline[at].first.number - record.timeline[at - 1].first.number - 1
        #expect(skipped == cut.entries, "\(place)")
        #expect(at > before)
        before = at
      }
    }
  }

  @Test("With more connections than are told one by one, no timelines are kept.")
  func timelineConnections() async throws {
    var options = PipelineOptions()
    options.timelineConnections = 3
    let run = try await CaptureRun(MixedCapture.capture.bytes, options, pieceLength: 4_096)
    #expect(run.connections.last?.timeline == [])
  }
}
