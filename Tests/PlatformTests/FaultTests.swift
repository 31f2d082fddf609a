import Foundation
import Platform
import Testing

/// What a handler of faults uses, outside of one; Tests/EndToEnd/faults has it called.
@Suite("Where the program fails")
struct FaultTests {
  @Test("text of a limited length holds numbers and words, and leaves out what does not fit")
  func text() {
    let text = FixedText(capacity: 24)
    for number in [0, 7, 10, 1_234_567, UInt64.max] {
      text.clear()
      text.append(number)
      #expect(text.isEqual("\(number)"))
    }
    text.replace(with: "packet ")
    text.append(UInt64(120))
    text.append(" of a.pcap")
    #expect(text.isEqual("packet 120 of a.pcap"))
    text.append("; please")
    #expect(text.isEqual("packet 120 of a.pcap; pl"))
    #expect(text.count == 24)
  }

  @Test("a text is found in another, at its beginning and its end, and the empty one in each")
  func contains() {
    let text = FixedText(capacity: 40)
    text.replace(with: "NAME=0c120,0x88,")
    for (word, isThere) in [("NAME", true), ("0x88,", true), ("", true), ("0c12,", false), ("0x88,,", false)] {
      let part = FixedText(capacity: 40)
      part.replace(with: word)
      #expect(text.contains(part) == isThere, "\(word)")
    }
  }

  @Test("a thread finds its own note, and none when it is done")
  func notes() async {
    let notes = ReadingNotes(count: 3)
    #expect(notes.current == nil)
    notes[1].begin(UInt8(ascii: "c"))
    notes[1].read(120)
    notes[2].read(7)
    #expect(notes.current?.packet == 120)
    #expect(notes.current?.connection == 0)
    notes[1].read(121, of: 88)
    #expect(notes.current?.connection == 88)
    #expect(notes.current?.kind == UInt8(ascii: "c"))
    notes[1].end()
    #expect(notes.current == nil)
    notes[1].begin(UInt8(ascii: "p"))
    #expect(notes.current?.packet == 0)
    #expect(notes.current?.connection == 0)
    notes[1].end()
  }
}
