import Citation
import HTTP2Semantics
import HTTPSemantics

/// Decodes the header blocks of one direction, in the order in which they were sent: each may change the table that the
/// next one refers to.
///
/// A block is decoded as far as it can be. After a fault that says that encoder and decoder do not have the same table
/// any more, what the table holds is unknown (see DynamicTable), and no further fault of an index is reported.
package struct HPACKDecoder: Sendable {
  /// What a table may hold unless SETTINGS say otherwise.
  package static let usualLimit: UInt64 = 4_096
  private static let integerOctets = 6

  private var table: DynamicTable
  /// What the receiver allows; nil where nobody knows, because the capture began late.
  private var limit: UInt64?
  /// The lowest limit since the last block, which the encoder has to respond to.
  private var lowered: UInt64?
  /// Name and value of the field at hand.
  private var name: [UInt8] = []
  private var value: [UInt8] = []
  /// Bytes of the section before: the next one of a direction tends to have as many.
  private var lastBytes = 0
  private static let reservedBytes = 512

  /// `startsAnywhere`: blocks before the first one may be missing.
  package init(startsAnywhere: Bool = false) {
    limit = startsAnywhere ? nil : Self.usualLimit
    table = DynamicTable(capacity: startsAnywhere ? .max : Self.usualLimit, isOpenEnded: startsAnywhere)
  }

  /// All entries that the encoder may refer to are known.
  package var isTableKnown: Bool { !table.isOpenEnded }

  package mutating func countHeld() -> Int { table.heldBytes }

  /// The receiver's limit as the encoder knows it: SETTINGS_HEADER_TABLE_SIZE, once acknowledged.
  package mutating func setLimit(_ bytes: UInt32) {
    let bytes = UInt64(bytes)
    limit = bytes
    if bytes < table.capacity, table.capacity < .max { lowered = min(lowered ?? bytes, bytes) }
  }

  /// Blocks are missing, or a part of one.
  package mutating func lose() {
    table.lose()
    lowered = nil
  }

  package mutating func decode(_ block: Span<UInt8>) -> HPACKSection {
    var section = HPACKSection()
    section.fields.reserveCapacity(min(16, block.count))
    section.places.reserveCapacity(min(16, block.count))
    section.bytes.reserveCapacity(min(Self.reservedBytes, max(block.count * 4, lastBytes + 16)))
    var cursor = Cursor(block: block)
    let lowered = takeLowered()
    if let lowered, block.count == 0 || block[0] & 0xE0 != 0x20, lowered < table.capacity {
      section.note(.sizeUpdateMissing, 0..<min(1, block.count), value: table.capacity, limit: lowered)
    }
    var hasField = false
    while cursor.position < block.count {
      let start = cursor.position
      let first = block[start]
      if first & 0xE0 == 0x20 {
        guard resize(&cursor, hasField: hasField, lowered: start == 0 ? lowered : nil, &section) else { break }
        continue
      }
      hasField = true
      let isGood =
        first & 0x80 != 0
        ? readIndexed(&cursor, &section)
        : readLiteral(&cursor, prefix: first & 0x40 != 0 ? 6 : 4, isInserted: first & 0x40 != 0, &section)
      guard isGood else { break }
    }
    lastBytes = section.bytes.count
    if cursor.position < block.count || section.faults.contains(where: \.breaksTable) { table.lose() }
    return section
  }

  // MARK: Instructions

  private mutating func takeLowered() -> UInt64? {
    defer { lowered = nil }
    return lowered
  }

  /// Where the limit was lowered since the last block, and perhaps raised again, the first update tells the lowest
  /// (RFC 7541 §4.2).
  private mutating func resize(
    _ cursor: inout Cursor, hasField: Bool, lowered: UInt64?, _ section: inout HPACKSection
  ) -> Bool {
    let start = cursor.position
    guard let size = cursor.integer(prefix: 5, Self.integerOctets, &section) else { return false }
    if hasField {
      section.note(.sizeUpdateLate, start..<cursor.position, value: size, limit: limit ?? 0)
    } else if let limit, size > limit {
      section.note(.sizeUpdateTooLarge, start..<cursor.position, value: size, limit: limit)
    } else if let lowered, size > lowered {
      section.note(.sizeUpdateMissing, start..<cursor.position, value: size, limit: lowered)
    }
    table.resize(to: size)
    return true
  }

  private mutating func readIndexed(_ cursor: inout Cursor, _ section: inout HPACKSection) -> Bool {
    let start = cursor.position
    guard let index = cursor.integer(prefix: 7, Self.integerOctets, &section) else { return false }
    let place = start..<cursor.position
    if index >= 1, index <= UInt64(StaticTable.count) {
      let fixed = StaticTable.shared
      let entry = fixed.entry(Int(index))
      let bytes = fixed.bytes.span
      section.add(bytes.extracting(entry.name), bytes.extracting(entry.value), at: place, isUnknown: false)
    } else if index > 0, let entry = table.entry(Int(clamping: index) - StaticTable.count - 1) {
      let bytes = table.bytes.span
      section.add(
        bytes.extracting(table.name(of: entry)), bytes.extracting(table.value(of: entry)), at: place,
        isUnknown: entry.isNameUnknown)
    } else {
      guard index > 0, noteMissing(index, place, &section) else {
        section.note(.indexZero, place, value: 0, limit: lastIndex)
        return false
      }
      section.add(Self.unknown(index).span, Self.unknown(index).span, at: place, isUnknown: true)
    }
    return true
  }

  private mutating func readLiteral(
    _ cursor: inout Cursor, prefix: Int, isInserted: Bool, _ section: inout HPACKSection
  ) -> Bool {
    let start = cursor.position
    // Out of here meanwhile, so that the table may change beside them.
    var (name, value): ([UInt8], [UInt8]) = ([], [])
    swap(&name, &self.name)
    swap(&value, &self.value)
    defer {
      swap(&name, &self.name)
      swap(&value, &self.value)
    }
    name.removeAll(keepingCapacity: true)
    value.removeAll(keepingCapacity: true)
    var isUnknown = false
    guard let index = cursor.integer(prefix: prefix, Self.integerOctets, &section) else { return false }
    if index == 0 {
      guard cursor.string(Self.integerOctets, into: &name, &section) else { return false }
    } else if index <= UInt64(StaticTable.count) {
      let fixed = StaticTable.shared
      name.append(contentsOf: fixed.bytes[fixed.entry(Int(index)).name])
    } else if let entry = table.entry(Int(clamping: index) - StaticTable.count - 1) {
      table.bytes.span.extracting(table.name(of: entry)).withUnsafeBufferPointer { name.append(contentsOf: $0) }
      isUnknown = entry.isNameUnknown
    } else {
      _ = noteMissing(index, start..<cursor.position, &section)
      name = Self.unknown(index)
      isUnknown = true
    }
    guard cursor.string(Self.integerOctets, into: &value, &section) else { return false }
    section.add(name.span, value.span, at: start..<cursor.position, isUnknown: isUnknown)
    if isInserted { table.insert(name: name.span, value: value.span, isNameUnknown: isUnknown) }
    return true
  }

  /// An index behind the entries that are held: a fault where nothing can stand there.
  private mutating func noteMissing(_ index: UInt64, _ place: Range<Int>, _ section: inout HPACKSection) -> Bool {
    guard !table.isOpenEnded, !section.faults.contains(where: \.breaksTable) else { return true }
    section.note(.indexTooLarge, place, value: index, limit: lastIndex)
    return true
  }

  private var lastIndex: UInt64 { UInt64(StaticTable.count + table.count) }

  private static func unknown(_ index: UInt64) -> [UInt8] { Array("(unknown entry \(index))".utf8) }
}

