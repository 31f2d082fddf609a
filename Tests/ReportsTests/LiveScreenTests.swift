import Citation
import Events
import Testing

@testable import Reports

@Suite("The screen of what is going on")
struct LiveScreenTests {
  private static let second: Int64 = 1_000_000_000

  private func figures(_ seconds: Int64, packets: UInt64 = 0, bytes: UInt64 = 0, dropped: UInt64 = 0)
    -> LiveScreen.Figures
  {
    LiveScreen.Figures(
      device: "eth0", elapsed: seconds * Self.second, packets: packets, bytes: bytes, dropped: dropped,
      time: Timestamp(nanoseconds: (1_000 + seconds) * Self.second))
  }

  private func stream(_ connection: Int, silent: Int64, at seconds: Int64, title: String = "GET /s") -> OpenStream {
    let end = Endpoint(address: IPAddress(v4: 1), port: 1)
    let last = PacketRef(number: 9, time: Timestamp(nanoseconds: (1_000 + seconds - silent) * Self.second))
    var stream = OpenStream(
      flow: FlowID(firstPacket: 1), key: ExchangeKey(number: 1), client: end, server: end, direction: .toClient,
      kind: "text/event-stream", title: title, isBody: true, first: last, last: last, bytes: 1_204)
    stream.key.connection = connection
    stream.cause = .zeroWindow
    return stream
  }

  @Test("Rates are those of about the last second.")
  func rates() {
    var screen = LiveScreen(TextStyle(), stall: Self.second)
    _ = screen.lines(figures(1, packets: 100, bytes: 1_000), width: 120, height: 24)
    let lines = screen.lines(figures(3, packets: 2_100, bytes: 5_001_000, dropped: 7), width: 120, height: 24)
    #expect(lines[0] == "streamscope live eth0   3.000 s   2,100 packets   1,000/s   2.5 MB/s")
    #expect(lines[1].hasPrefix("0 exchanges and 0 connections finished"))
    #expect(lines[1].hasSuffix("7 dropped"))
  }

  @Test("Streams come with the longest silent first, and say who holds them.")
  func streams() {
    var screen = LiveScreen(TextStyle(), stall: 5 * Self.second)
    screen.show([stream(1, silent: 2, at: 9), stream(2, silent: 8, at: 9)])
    let lines = screen.lines(figures(9), width: 120, height: 24)
    let shown = lines.filter { $0.contains("text/event-stream") }.map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      shown == [
        "8.000 s #2.1 ← 1,204 B text/event-stream STALLED: client's receive window closed GET /s",
        "2.000 s #1.1 ← 1,204 B text/event-stream GET /s",
      ])
  }

  @Test("Nothing is longer or wider than the screen, or steers it.", arguments: [(20, 6), (60, 10), (200, 50)])
  func fits(width: Int, height: Int) {
    var style = TextStyle()
    style.isColored = true
    var screen = LiveScreen(style, stall: 1)
    screen.show(
      (1...100).map {
        stream($0, silent: Int64($0), at: 200, title: "GET /\u{1B}[2J\u{202E}\n" + String(repeating: "x", count: 300))
      })
    for number in 1...100 { screen.take(.loss(CaptureLoss(packets: UInt64(number), after: .none, before: .none))) }
    let lines = screen.lines(figures(200), width: width, height: height)
    #expect(lines.count <= height)
    let colors = try? Regex("\u{1B}\\[[0-9;]*m")
    let plain = lines.map { line in colors.map { line.replacing($0, with: "") } ?? line }
    #expect(plain.allSatisfy { $0.count <= width })
    #expect(!plain.joined().unicodeScalars.contains(where: isForbidden))
    // The newest is there, and room for streams.
    #expect(plain.contains { $0.contains("100 packets") || width < 30 })
    #expect(plain.contains { $0.contains("#100.1") || width < 30 })
  }
}
