import Support
import Testing
import Trace
import WebSocket
import WebSocketSemantics

@Suite("Frames of one direction")
struct FrameParserTests {
  @Test("What is told of a stream.", arguments: FrameRow.all)
  func tokens(_ row: FrameRow) {
    #expect(Feeding().tokens(row.bytes).words == row.words)
  }

  @Test("The same at every cut, and at every two.", arguments: FrameRow.all)
  func cuts(_ row: FrameRow) {
    let whole = Feeding().tokens(row.bytes)
    let places = row.bytes.count <= 80 ? Array(0...row.bytes.count) : Array(0...20) + [row.bytes.count - 1]
    for first in places {
      for second in places where second >= first {
        #expect(Feeding().tokens(row.bytes, cutAt: [first, second]) == whole)
      }
    }
    #expect(Feeding().tokens(row.bytes, cutAt: Array(0..<row.bytes.count)) == whole)
  }

  @Test(
    "At every end of the input there is one end for each start, and nothing is told twice.", arguments: FrameRow.all)
  func prefixes(_ row: FrameRow) {
    for count in 0...min(row.bytes.count, 200) {
      let tokens = Feeding().tokens(Array(row.bytes.prefix(count)))
      let ends = tokens.ends
      #expect(ends.map(\.index) == Array(0..<UInt64(ends.count)))
      let covered = ends.reduce(0) { $0 + Int($1.span.count) }
      let broken = ends.dropLast().filter { !$0.isComplete }
      #expect(covered == count)
      #expect(broken.isEmpty)
      #expect(tokens.starts.count == ends.count { $0.headerReleased != nil })
    }
  }
}
