/// stub
package struct UTF8Stream: Sendable {
  package init() {}
  package var isOpen: Bool { false }
  package mutating func take(_ bytes: Span<UInt8>) -> Int? { nil }
}
