import Events
import Testing

@testable import Dialogues

/// What was left of windows, for pictures of them.
@Suite("Courses of windows")
struct WindowCourseTests {
  private typealias H2 = HTTP2DialogueTests

  /// The server may send ten bytes of each stream. A packet each millisecond, from 0 on.
  private static func events(isDrawn: Bool) -> [Event] {
    let runs: [H2.Run] = [
      (.toServer, H2.preface + H2.frame(4, 0, 0, [0, 4] + H2.word(10))), (.toClient, H2.settings + H2.acknowledged),
      (.toServer, H2.acknowledged + H2.request(1, "/a") + H2.request(3, "/b")),
      (.toClient, H2.response(1, 200) + H2.response(3, 200) + H2.data(1, "012345")),
      (.toClient, H2.data(1, "6789")), (.toServer, H2.frame(8, 0, 1, H2.word(20))),
      (.toClient, H2.data(1, "more", ends: true) + H2.data(3, "few", ends: true)),
    ]
    var options = DialogueOptions()
    options.drawsWindows = isDrawn
    return H2.told(runs, options)
  }

  private static func credit(_ events: [Event]) -> [CreditRecord] {
    events.compactMap { event in
      if case .exchange(let exchange) = event { exchange.credit?.toClient } else { nil }
    }
  }

  @Test("Of the window that was used up: the least and the most from each time on.")
  func drawn() {
    let courses = Self.credit(Self.events(isDrawn: true)).compactMap(\.course)
    let points = courses.first?.points ?? []
    #expect(points.map(\.nanoseconds) == [3, 3, 4, 5, 6].map { $0 * 1_000_000 })
    #expect(points.map(\.low) == [10, 4, 0, 20, 16])
    // That of the other stream never was, nor was the connection's.
    #expect(courses.count == 1)
    #expect(H2.record(Self.events(isDrawn: true))?.credit.toClient.course == nil)
  }

  @Test("Nothing is kept of it where nothing shows it, and what is told of stalls is the same.")
  func undrawn() {
    let (drawn, undrawn) = (Self.credit(Self.events(isDrawn: true)), Self.credit(Self.events(isDrawn: false)))
    #expect(drawn.count == undrawn.count && !drawn.isEmpty)
    #expect(undrawn.allSatisfy { $0.course == nil })
    #expect(drawn.map(\.stalls) == undrawn.map(\.stalls) && drawn.map(\.blocked) == undrawn.map(\.blocked))
  }
}
