/// A column of a row group as a file has it: a page with all distinct values, where that is shorter, and the page of values.
struct ColumnChunk {
  /// Longer bounds are left out of the statistics.
  private static let boundLimit = 64
  /// Of a column with more distinct numbers a dictionary is not tried.
  private static let dictionaryLimit = 1 << 14

  private(set) var bytes: [UInt8] = []
  /// Of what is in the footer.
  private var unpacked = 0
  private var hasDictionary = false
  private var dataOffset = 0
  private var encoding = Encoding.plain
  private var codec = Compression.none
  private var levels = 0
  private var absent = 0
  private var bounds: (least: [UInt8], most: [UInt8])?

  init(_ column: ColumnBuffer, _ compression: Compression) {
    let leaf = column.leaf
    levels = column.definition.count
    absent = levels - column.valueCount
    var dictionary: [UInt8]?
    var distinct = 0
    var values: [UInt8]
    switch leaf.type {
    case .byteArray:
      let store = column.strings
      let width = BitPacker.width(of: UInt64(max(store.count, 1) - 1))
      if store.bytes.count + 4 * store.count + store.places.count * width / 8 < store.plainSize {
        (dictionary, distinct) = (store.dictionary, store.count)
        values = Self.indexed(store.places, width: width)
      } else {
        values = store.plain
      }
      bounds = store.bounds(limit: Self.boundLimit)
    case .int64:
      values = DeltaBlocks.encode(column.integers)
      encoding = .deltaBinaryPacked
      if let (places, numbers) = Self.distinct(column.integers) {
        let width = BitPacker.width(of: UInt64(max(numbers.count, 1) - 1))
        if 8 * numbers.count + places.count * width / 8 < values.count {
          (dictionary, distinct) = (Self.plain(numbers), numbers.count)
          values = Self.indexed(places, width: width)
        }
      }
      if let least = column.integers.min(), let most = column.integers.max() {
        bounds = (Self.plain([least]), Self.plain([most]))
      }
    case .double:
      values = Self.plain(column.integers)
    case .boolean:
      var packer = BitPacker()
      for value in column.integers { packer.append(UInt64(bitPattern: value), width: 1) }
      values = packer.finish()
    }
    if dictionary != nil { encoding = .rleDictionary }
    // Of no value at all there is nothing to encode.
    if column.valueCount == 0 { (values, encoding, dictionary) = ([], .plain, nil) }
    values =
      column.repetition.encoded(maximum: leaf.maximumRepetition)
      + column.definition.encoded(maximum: leaf.maximumDefinition) + values
    // The codec is that of all pages of a chunk.
    let packed = (values: compression.pack(values), dictionary: dictionary.map { compression.pack($0) })
    if packed.values.count + (packed.dictionary?.count ?? 0) < values.count + (dictionary?.count ?? 0) {
      codec = compression
    }
    if let dictionary {
      hasDictionary = true
      append(codec == .none ? dictionary : packed.dictionary ?? [], unpacked: dictionary.count, ofDictionary: distinct)
    }
    dataOffset = bytes.count
    append(codec == .none ? values : packed.values, unpacked: values.count, ofDictionary: nil)
  }

  // MARK: Values

  private static func plain(_ values: [Int64]) -> [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(8 * values.count)
    for value in values { page.appendLittle(value) }
    return page
  }

  private static func indexed(_ places: [UInt32], width: Int) -> [UInt8] {
    var runs = HybridRuns(width: width)
    for place in places { runs.append(place) }
    return [UInt8(truncatingIfNeeded: width)] + runs.finish()
  }

  /// In the order of appearance; nil if there are many.
  private static func distinct(_ values: [Int64]) -> (places: [UInt32], numbers: [Int64])? {
    var known: [Int64: UInt32] = [:]
    var numbers: [Int64] = []
    var places: [UInt32] = []
    places.reserveCapacity(values.count)
    for value in values {
      if let place = known[value] {
        places.append(place)
        continue
      }
      guard numbers.count < Self.dictionaryLimit else { return nil }
      known[value] = UInt32(numbers.count)
      places.append(UInt32(numbers.count))
      numbers.append(value)
    }
    return (places, numbers)
  }

  // MARK: Pages

  private mutating func append(_ page: [UInt8], unpacked size: Int, ofDictionary distinct: Int?) {
    var header = ThriftWriter()
    header.structure { thrift in
      thrift.field(1, Int32(distinct == nil ? 0 : 2))
      thrift.field(2, Int32(clamping: size))
      thrift.field(3, Int32(clamping: page.count))
      if let distinct {
        thrift.field(7) { dictionary in
          dictionary.field(1, Int32(clamping: distinct))
          dictionary.field(2, Encoding.plain.rawValue)
        }
      } else {
        thrift.field(5) { data in
          data.field(1, Int32(clamping: levels))
          data.field(2, encoding.rawValue)
          data.field(3, Encoding.rle.rawValue)
          data.field(4, Encoding.rle.rawValue)
        }
      }
    }
    bytes += header.bytes
    unpacked += header.bytes.count + size
    bytes += page
  }

  /// Its place in the list of the row group, with its metadata.
  func write(to thrift: inout ThriftWriter, _ leaf: Schema.Leaf, at offset: Int64) {
    thrift.field(2, offset)
    thrift.field(3) { data in
      data.field(1, leaf.type.rawValue)
      data.list(2, ((hasDictionary ? [.plain] : []) + [.rle, encoding]).map { (each: Encoding) in each.rawValue })
      data.list(3, leaf.path)
      data.field(4, codec.rawValue)
      data.field(5, Int64(levels))
      data.field(6, Int64(unpacked))
      data.field(7, Int64(bytes.count))
      data.field(9, offset + Int64(dataOffset))
      if hasDictionary { data.field(11, offset) }
      data.field(12) { statistics in
        statistics.field(3, Int64(absent))
        guard let bounds else { return }
        statistics.field(5, bounds.most)
        statistics.field(6, bounds.least)
      }
    }
  }

  var unpackedCount: Int { unpacked }
}
