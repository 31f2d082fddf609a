import Citation
import Events
import Testing

@testable import Dialogues

/// What is told of HTTP/2 where the capture lacks some of it. A direction waits behind a hole until that is given up, so
/// requests may be read after their responses.
@Suite("Exchanges of HTTP/2 with holes")
struct HTTP2LossTests {
  private typealias Run = HTTP2DialogueTests.Run
  private typealias H = HTTP2DialogueTests

  private static let offer: Run = (
    .toServer,
    Array(
      "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n"
        .utf8)
  )
  private static let switching: Run = (
    .toClient, Array("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n".utf8)
  )

  private static func pair(_ stream: UInt32) -> [Run] {
    [
      (.toServer, H.request(stream, "/\(stream)")),
      (.toClient, H.response(stream, 200) + H.data(stream, "abc", ends: true)),
    ]
  }

  private static let pairs: [Run] = [3, 5, 7, 9].flatMap { pair($0) }

  /// An upgrade, and what follows it.
  private static let upgraded: [Run] =
    [
      offer, switching, (.toClient, H.settings), (.toServer, H.preface + H.settings),
      (.toClient, H.acknowledged + H.response(1, 200) + H.data(1, "hello", ends: true)), (.toServer, H.acknowledged),
    ] + pairs

  /// What one direction has to say, or lacks.
  private struct Piece {
    var range: Range<UInt64>
    /// nil where the capture lacks it.
    var bytes: [UInt8]?
    var packet: PacketRef
  }

  /// Without some of the runs. The others behind them wait until so many more have come.
  private static func told(
    _ runs: [Run], without lost: Set<Int>, late: Int, isMidstream: Bool = false
  ) -> [Event] {
    var dialogue = Dialogue(isMidstream: isMidstream, DialogueOptions())
    var events: [Event] = []
    var offsets = BothDirections<UInt64>(repeating: 0)
    var waiting = BothDirections<[Piece]>(repeating: [])
    var due = BothDirections(repeating: Int.max)
    func read(_ piece: Piece, _ direction: Direction) {
      guard let bytes = piece.bytes else {
        return dialogue.skip(SequenceGap(piece.range, .notCaptured, piece.packet), direction, into: &events)
      }
      dialogue.consume(
        CitedBytes(bytes.span, at: piece.range.lowerBound, in: piece.packet, released: piece.packet), direction,
        into: &events)
    }
    func readOn(_ direction: Direction) {
      for piece in waiting[direction] { read(piece, direction) }
      waiting[direction] = []
      due[direction] = .max
    }
    for (index, run) in runs.enumerated() {
      let packet = PacketRef(number: UInt64(index + 1), time: Timestamp(nanoseconds: Int64(index) * 1_000_000))
      let start = offsets[run.direction]
      offsets[run.direction] = start + UInt64(run.bytes.count)
      let isLost = lost.contains(index)
      let piece = Piece(
        range: start..<offsets[run.direction], bytes: isLost ? nil : run.bytes, packet: packet)
      if isLost || !waiting[run.direction].isEmpty {
        if waiting[run.direction].isEmpty { due[run.direction] = index + late }
        waiting[run.direction].append(piece)
      } else {
        read(piece, run.direction)
      }
      for direction in Direction.allCases where due[direction] <= index { readOn(direction) }
    }
    for direction in Direction.allCases { readOn(direction) }
    let last = PacketRef(number: UInt64(runs.count + 1), time: Timestamp(nanoseconds: Int64(runs.count) * 1_000_000))
    for direction in Direction.allCases { dialogue.finish(SideEnd(.fin, last), direction, into: &events) }
    dialogue.close(into: &events)
    return events
  }

  private static func subsets(of indices: Range<Int>) -> [Set<Int>] {
    (0..<1 << indices.count).map { bits in Set(indices.filter { bits >> ($0 - indices.lowerBound) & 1 == 1 }) }
  }

  private static let delays = [0, 2, 5, 100]

