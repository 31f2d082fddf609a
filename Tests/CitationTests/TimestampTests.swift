import Citation
import Testing

@Suite struct TimestampTests {
  @Test(
    "moving a time stops at the ends of the range",
    arguments: [
      (0, 5, 5), (5, -7, -2), (.max, 1, .max), (.max - 1, 1, .max), (.max, .max, .max), (.min, -1, .min),
      (.min, .min, .min), (.max, .min, -1), (.min, .max, -1),
    ] as [(Int64, Int64, Int64)])
  func advanced(start: Int64, delta: Int64, expected: Int64) {
    #expect(Timestamp(nanoseconds: start).advanced(by: delta).nanoseconds == expected)
  }

  @Test(
    "a difference stops at the ends of the range, which have opposites",
    arguments: [
      (5, 3, 2), (3, 5, -2), (.max, -1, .max), (.min, 1, -.max), (-1, .max, -.max), (.min, .min, 0),
    ] as [(Int64, Int64, Int64)])
  func since(time: Int64, earlier: Int64, expected: Int64) {
    #expect(Timestamp(nanoseconds: time).since(Timestamp(nanoseconds: earlier)) == expected)
  }

  @Test(
    "how far two times lie apart never traps, and is never negative",
    arguments: [(5, 3, 2), (3, 5, 2), (.max, -1, .max), (.min, 0, .max), (.min, .min, 0)] as [(Int64, Int64, Int64)])
  func apart(time: Int64, other: Int64, expected: Int64) {
    #expect(Timestamp(nanoseconds: time).apart(from: Timestamp(nanoseconds: other)) == expected)
    #expect(time.apart(from: other) == expected)
  }

  @Test(
    "a multiple of a duration stops at the ends of the range",
    arguments: [(3, 10, 30), (.max / 5, 10, .max), (-.max / 5, 10, -.max), (-.max / 5, -10, .max), (0, .max, 0)]
      as [(Int64, Int64, Int64)])
  func multiplied(duration: Int64, factor: Int64, expected: Int64) {
    #expect(duration.saturatingMultiplied(by: factor) == expected)
  }

  @Test("times are ordered, and nothing is after the distant future")
  func order() {
    #expect(Timestamp(nanoseconds: -1) < .zero)
    #expect(.zero < Timestamp.distantFuture)
    #expect(!(Timestamp.distantFuture < Timestamp(nanoseconds: .max)))
  }
}
