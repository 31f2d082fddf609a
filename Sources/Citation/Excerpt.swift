/// A few bytes quoted as evidence. Reporters escape them; nobody prints them raw.
package struct Excerpt: Hashable, Sendable {
  package static let limit = 64

  package private(set) var bytes: [UInt8]
  /// How long the quoted thing was, when more than what is quoted.
  package private(set) var length: Int
  /// Framing (chunk lines, frame headers, field names) is never payload and never redacted.
  package var isPayload: Bool
  /// From this of its bytes on it is a secret by what stands before the excerpt, such as the name of the field of which it
  /// is the end. What its own bytes show to be one is found without it.
  package var secretFrom: Int {
    get { Int(firstSecret) }
    set { firstSecret = UInt8(clamping: newValue) }
  }
  private var firstSecret = UInt8.max

  package init(_ bytes: Span<UInt8>, isPayload: Bool) {
    self.length = bytes.count
    self.isPayload = isPayload
    self.bytes = []
    let quoted = min(bytes.count, Excerpt.limit)
    self.bytes.reserveCapacity(quoted)
    for index in 0..<quoted { self.bytes.append(bytes[index]) }
  }
}
