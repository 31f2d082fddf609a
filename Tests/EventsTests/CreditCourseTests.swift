import Events
import Support
import Testing

@Suite("What was left of a window over time")
struct CreditCourseTests {
  private typealias Point = CreditCourse.Point

  private static func course(_ values: [(at: Int64, left: Int64)]) -> CreditCourse {
    var course = CreditCourse()
    for value in values { course.note(value.left, at: value.at) }
    return course
  }

  @Test("Each value is a point while there are few.")
  func few() {
    #expect(
      Self.course([(5, 100), (5, 40), (9, 0)]).points
        == [Point(5, low: 100, high: 100), Point(5, low: 40, high: 40), Point(9, low: 0, high: 0)])
  }

  @Test("However many come, no more are kept than that, in order, and the extremes stay where they were.")
  func many() throws {
    var random = SplitMix64(seed: 17)
    var values = (0..<10_000).map { (at: Int64($0) * 1_000, left: Int64.random(in: 100...900, using: &random)) }
    values[3_333].left = -5
    values[7_777].left = 1_000
    let points = Self.course(values).points
    #expect(points.count <= CreditCourse.limit && points.count > CreditCourse.limit / 4)
    #expect(zip(points, points.dropFirst()).allSatisfy { $0.nanoseconds < $1.nanoseconds })
    for (at, left) in [(3_333_000, Int64(-5)), (7_777_000, 1_000)] {
      let point = try #require(points.last { $0.nanoseconds <= at })
      #expect(point.low <= left && left <= point.high)
    }
    #expect(points.map(\.low).min() == -5 && points.map(\.high).max() == 1_000)
  }

  @Test("Times that are all the same, that run backwards, and that jump by centuries.")
  func clocks() {
    for step in [0, -1_000, .max / 600] as [Int64] {
      let points = Self.course((0..<1_000).map { (at: Int64($0) &* step, left: Int64($0)) }).points
      #expect(points.count <= CreditCourse.limit)
      #expect(points.map(\.high).max() == 999)
    }
  }
}
