/// Numbers from 1 that were put in, a bit each; of numbers beyond the limit it knows nothing.
struct NumberSet: Sendable {
  private let limit: Int
  private var words: [UInt64] = []

  init(limit: Int) {
    self.limit = limit
  }

  var wordCount: Int { words.count }

  func knows(_ number: Int) -> Bool { (1...limit).contains(number) }

  mutating func insert(_ number: Int) {
    guard knows(number) else { return }
    while words.count <= number / 64 { words.append(0) }
    words[number / 64] |= 1 << UInt64(number % 64)
  }

  func contains(_ number: Int) -> Bool {
    knows(number) && number / 64 < words.count && words[number / 64] >> UInt64(number % 64) & 1 == 1
  }
}
