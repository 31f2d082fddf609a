// usage: swift run blocks FILE >lines
//
// Decodes header blocks with HPACKDecoder and writes a line for each, for Tests/EndToEnd/hpack-differential, which has
// another decoder write the same lines. FILE holds records: `N`, a new decoder; `L` and four bytes, the limit of its
// table; `B`, four bytes of length and a block. Numbers begin with their lowest byte.
//
// A line: the number of fields in front of the first fault, a hash of their bytes, and `ok` or `bad`. What follows a
// fault is `dead` until the next decoder: others stop at the first.
import HPACK
import HTTPSemantics
import Platform
import Support

func fail(_ message: String) -> Never {
  try? Descriptor.errors.write(Array("blocks: \(message)\n".utf8))
  Program.exit(2)
}

/// FNV-1a.
struct Hash {
  var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func add(_ bytes: Span<UInt8>) {
    for shift in stride(from: 0, to: 32, by: 8) { add(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
    for index in bytes.indices { add(bytes[index]) }
  }
}

func line(of section: HPACKSection) -> String {
  let end = section.faults.map(\.place.range.lowerBound).min() ?? .max
  var hash = Hash()
  var count = section.fieldsCut
  for (field, place) in zip(section.fields, section.places) where place.range.upperBound <= end {
    hash.add(section.bytes.span.extracting(field.name))
    hash.add(section.bytes.span.extracting(field.value))
    count += 1
  }
  return "\(count) \(hash.value) \(section.faults.isEmpty ? "ok" : "bad")\n"
}

/// What is left of the file.
struct Records {
  let bytes: [UInt8]
  var position = 0

  var isOver: Bool { position == bytes.count }

  mutating func kind() -> UInt8 {
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number() -> Int {
    guard position + 4 <= bytes.count else { fail("a record is cut") }
    defer { position += 4 }
    return (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
  }

  mutating func block() -> Range<Int> {
    let length = number()
    guard position + length <= bytes.count else { fail("a block is cut") }
    defer { position += length }
    return position..<position + length
  }
}

guard CommandLine.arguments.count == 2 else { fail("usage: swift run blocks FILE >lines") }
guard let bytes = TextFile.bytes(of: CommandLine.arguments[1]) else { fail("cannot read \(CommandLine.arguments[1])") }
var records = Records(bytes: bytes)
var decoder = HPACKDecoder()
var isDead = false
var output: [UInt8] = []

while !records.isOver {
  switch records.kind() {
  case UInt8(ascii: "N"):
    decoder = HPACKDecoder()
    isDead = false
  case UInt8(ascii: "L"): decoder.setLimit(UInt32(truncatingIfNeeded: records.number()))
  case UInt8(ascii: "B"):
    let block = records.block()
    if isDead {
      output += Array("dead\n".utf8)
    } else {
      let section = decoder.decode(records.bytes.span.extracting(block))
      isDead = !section.faults.isEmpty
      output += Array(line(of: section).utf8)
    }
  case let other: fail("no record begins with \(other)")
  }
  if output.count > 1 << 16 {
    do { try Descriptor.output.write(output) } catch { fail("cannot write: \(error)") }
    output.removeAll(keepingCapacity: true)
  }
}
do { try Descriptor.output.write(output) } catch { fail("cannot write: \(error)") }
