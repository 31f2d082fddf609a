import Testing

@testable import Parquet

@Suite("Records, taken apart") struct RecordWriterTests {
  private static let schema = Schema([
    ColumnField("a", .string), ColumnField("l", .list(.string)),
    ColumnField(
      "g",
      .group([
        ColumnField("x", .integer),
        ColumnField("m", .list(.group([ColumnField("k", .string), ColumnField("v", .list(.integer))]))),
      ])),
    ColumnField("pairs", .list(.list(.string))), ColumnField("n", .number), ColumnField("at", .time),
  ])

  /// Repetition and definition of each value, as pairs.
  private static func levels(_ records: RecordWriter, _ path: String) -> [String] {
    var records = records
    records.complete()
    guard let column = records.columns.first(where: { $0.leaf.path.joined(separator: ".") == path }) else { return [] }
    return zip(column.repetition.levels, column.definition.levels).map { "\($0)\($1)" }
  }

  @Test("Levels say what is there: by hand, from the rules of Dremel.")
  func levels() {
    var records = RecordWriter(Self.schema)
    // Nothing at all.
    records.beginGroup()
    records.end()
    // A text, an empty list, a group with nothing in it.
    records.beginGroup()
    records.name("a")
    records.string("x")
    records.name("l")
    records.beginList()
    records.end()
    records.name("g")
    records.beginGroup()
    records.end()
    records.end()
    // Lists in lists: [{k, v: [1, 2]}, {}, {v: []}], and [[p, q], [], [r]].
    records.beginGroup()
    records.name("g")
    records.beginGroup()
    records.name("m")
    records.beginList()
    records.beginGroup()
    records.name("k")
    records.string("k")
    records.name("v")
    records.beginList()
    records.integer(1)
    records.integer(2)
    records.end()
    records.end()
    records.beginGroup()
    records.end()
    records.beginGroup()
    records.name("v")
    records.beginList()
    records.end()
    records.end()
    records.end()
    records.end()
    records.name("pairs")
    records.beginList()
    for pair in [["p", "q"], [], ["r"]] {
      records.beginList()
      for text in pair { records.string(text) }
      records.end()
    }
    records.end()
    records.end()
    #expect(records.records == 3 && records.strays == 0)
    #expect(Self.levels(records, "a") == ["00", "01", "00"])
    #expect(Self.levels(records, "l.list.element") == ["00", "01", "00"])
    #expect(Self.levels(records, "g.x") == ["00", "01", "01"])
    #expect(Self.levels(records, "g.m.list.element.k") == ["00", "01", "04", "13", "13"])
    #expect(Self.levels(records, "g.m.list.element.v.list.element") == ["00", "01", "05", "25", "13", "14"])
    #expect(Self.levels(records, "pairs.list.element.list.element") == ["00", "00", "03", "23", "12", "13"])
  }

  @Test("Times are microseconds, rounded down, with nanoseconds beside; whole numbers may stand among fractions.")
  func times() {
    var records = RecordWriter(Self.schema)
    for nanoseconds in [1_500, -1, Int64.min] {
      records.beginGroup()
      records.name("n")
      records.integer(3)
      records.name("at")
      records.time(nanoseconds)
      records.end()
    }
    let values = { (name: String) in records.columns.first { $0.leaf.path == [name] }?.integers }
    #expect(values("at") == [1, -1, Int64.min / 1_000 - 1])
    #expect(values("atEpochNs") == [1_500, -1, .min])
    #expect(values("n") == [Int64](repeating: Int64(bitPattern: 3.0.bitPattern), count: 3))
    #expect(Schema.nanoseconds("time") == "epochNs" && Schema.nanoseconds("firstTime") == "firstEpochNs")
  }

  @Test("What has no place is left out and counted, with all that is in it, and the rest stays where it belongs.")
  func strays() {
    var records = RecordWriter(Self.schema)
    records.beginGroup()
    records.name("unknown")
    records.beginGroup()
    records.name("a")
    records.string("not this one")
    records.name("more")
    records.beginList()
    records.end()
    records.end()
    // A text where a list belongs, and a group where a text does.
    records.name("l")
    records.string("x")
    records.name("a")
    records.beginGroup()
    records.end()
    records.name("g")
    records.beginGroup()
    records.name("x")
    records.integer(1)
    // The first one counts.
    records.name("x")
    records.integer(2)
    records.end()
    records.end()
    #expect(records.strays == 4)
    #expect(Self.levels(records, "a") == ["00"])
    #expect(Self.levels(records, "l.list.element") == ["00"])
    #expect(Self.levels(records, "g.x") == ["02"])
    #expect(records.columns[2].integers == [1])
  }

  @Test("Strings are the same if their bytes are, whatever Unicode says of them.")
  func strings() {
    var store = StringStore()
    let texts = ["e\u{301}", "\u{e9}", "e\u{301}", "", "\0", "", "z"] + (0..<100).map { "\($0 % 50)" }
    for text in texts { _ = store.append(text) }
    #expect(store.count == 5 + 50)
    #expect(Array(store.places.prefix(7)) == [0, 1, 0, 2, 3, 2, 4])
    let again = store.places.map { String(decoding: store.bytes[store.string($0)], as: UTF8.self) }
    #expect(zip(again, texts).allSatisfy { Array($0.utf8) == Array($1.utf8) })
    #expect(store.plain.count == store.plainSize)
    let bounds = store.bounds(limit: 64)
    #expect(bounds?.least == [] && bounds?.most == [0xC3, 0xA9])
    #expect(store.bounds(limit: 1) == nil)
  }
}

extension LevelRuns {
  fileprivate var levels: [UInt8] {
    let bytes = encoded(maximum: 7)
    var reader = PackedReader(Array(bytes.dropFirst(4)))
    return reader.runs(count, width: 3).map { UInt8($0) }
  }
}