extension HPACKFault {
  /// Encoder and decoder do not have the same table any more.
  fileprivate var breaksTable: Bool {
    switch kind {
    case .sizeUpdateTooLarge, .sizeUpdateLate, .sizeUpdateMissing: false
    case .indexZero, .indexTooLarge, .integerTooLarge, .truncated, .huffmanEnd, .huffmanPadding: true
    }
  }
}

extension HPACKSection {
  mutating func note(_ kind: HPACKFaultKind, _ place: Range<Int>, value: UInt64 = 0, limit: UInt64 = 0) {
    // One of a kind says it; a block may hold thousands.
    guard !faults.contains(where: { $0.kind == kind }) else { return }
    faults.append(HPACKFault(kind: kind, place: Place(place), value: value, limit: limit))
  }

  @inline(__always)
  mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>, at place: Range<Int>, isUnknown: Bool) {
    listSize &+= UInt64(name.count + value.count + 32)
    if isUnknown { unknown += 1 }
    let length = name.count + value.count + 4
    guard fieldsCut == 0, fields.count < HeaderBlock.fieldLimit, bytes.count + length <= HeaderBlock.limit else {
      fieldsCut += 1
      return
    }
    let nameStart = bytes.count
    name.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    bytes.append(.colon)
    bytes.append(.space)
    let valueStart = bytes.count
    value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    fields.append(HeaderField(name: nameStart..<valueStart - 2, value: valueStart..<bytes.count))
    bytes.append(.carriageReturn)
    bytes.append(.lineFeed)
    places.append(Place(place))
  }
}

