import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("What came later, and by how much")
struct TimingTests {
  /// An answer of one packet, held for so long on its way; it was ready `taken` milliseconds after it was asked for.
  private static func held(_ hold: Int, taken: Int) async throws -> ComparedPair {
    let run = try await ComparisonRun(
      Talk.exchange(Place.front, wait: taken + 1 + hold), Talk.exchange(Place.behind, wait: taken), .points)
    return try #require(run.record.pairs.first)
  }

  @Test(
    "Between two points late is 100 ms, and as much again as it took.",
    arguments: [(99, 50, false), (100, 50, true), (200, 300, false), (299, 300, false), (300, 300, true)])
  func slower(_ hold: Int, _ taken: Int, _ isSlower: Bool) async throws {
    let pair = try await Self.held(hold, taken: taken)
    #expect(pair.holds.toClient.map(\.held) == [Int64(hold) * 1_000_000])
    #expect(pair.words == (isSlower ? ["download slower in A"] : ["identical"]))
    if isSlower { #expect(pair.verdicts[0].cost == .delay(nanoseconds: Int64(hold) * 1_000_000)) }
  }

  @Test(
    "Of two runs it is 100 ms, and twice as long.",
    arguments: [(50, 149, false), (50, 150, true), (99, 198, false), (300, 599, false), (300, 600, true)])
  func runs(_ one: Int, _ other: Int, _ isSlower: Bool) async throws {
    let run = try await ComparisonRun(
      Talk.exchange(Place.front, wait: one), Talk.exchange(Place.later, wait: other), .runs)
    #expect(run.record.pairs.first?.words == (isSlower ? ["slower in B"] : ["identical"]))
  }

  /// Calls of one endpoint, and how long each answer took.
  private static func calls(_ place: String, _ waits: [Int]) -> String {
    let answer = Talk.answer("200 OK", ["Content-Length: 2"], body: "hi")
    return Talk.connection(
      place,
      waits.map { "> \"\(Talk.request())\"\n+\($0 - 1)ms\n< \"\(answer)\"\n> ACK\n" }.joined(separator: "+50ms\n"))
  }

  @Test(
    "Of two runs with many calls, one is slower where the runs are, or where nothing of the other run took nearly as long.",
    arguments: [
      ([90, 95, 320, 100, 130, 110, 105, 120], 0), ([300, 280, 310, 900, 330, 290, 320, 400], 8),
      ([110, 95, 1_000, 300, 130, 90, 105, 120], 1),
    ])
  func many(_ waits: [Int], _ slower: Int) async throws {
    let run = try await ComparisonRun(
      Self.calls(Place.front, [100, 120, 90, 300, 110, 95, 105, 130]), Self.calls(Place.later, waits), .runs)
    #expect(run.record.pairs.count == 8)
    #expect(run.record.pairs.count { $0.verdict(.slower) != nil } == slower)
    #expect(run.record.findings.count == slower)
  }

  private static func head(_ length: Int) -> String {
    "> \"\(Talk.request())\"\n< \"\(Talk.answer("200 OK", ["Content-Length: \(length)"], body: ""))\"\n"
  }

  /// Pieces of a download, each so many milliseconds after the one before.
  private static func pieces(_ place: String, _ pauses: [Int]) -> String {
    Talk.connection(
      place,
      head(2 * pauses.count) + pauses.map { $0 > 0 ? "+\($0 - 1)ms\n< \"ab\"" : "< now \"ab\"" }.joined(separator: "\n")
    )
  }

  private static func words(_ a: [Int], _ b: [Int], as relation: ComparisonOptions = .points) async throws -> [String] {
    let run = try await ComparisonRun(pieces(Place.front, a), pieces(Place.behind, b), relation)
    return try #require(run.record.pairs.first).words
  }

  @Test("Buffered is later, with shorter pauses, and in fewer bursts: with two of them it is only slower.")
  func buffered() async throws {
    #expect(try await Self.words([901, 0, 0, 0], [200, 200, 200, 200]) == ["download buffered in A"])
    // As many bursts.
    #expect(try await Self.words([1_801, 200, 200, 200], [200, 200, 200, 200]) == ["download slower in A"])
    // A longer pause.
    #expect(try await Self.words([1_001, 1_000, 0, 0], [200, 200, 200, 200]) == ["download slower in A"])
    // The first of it came at once.
    #expect(try await Self.words([201, 1_900, 0, 0], [200, 200, 200, 200]) == ["download slower in A"])
    // The same times.
    #expect(try await Self.words([201, 200, 200, 200], [200, 200, 200, 200]) == ["identical"])
  }

  @Test("Of two runs, too.")
  func gathered() async throws {
    #expect(try await Self.words([800, 0, 0, 0], [200, 200, 200, 200], as: .runs) == ["download buffered in A"])
    #expect(try await Self.words([800, 200, 200, 200], [200, 200, 200, 200], as: .runs) == ["identical"])
  }

  @Test("A buffer that fills several times makes a quarter of the bursts, with longer pauses.")
  func filled() async throws {
    let tokens = [Int](repeating: 100, count: 32)
    let filled = { (size: Int) in (0..<32).map { $0 % size == 0 ? size * 100 : 0 } }
    for relation in [ComparisonOptions.points, .runs] {
      #expect(try await Self.words(filled(8), tokens, as: relation) == ["download buffered in A"])
      #expect(try await Self.words(filled(4), tokens, as: relation) == ["download buffered in A"])
      // Half as many may be the network's doing.
      #expect(try await !Self.words(filled(2), tokens, as: relation).contains("download buffered in A"))
    }
  }

  @Test("What comes before it was sent was not held, where the clocks are known no better.")
  func clamped() async throws {
    let run = try await ComparisonRun(
      Self.pieces(Place.front, [200, 200, 200, 200]), Self.pieces(Place.behind, [200, 200, 200, 200]), .points)
    let pair = try #require(run.record.pairs.first)
    #expect(pair.holds.toClient.allSatisfy { $0.held >= 0 })
    #expect(pair.holds.toClient.map(\.bytes) == [2, 4, 6, 8])
    #expect(pair.holdsCut.toClient == 0)
  }

  private static let origin = Timestamp(nanoseconds: 1_700_000_000_000_000_000)

  private static func trail(_ count: Int, every: Int64, later: Int64, thinned: Bool = false) -> BodyTrail {
    var trail = BodyTrail(isDecoded: false)
    trail.bytes = UInt64(count * 10)
    for index in 0..<count where !thinned || index % 2 == 0 {
      let time = origin.advanced(by: Int64(index) * every + later)
      trail.arrivals.append(
        .init(bytes: UInt64(index + 1) * 10, packet: PacketRef(number: UInt64(index + 1), time: time)))
    }
    trail.isThinned = thinned
    return trail
  }

  private static func pair(_ a: BodyTrail, _ b: BodyTrail) async throws -> ComparedPair {
    let run = try await ComparisonRun(Talk.exchange(Place.front), Talk.exchange(Place.behind), .points)
    var pair = try #require(run.record.pairs.first)
    for (side, trail) in [(CompareSide.a, a), (.b, b)] {
      guard var message = pair[side].record.response?.record else { continue }
      message.trail = trail
      if side == .a { pair.a.record.response = Message(message) } else { pair.b.record.response = Message(message) }
    }
    return pair
  }

  @Test("Of a trail that was thinned only what is still there is measured.")
  func thinned() async throws {
    let second: Int64 = 1_000_000_000
    let pair = try await Self.pair(
      Self.trail(100, every: second, later: 1_000, thinned: true), Self.trail(100, every: second, later: 0))
    let measure = HoldMeasure(.toClient, pair, outer: .a, nil)
    #expect(measure.pieces.count == 50)
    #expect(measure.longest?.held == 1_000)
  }

  @Test("The longest is reported, however many came before it; the rest are counted.")
  func longest() async throws {
    let second: Int64 = 1_000_000_000
    var late = Self.trail(1_000, every: second, later: 0)
    late.arrivals[700].packet.time = late.arrivals[700].packet.time.advanced(by: second / 2)
    let measure = HoldMeasure(
      .toClient, try await Self.pair(late, Self.trail(1_000, every: second, later: 0)), outer: .a, nil)
    #expect(measure.pieces.count == HoldMeasure.limit && measure.cut == 1_000 - UInt64(HoldMeasure.limit))
    #expect(measure.pieces.last?.index == 700 && measure.pieces.last?.held == second / 2)
  }

  @Test("Where nothing distinguishes how far the clocks are, what may be of the other direction is no delay.")
  func unsure() async throws {
    // The clock of B is an hour ahead; 400 ms are lost on the way, and nobody knows on which.
    let far = Place.behind.replacing("+1ms", with: "+3600s")
    let run = try await ComparisonRun(Talk.exchange(Place.front, wait: 410), Talk.exchange(far, wait: 10), .points)
    let clock = try #require(run.record.clock)
    #expect(clock.isMiddle && clock.uncertainty >= 190_000_000)
    #expect(run.record.pairs.first?.words == ["identical"])
  }
}
