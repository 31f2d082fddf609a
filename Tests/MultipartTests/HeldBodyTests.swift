import Citation
import Support
import Testing

@testable import Multipart

@Suite("Bytes of a body that are held")
struct HeldBodyTests {
  @Test("A quote of more than is held ends with it.", arguments: [3..<99, 6..<99, 50..<99])
  func excerpt(_ range: Range<Int>) {
    var held = HeldBody()
    // A line that begins with a blank is quoted with what is before it.
    let bytes = Array("a:\n b\n".utf8)
    held.append(bytes.span, at: 0, in: .numbered(1))
    #expect(held.excerpt(range).bytes == Array(bytes[min(range.lowerBound, bytes.count)...]))
  }
}
