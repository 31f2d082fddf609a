// Fuzzes what reads documents that were saved: the parser, and every format that is made of what it read. Documents may be
// edited by hand or be of another program; none may trap, and what a tree is written as must read as that tree again.
import Events
import Reports

private struct Nowhere: ByteSink {
  var count = 0
  mutating func write(_ bytes: [UInt8]) { count += bytes.count }
}

private let context = ConversionContext(version: "0", rules: [])

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocuments(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let node = try? DocumentParser.parse([UInt8](UnsafeBufferPointer(start: data, count: count))) else { return 0 }
  var text: [UInt8] = []
  JSONWriter.append(to: &text, .compact) { $0.value(node) }
  precondition((try? DocumentParser.parse(text)) == node)
  for format in DocumentFormat.allCases {
    var sink = Nowhere()
    try? format.write([node], context, to: &sink)
    _ = format.missing(in: node)
  }
  return 0
}