  @Test("Streams are read behind an upgrade of which the request, the 101 or the server's SETTINGS are missing.")
  func upgrades() {
    for lost in Self.subsets(of: 0..<3) {
      for late in Self.delays {
        let events = Self.told(Self.upgraded, without: lost, late: late)
        let words = H.words(events)
        for stream in [3, 5, 7, 9] {
          #expect(
            words.contains { $0.hasSuffix("s\(stream) GET /\(stream) → 200 up 0 down 3") },
            "without \(lost.sorted()), late by \(late): \(words)")
        }
        let asked = lost.contains(0) ? "(request not seen)" : "GET /a"
        #expect(words.contains { $0.hasSuffix("s1 \(asked) → 200 down 5") })
        // What was offered is told, whether or not its answer is there.
        if !lost.contains(0) {
          #expect(words.contains("1 GET /a → \(lost.contains(1) ? "response not captured up 0" : "101 up 0 down 0")"))
        }
        #expect(events.filter(\.isFault).isEmpty, "without \(lost.sorted()), late by \(late)")
        #expect(H.record(events) != nil)
      }
    }
  }

  @Test("A capture that begins anywhere in an upgrade reads the streams behind it.")
  func joined() {
    for start in 1..<5 {
      let events = Self.told(Array(Self.upgraded[start...]), without: [], late: 0, isMidstream: true)
      let words = H.words(events)
      for stream in [5, 7, 9] {
        #expect(words.contains { $0.hasSuffix("s\(stream) GET /\(stream) → 200 up 0 down 3") }, "\(start): \(words)")
      }
      #expect(events.filter(\.isFault).isEmpty)
    }
  }

  @Test("A server that declines the offer goes on in HTTP/1, though its answer be missing.")
  func declined() {
    let next: [Run] = [
      (.toServer, Array("GET /b HTTP/1.1\r\nHost: a\r\n\r\n".utf8)),
      (.toClient, Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)),
    ]
    let answer: Run = (.toClient, Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!".utf8))
    for late in Self.delays {
      let words = H.words(Self.told([Self.offer, answer] + next + next, without: [1], late: late))
      #expect(words.first == "1 GET /a → response not captured up 0")
      #expect(words.last == "3 GET /b → 200 up 0 down 2", "late by \(late): \(words)")
    }
    #expect(H.words(Self.told([Self.offer, answer] + next, without: [], late: 0)).count == 2)
  }

  @Test(
    "What a server said before the client's preface may have filled its table: nobody is blamed for what it refers to.")
  func tables() {
    // Inserted by a response that came before the capture begins.
    let early = H.frame(1, 5, 1, [0x88, 0x40, 1, 0x61, 1, 0x62])
    let later = H.frame(1, 5, 3, [0x88, 0xBE])
    let runs: [Run] = [
      Self.offer, (.toClient, Self.switching.bytes + H.settings + early), (.toServer, H.preface + H.settings),
      (.toClient, H.acknowledged), (.toServer, H.acknowledged + H.request(3, "/3")), (.toClient, later),
    ]
    #expect(Self.told(runs, without: [], late: 0).filter(\.isFault).isEmpty)
    for start in 1..<runs.count {
      #expect(Self.told(Array(runs[start...]), without: [], late: 0, isMidstream: true).filter(\.isFault).isEmpty)
    }
    for lost in Self.subsets(of: 0..<2) {
      #expect(Self.told(runs, without: lost, late: 2).filter(\.isFault).isEmpty)
    }
    // Where nothing is missing, it is one.
    let whole: [Run] = H.opening + [(.toServer, H.request(1, "/") + H.request(3, "/3")), (.toClient, later)]
    #expect(Self.told(whole, without: [], late: 0).filter(\.isFault).count == 1)
  }

  @Test("A request that waits behind a hole is read with its response, which came first.")
  func lateRequests() {
    let streams = Array(stride(from: UInt32(1), through: 15, by: 2))
    let runs = H.opening + streams.flatMap { Self.pair($0) }
    // Behind a hole that hides where a frame begins, three of them must follow.
    for index in 3..<runs.count - 6 {
      for late in Self.delays {
        let events = Self.told(runs, without: [index], late: late)
        #expect(events.filter(\.isFault).isEmpty, "without \(index), late by \(late)")
        let words = H.words(events)
        #expect(words.count == streams.count)
        for (place, stream) in streams.enumerated() where index != 3 + 2 * place && index != 4 + 2 * place {
          #expect(
            words.contains { $0.hasSuffix("s\(stream) GET /\(stream) → 200 up 0 down 3") },
            "without \(index), late by \(late): \(words)")
        }
      }
    }
  }

  @Test("A response that nobody asked for is told, and so is that it is a fault, where nothing is missing.")
  func unasked() {
    let answer: Run = (.toClient, H.response(3, 200, ends: true))
    let update: Run = (.toClient, H.frame(8, 0, 5, [0, 0, 0, 1]))
    let events = Self.told(H.opening + Self.pair(1) + [answer, update] + Self.pair(7), without: [], late: 0)
    #expect(H.words(events).contains("2 s3 (request not seen) → 200 down 0"))
    #expect(events.count(where: \.isFault) == 2)
    // A hole of the client's may hold the requests.
    let holed = Self.told(H.opening + Self.pair(1) + [answer, update] + Self.pair(7), without: [7], late: 100)
    #expect(holed.filter(\.isFault).isEmpty)
  }
}

