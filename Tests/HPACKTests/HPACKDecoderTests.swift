import HPACK
import HTTP2Semantics
import HTTPSemantics
import Support
import Testing

@Suite("Header blocks")
struct HPACKDecoderTests {
  private func decode(_ row: HPACKRow) -> [HPACKSection] {
    var decoder = HPACKDecoder(startsAnywhere: row.isMidstream)
    return row.blocks.indices.map { index in
      if let limit = row.limits[index] {
        decoder.setLimit(limit)
        if let raised = row.raised { decoder.setLimit(raised) }
      }
      let block = row.blocks[index]
      return decoder.decode(block.span)
    }
  }

  @Test("What is said of blocks.", arguments: HPACKRow.all)
  func rows(_ row: HPACKRow) {
    #expect(decode(row).map(\.words) == row.words)
  }

  @Test("A block that ends early is cut, and says nothing else than the whole.", arguments: HPACKRow.all)
  func prefixes(_ row: HPACKRow) throws {
    let block = try #require(row.blocks.first)
    for count in 0...block.count {
      var decoder = HPACKDecoder(startsAnywhere: row.isMidstream)
      if let limit = row.limits[0] { decoder.setLimit(limit) }
      let part = decoder.decode(Array(block.prefix(count)).span)
      let whole = decode(row)[0]
      #expect(whole.lines.starts(with: part.lines))
      #expect(part.places.allSatisfy { $0.range.upperBound <= count })
    }
  }

  @Test("Each field knows where it was encoded.")
  func places() {
    var decoder = HPACKDecoder()
    let section = decoder.decode(bytes("828684410f7777772e6578616d706c652e636f6d").span)
    #expect(section.places.map(\.range) == [0..<1, 1..<2, 2..<3, 3..<20])
    #expect(section.listSize == UInt64(":method:scheme:path:authorityGEThttp/www.example.com".utf8.count + 4 * 32))
  }

  @Test("Symbols of each length have their codes.")
  func code() {
    // RFC 7541 appendix B: a symbol, and its code aligned to the most significant bit and padded.
    let codes: [(symbol: UInt8, code: String)] = [
      (48, "07"), (101, "2f"), (32, "53"), (58, "b9"), (38, "f8"), (33, "fe3f"), (43, "ff7f"), (35, "ffaf"),
      (0, "ffc7"), (94, "fff3"), (60, "fff9"), (92, "fffe1f"), (195, "fffe3f"), (128, "fffe6f"), (153, "fffee7"),
      (129, "ffff4b"), (1, "ffffb1"), (9, "ffffea"), (199, "fffff67f"), (192, "fffff83f"), (203, "fffffbdf"),
      (2, "fffffe2f"), (10, "fffffff3"), (22, "fffffffb"),
    ]
    for (symbol, code) in codes {
      let code = bytes(code)
      var decoder = HPACKDecoder()
      let block = [0, 1, 0x61, 0x80 | UInt8(code.count)] + code
      let section = decoder.decode(block.span)
      #expect(section.faults.isEmpty)
      #expect(section.fields.first.map { Array(section.bytes[$0.value]) } == [symbol])
    }
  }

