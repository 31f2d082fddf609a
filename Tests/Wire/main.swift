// usage: swift run wire SAMPLE.wire >sample.pcap
//
// Turns a conversation as people write it down (see WireScript and WireFile in Tests/Support) into a capture file, for
// the program itself or for any other.
import Glibc
import Support

func put(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

func fail(_ message: String) -> Never {
  _ = put(Array("wire: \(message)\n".utf8), to: STDERR_FILENO)
  exit(2)
}

guard CommandLine.arguments.count == 2 else { fail("usage: swift run wire SAMPLE.wire >sample.pcap") }
guard let text = TextFile.read(CommandLine.arguments[1]) else { fail("cannot read \(CommandLine.arguments[1])") }
let capture = WireFile(text).capture
for problem in capture.problems { fail(problem) }
guard put(capture.bytes, to: STDOUT_FILENO) else { fail("cannot write") }
