import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

/// Captures that touch all there is to report: findings of several kinds, holes, reused ports, many lanes.
enum MixedCapture {
  static let hello = "> SYN\n< SYN ACK\n> ACK\n"

  /// Forty conversations side by side, each with a story by its number; five of them use their ports twice.
  static let capture = ScriptedCapture(conversations(stories))
  /// The same without stories in which bytes are repeated.
  static let withoutCopies = ScriptedCapture(conversations(stories.filter { !$0.contains("@0") }))

  private static func conversations(_ stories: [String]) -> [Conversation] {
    (0..<40).map { index in
      Conversation(
        stories[index % stories.count], client: Endpoint("10.0.1.\(index + 1):\(40_000 + index)"),
        start: 1_700_000_000_000_000_000 + Int64(index) * 313_000)
    }
  }

  private static let stories = [
    hello + "> \"ask\"\n< \"answer\"\n> FIN\n< FIN\n> ACK\n",
    hello + "> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n",
    "> SYN\n< RST ack=0\n",
    hello + "> \"aaaa\" !lost\n> \"bbbb\"\n< ACK\n+1s\n> \"cccc\"\n< ACK\n",
    hello + "> \"ask\"\n< RST seq+10000000\n< \"answer\"\n> ACK\n",
    "> SYN\n+1s\n> SYN\n",
    hello + "> len=9000\n+300ms\n> @0 len=9000\n< ACK\n< RST\n",
    "> SYN\n< SYN ACK\n> ACK\n> \"one\"\n> FIN\n< FIN\n> ACK\n+40s\n> SYN seq+700000\n",
  ]
}

@Suite("The same capture gives the same items")
struct DeterminismTests {
  @Test("whatever the number of tasks", arguments: [2, 3, 4, 32])
  func jobs(_ jobs: Int) async throws {
    var options = PipelineOptions()
    options.digests = true
    let one = try await CaptureRun(MixedCapture.capture, options)
    options.jobs = jobs
    let several = try await CaptureRun(MixedCapture.capture, options)
    #expect(one.connections.count == 45)
    #expect(one.findings.count >= 20)
    #expect(Golden.diff(one.transcript, several.transcript) == "")
  }

  @Test("wherever the windows end", arguments: [1, 37, 100, 1_000, 4_096])
  func windows(_ piece: Int) async throws {
    let bytes = MixedCapture.withoutCopies.bytes
    let whole = try await CaptureRun(bytes, digesting)
    #expect(Golden.diff(whole.transcript, try await CaptureRun(bytes, digesting, pieceLength: piece).transcript) == "")
  }

  /// Copies are compared with the bytes of the last five windows, so here the capture is cut into no more.
  @Test("also where bytes are repeated, as long as the first copy is in reach", arguments: [2, 3, 4, 5])
  func windowsWithCopies(_ windows: Int) async throws {
    let bytes = MixedCapture.capture.bytes
    let whole = try await CaptureRun(bytes, digesting)
    let pieces = try await CaptureRun(bytes, digesting, pieceLength: bytes.count / windows + 1)
    #expect(Golden.diff(whole.transcript, pieces.transcript) == "")
  }

  /// Between each request and its copy stand 200 kB more than the time before: the last two are out of reach.
  @Test("also where copies come late, as long as four windows hold what is in reach", arguments: [335_000, 400_000])
  func lateCopies(_ piece: Int) async throws {
    let between = String(repeating: "< len=20000\n> ACK\n", count: 10)
    var script = MixedCapture.hello
    for round in 0..<9 {
      script += "> len=500\n" + String(repeating: between, count: round) + "> @\(round * 500) len=500\n"
    }
    let bytes = ScriptedCapture([Conversation(script)]).bytes
    let whole = try await CaptureRun(bytes, PipelineOptions())
    let kinds = whole.connections[0].timeline.map(\.kind)
    #expect(kinds.count { $0 == .observation(.retransmissionSpurious) } == 8)
    #expect(kinds.count { $0 == .observation(.notCompared) } == 2)
    let pieces = try await CaptureRun(bytes, PipelineOptions(), pieceLength: piece)
    #expect(Golden.diff(whole.transcript, pieces.transcript) == "")
    #expect(kinds == pieces.connections[0].timeline.map(\.kind))
  }

  private var digesting: PipelineOptions {
    var options = PipelineOptions()
    options.digests = true
    return options
  }

  @Test("in every run, although the tables are seeded anew")
  func runs() async throws {
    var options = PipelineOptions()
    options.jobs = 4
    let first = try await CaptureRun(MixedCapture.capture, options).transcript
    for _ in 0..<5 { #expect(try await CaptureRun(MixedCapture.capture, options).transcript == first) }
  }
}
