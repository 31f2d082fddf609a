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

  private static func pair(_ stream: UInt32) -> [Run] {
    [
      (.toServer, H.request(stream, "/\(stream)")),
      (.toClient, H.response(stream, 200) + H.data(stream, "abc", ends: true)),
    ]
  }

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

  private static let delays = [0, 2, 5, 100]

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
