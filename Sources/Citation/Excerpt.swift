/// A few bytes quoted as evidence. Reporters escape them; nobody prints them raw.
package struct Excerpt: Hashable, Sendable {
  package static let limit = 64

  package private(set) var bytes: [UInt8]
  /// How long the quoted thing was, when more than what is quoted.
  package private(set) var length: Int
  /// Framing (chunk lines, frame headers, field names) is never payload and never redacted.
  package var isPayload: Bool

  package init(_ bytes: Span<UInt8>, isPayload: Bool) {
    self.length = bytes.count
    self.isPayload = isPayload
    self.bytes = []
    let quoted = min(bytes.count, Excerpt.limit)
    self.bytes.reserveCapacity(quoted)
    for index in 0..<quoted { self.bytes.append(bytes[index]) }
  }
}