  @Test("What an encoder meant, whatever it inserts and evicts, in Huffman's code or not.")
  func encoders() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var encoder = Encoder()
      var decoder = HPACKDecoder()
      for _ in 0..<40 {
        let (block, fields) = encoder.block(&random)
        let section = decoder.decode(block.span)
        #expect(section.lines == fields && section.faults.isEmpty && section.unknown == 0)
      }
    }
  }

  @Test("From any block on: what is known is right, what is not is said not to be, and no encoder is blamed.")
  func middles() {
    var known = 0
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var encoder = Encoder()
      let blocks = (0..<40).map { _ in encoder.block(&random) }
      let start = Int.random(in: 1..<30, using: &random)
      var decoder = HPACKDecoder(startsAnywhere: true)
      for (block, fields) in blocks[start...] {
        let section = decoder.decode(block.span)
        #expect(section.faults.isEmpty && section.lines.count == fields.count)
        for (line, field) in zip(section.lines, fields) where line != field {
          #expect(line.hasPrefix("(unknown entry "))
        }
        known += section.lines.count - section.unknown
      }
    }
    #expect(known > 10_000)
  }

  @Test(
    "A table as large as anybody may make it, and one that is larger than what is kept.",
    arguments: [60_000, 4_000_000_000])
  func largeTables(_ limit: UInt32) {
    var decoder = HPACKDecoder()
    decoder.setLimit(limit)
    var update: [UInt8] = [0x3F]
    var rest = limit - 31
    while rest >= 128 {
      update.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    update.append(UInt8(rest))
    #expect(decoder.decode(update.span).faults.isEmpty)
    for index in 0..<3_000 {
      let section = decoder.decode(([0x40, 1, 0x61, 4] + Array(String(1_000 + index).utf8)).span)
      #expect(section.faults.isEmpty)
    }
    // The newest entry, and one that was evicted or is not kept: 37 bytes each.
    #expect(decoder.decode(bytes("be").span).lines == ["a: 3999"])
    let old = decoder.decode(bytes("ffff" + "0f").span)
    #expect(old.unknown == 1)
    #expect(old.faults.map(\.kind) == (limit == 60_000 ? [.indexTooLarge] : []))
  }

  @Test("A block that grows without end when decoded is bounded.")
  func bomb() {
    var decoder = HPACKDecoder()
    let long = [UInt8](repeating: 0x62, count: 3_900)
    _ = decoder.decode(([0x40, 1, 0x61, 0x7F, 0xBD, 0x1D] + long).span)
    let section = decoder.decode([UInt8](repeating: 0xBE, count: 60_000).span)
    #expect(section.bytes.count <= HeaderBlock.limit && section.fields.count + section.fieldsCut == 60_000)
    #expect(section.listSize == 60_000 * (3_900 + 1 + 32))
  }

  @Test("Random bytes neither trap nor grow.")
  func noise() {
    var random = SplitMix64(seed: 75)
    for _ in 0..<20_000 {
      var decoder = HPACKDecoder(startsAnywhere: Bool.random(using: &random))
      for _ in 0..<4 {
        let block = random.bytes(Int.random(in: 0...60, using: &random))
        let section = decoder.decode(block.span)
        #expect(section.fields.count == section.places.count && section.bytes.count <= HeaderBlock.limit)
        if Bool.random(using: &random) { decoder.setLimit(UInt32.random(in: 0...5_000, using: &random)) }
        if section.faults.contains(where: { $0.kind == .indexTooLarge }) { #expect(!decoder.isTableKnown) }
      }
    }
  }

  @Test("Ten times the fields take ten times as long.")
  func linear() {
    func time(_ count: Int) -> Duration {
      var least = Duration.seconds(60)
      for _ in 0..<3 {
        var decoder = HPACKDecoder()
        let clock = ContinuousClock.now
        for index in 0..<count {
          _ = decoder.decode(([0x40, 1, 0x61, 3] + Array(String(100 + index % 900).utf8)).span)
        }
        least = min(least, clock.duration(to: .now))
      }
      return least
    }
    #expect(time(50_000) < time(5_000) * 40)
  }
}

/// An encoder with a table of its own, which makes random use of all that the format offers.
private struct Encoder {
  private var table: [(name: String, value: String)] = []
  private var capacity = 4_096

  private static let names = ["a", "accept", "x-request-id", "cookie", "content-type", "very-long-name-of-a-field"]

  mutating func block(_ random: inout SplitMix64) -> (bytes: [UInt8], fields: [String]) {
    var bytes: [UInt8] = []
    var fields: [String] = []
    if Int.random(in: 0..<12, using: &random) == 0 {
      capacity = [100, 700, 4_096].randomElement(using: &random) ?? 4_096
      bytes += integer(capacity, prefix: 5, 0x20)
      evict()
    }
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let kind = Int.random(in: 0..<6, using: &random)
      if kind < 2, let index = table.indices.randomElement(using: &random) {
        bytes += integer(62 + index, prefix: 7, 0x80)
        fields.append("\(table[index].name): \(table[index].value)")
        continue
      }
      let value =
        String(repeating: "v", count: Int.random(in: 0...90, using: &random))
        + "\(Int.random(in: 0...9, using: &random))"
      let isInserted = kind > 2
      let form: UInt8 = isInserted ? 0x40 : kind == 2 ? 0x10 : 0
      let prefix = isInserted ? 6 : 4
      var name = Self.names.randomElement(using: &random) ?? "a"
      if Bool.random(using: &random), let index = table.indices.randomElement(using: &random) {
        name = table[index].name
        bytes += integer(62 + index, prefix: prefix, form)
      } else {
        bytes += integer(0, prefix: prefix, form) + string(name, &random)
      }
      bytes += string(value, &random)
      fields.append("\(name): \(value)")
      if isInserted {
        table.insert((name, value), at: 0)
        evict()
      }
    }
    return (bytes, fields)
  }

  private mutating func evict() {
    while table.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }) > capacity { table.removeLast() }
  }

  private func integer(_ value: Int, prefix: Int, _ form: UInt8) -> [UInt8] {
    let most = 1 << prefix - 1
    guard value >= most else { return [form | UInt8(value)] }
    var bytes = [form | UInt8(most)]
    var rest = value - most
    while rest >= 128 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// Codes of the letters in use, as appendix B has them.
  private static let codes: [Character: (code: UInt64, length: Int)] = [
    "v": (0x77, 7), "0": (0, 5), "1": (1, 5), "2": (2, 5), "3": (0x19, 6), "4": (0x1A, 6), "5": (0x1B, 6),
    "6": (0x1C, 6), "7": (0x1D, 6), "8": (0x1E, 6), "9": (0x1F, 6),
  ]

  private func string(_ text: String, _ random: inout SplitMix64) -> [UInt8] {
    guard Bool.random(using: &random), text.allSatisfy({ Self.codes[$0] != nil }) else {
      return integer(text.utf8.count, prefix: 7, 0) + Array(text.utf8)
    }
    var coded: [UInt8] = []
    var bits: UInt64 = 0
    var count = 0
    for character in text {
      let (code, length) = Self.codes[character] ?? (0, 0)
      bits = bits << UInt64(length) | code
      count += length
      while count >= 8 {
        coded.append(UInt8(truncatingIfNeeded: bits >> UInt64(count - 8)))
        count -= 8
      }
    }
    if count > 0 { coded.append(UInt8(truncatingIfNeeded: bits << UInt64(8 - count)) | UInt8(1 << (8 - count) - 1)) }
    return integer(coded.count, prefix: 7, 0x80) + coded
  }
}
