// usage: swift run wire SAMPLE.wire >sample.pcap
//
// Turns a conversation as people write it down (see WireScript and WireFile in Tests/Support) into a capture file, for
// the program itself or for any other.
import Platform
import Support

func fail(_ message: String) -> Never {
  try? Descriptor.errors.write(Array("wire: \(message)\n".utf8))
  Program.exit(2)
}

guard CommandLine.arguments.count == 2 else { fail("usage: swift run wire SAMPLE.wire >sample.pcap") }
guard let text = TextFile.read(CommandLine.arguments[1]) else { fail("cannot read \(CommandLine.arguments[1])") }
let capture = WireFile(text).capture
for problem in capture.problems { fail(problem) }
do { try Descriptor.output.write(capture.bytes) } catch { fail("cannot write: \(error)") }