extension HTTP2LossTests {
  @Test("What a stream lacks at its end may be in a hole of its direction, and is not, where there is none.")
  func ends() {
    let begun: [Run] =
      H.opening + [
        (.toServer, H.request(1, "/1") + H.request(3, "/3")), (.toClient, H.response(1, 200) + H.data(1, "abc")),
      ]
    let rest: [Run] = [(.toClient, H.data(1, "def", ends: true) + H.response(3, 204, ends: true))]
    func ends(_ runs: [Run], without lost: Set<Int>) -> [String] {
      Self.told(runs, without: lost, late: 0).compactMap { event in
        guard case .exchange(let exchange) = event else { return nil }
        let how = exchange.response.map { $0.incomplete.map { "\($0.cause)" } ?? "whole" }
        return "\(exchange.title): \(how ?? (exchange.isResponseMissing ? "not captured" : "none"))"
      }.sorted()
    }
    #expect(ends(begun, without: []) == ["GET /1 → 200: fin", "GET /3 → no response: none"])
    #expect(
      ends(begun + rest, without: [begun.count]) == [
        "GET /1 → 200: gap", "GET /3 → response not captured: not captured",
      ])
    #expect(ends(begun + rest, without: []) == ["GET /1 → 200: whole", "GET /3 → 204: whole"])
  }

  @Test("Nobody is accused of what the other side may have allowed in a hole, and everybody where there is none.")
  func permissions() {
    let credit = H.frame(8, 0, 0, [0, 0xFF, 0xFF, 0xFF]) + H.frame(8, 0, 1, [0, 0xFF, 0xFF, 0xFF])
    let ping = H.frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])
    let large = [UInt8](repeating: 7, count: 16_000)
    let data: [Run] = (0..<6).map { _ in (.toClient, H.frame(0, 0, 1, large)) }
    let runs: [Run] =
      H.opening + [(.toServer, H.request(1, "/")), (.toServer, credit + ping), (.toClient, H.response(1, 200))] + data
      + [
        (.toClient, H.frame(6, 1, 0, [1, 2, 3, 4, 5, 6, 7, 8])), (.toServer, H.acknowledged),
      ]
    #expect(Self.told(runs, without: [], late: 0).filter(\.isFault).isEmpty)
    for late in Self.delays {
      #expect(Self.told(runs, without: [4], late: late).filter(\.isFault).isEmpty, "late by \(late)")
    }
    var without = runs
    without.remove(at: 4)
    // Two frames more than there is credit for, and an answer to no PING.
    #expect(Self.told(without, without: [], late: 0).count(where: \.isFault) == 3)
  }
}

extension Event {
  fileprivate var isFault: Bool {
    switch self {
    case .http2Fault, .http2BlockFault: true
    default: false
    }
  }
}