extension HPACKSection.Place {
  init(_ range: Range<Int>) {
    self.init(start: UInt32(clamping: range.lowerBound), end: UInt32(clamping: range.upperBound))
  }
}

/// Reads integers and strings of a block (RFC 7541 §5).
private struct Cursor: ~Escapable {
  let block: Span<UInt8>
  var position = 0

  @_lifetime(copy block)
  init(block: Span<UInt8>) {
    self.block = block
  }

  /// Of so many bits in the first octet, at most 2^32 − 1 and so many octets.
  @_lifetime(self: copy self)
  mutating func integer(prefix: Int, _ octets: Int, _ section: inout HPACKSection) -> UInt64? {
    let start = position
    let mask = UInt8(truncatingIfNeeded: 1 << prefix - 1)
    guard position < block.count else {
      section.note(.truncated, start..<position)
      return nil
    }
    var value = UInt64(block[position] & mask)
    position += 1
    guard value == UInt64(mask) else { return value }
    var shift: UInt64 = 0
    while position < block.count {
      let octet = block[position]
      position += 1
      if shift <= 35 { value += UInt64(octet & 0x7F) << shift }
      shift += 7
      guard value <= UInt64(UInt32.max), position - start <= octets else {
        section.note(.integerTooLarge, start..<position, value: value, limit: UInt64(UInt32.max))
        return nil
      }
      if octet & 0x80 == 0 { return value }
    }
    section.note(.truncated, start..<position)
    return nil
  }

  @_lifetime(self: copy self)
  mutating func string(_ octets: Int, into output: inout [UInt8], _ section: inout HPACKSection) -> Bool {
    let start = position
    let isCoded = position < block.count && block[position] & 0x80 != 0
    guard let length = integer(prefix: 7, octets, &section) else { return false }
    guard length <= UInt64(block.count - position) else {
      section.note(.truncated, start..<block.count, value: length, limit: UInt64(block.count - position))
      return false
    }
    let bytes = block.extracting(position..<position + Int(length))
    position += Int(length)
    guard isCoded else {
      bytes.withUnsafeBufferPointer { output.append(contentsOf: $0) }
      return true
    }
    switch HuffmanCode.shared.decode(bytes, into: &output) {
    case nil: return true
    case .end: section.note(.huffmanEnd, start..<position)
    case .padding: section.note(.huffmanPadding, start..<position)
    }
    return false
  }
}
