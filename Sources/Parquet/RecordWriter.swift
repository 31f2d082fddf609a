/// Takes records apart into columns, field by field, as they are written: no record is held as a whole.
///
/// Fields that a group has twice count once. What the schema does not have, or has in another shape, is left out and counted.
package struct RecordWriter {
  let schema: Schema
  private(set) var columns: [ColumnBuffer]
  /// Of this row group.
  private(set) var records = 0
  /// Bytes that the columns take, about.
  private(set) var held = 0
  /// Fields that had no place.
  package private(set) var strays = 0

  /// A group or a list that is open.
  private struct Frame {
    var node: Int
    /// Of what comes next in it.
    var repetition: UInt8
    /// Which fields of a group came.
    var seen: UInt64 = 0
    /// Where the name of the next is looked for first: names come in the order of the schema.
    var next = 0
    /// The field that was named.
    var named: Int?
    /// Of a list.
    var count = 0
  }

  private var open: [Frame] = []
  /// Groups and lists within something that has no place.
  private var skipped = 0

  package init(_ schema: Schema) {
    self.schema = schema
    columns = schema.leaves.map { ColumnBuffer($0) }
  }

  // MARK: Structure

  /// The outermost is a record.
  package mutating func beginGroup() {
    guard skipped == 0 else { return skipped += 1 }
    guard !open.isEmpty else { return open.append(Frame(node: 0, repetition: 0)) }
    begin(.group)
  }

  package mutating func beginList() {
    guard skipped == 0 else { return skipped += 1 }
    begin(.list)
  }

  private mutating func begin(_ kind: Schema.Kind) {
    guard let next, schema.nodes[next].kind == kind, let (node, repetition) = place() else {
      stray()
      skipped = 1
      return
    }
    open.append(Frame(node: node, repetition: repetition))
  }

  package mutating func name(_ name: String) {
    guard skipped == 0, let at = open.indices.last else { return }
    let children = schema.nodes[open[at].node].children
    for step in 0..<children.count {
      let index = (open[at].next + step) % children.count
      guard schema.nodes[children[index]].name == name else { continue }
      open[at].next = index + 1 < children.count ? index + 1 : 0
      open[at].named = open[at].seen >> UInt64(index) & 1 == 0 ? index : nil
      return
    }
    open[at].named = nil
  }

  /// The innermost is complete.
  package mutating func end() {
    guard skipped == 0 else { return skipped -= 1 }
    guard let frame = open.popLast() else { return }
    if open.isEmpty {
      // What no field of the record touched is told when the column is touched again, or at the end.
      records += 1
      return
    }
    let node = schema.nodes[frame.node]
    if node.kind == .list {
      if frame.count == 0 { absent(node, node.present, frame.repetition) }
      return
    }
    for (index, child) in node.children.enumerated() where frame.seen >> UInt64(index) & 1 == 0 {
      absent(schema.nodes[child], node.present, frame.repetition)
    }
  }

  private mutating func absent(_ node: Schema.Node, _ level: UInt8, _ repetition: UInt8) {
    for leaf in node.leaves {
      columns[leaf].absent(level, repetition)
      held += 1
    }
  }

  /// What the next value would be: the field that was named, or an element of a list.
  private var next: Int? {
    guard let frame = open.last else { return nil }
    let isList = schema.nodes[frame.node].kind == .list
    return isList ? schema.nodes[frame.node].children[0] : frame.named.map { schema.nodes[frame.node].children[$0] }
  }

  /// Of what type it is.
  private var nextLeaf: Schema.Leaf? {
    guard let next, case .leaf(let leaf) = schema.nodes[next].kind else { return nil }
    return schema.leaves[leaf]
  }

  /// Where the next value belongs, which comes now.
  private mutating func place() -> (node: Int, repetition: UInt8)? {
    guard let at = open.indices.last else { return nil }
    let node = open[at].node
    if schema.nodes[node].kind == .list {
      let repetition = open[at].count == 0 ? open[at].repetition : schema.nodes[node].repetition
      open[at].count += 1
      return (schema.nodes[node].children[0], repetition)
    }
    guard let named = open[at].named else { return nil }
    open[at].named = nil
    open[at].seen |= 1 << UInt64(named)
    let child = schema.nodes[node].children[named]
    if at == 0 { for leaf in schema.nodes[child].leaves { columns[leaf].begin(record: records) } }
    return (child, open[at].repetition)
  }

  private mutating func stray() {
    strays &+= 1
    if let at = open.indices.last { open[at].named = nil }
  }

  // MARK: Values

  package mutating func string(_ text: String) {
    value(.byteArray) { (column, repetition) in column.append(text, repetition) }
  }

  package mutating func integer(_ value: Int64) {
    guard nextLeaf?.type != .double else { return number(Double(value)) }
    self.value(.int64) { (column, repetition) in column.append(value, repetition) }
  }

  package mutating func number(_ value: Double) {
    self.value(.double) { (column, repetition) in
      column.append(Int64(bitPattern: value.bitPattern), repetition)
    }
  }

  package mutating func boolean(_ value: Bool) {
    self.value(.boolean) { (column, repetition) in column.append(value ? 1 : 0, repetition) }
  }

  /// Nanoseconds since 1970; the microsecond that they are in stands in the column of the time.
  package mutating func time(_ nanoseconds: Int64) {
    guard skipped == 0 else { return }
    guard nextLeaf?.isTime == true, let at = open.indices.last, let named = open[at].named else { return stray() }
    let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
    integer(rest < 0 ? quotient - 1 : quotient)
    // The field after it, unless a group had no room for it.
    let count = schema.nodes[open[at].node].children.count
    guard named + 1 < count else { return }
    open[at].named = named + 1
    open[at].next = named + 2 < count ? named + 2 : 0
    integer(nanoseconds)
  }

  /// Nothing: as a field that does not come.
  package mutating func null() {
    guard skipped == 0, let at = open.indices.last else { return }
    open[at].named = nil
  }

  private mutating func value(_ type: PhysicalType, _ append: (inout ColumnBuffer, UInt8) -> Int) {
    guard skipped == 0 else { return }
    guard let next, case .leaf(let leaf) = schema.nodes[next].kind, schema.leaves[leaf].type == type,
      let (_, repetition) = place()
    else {
      return stray()
    }
    held += append(&columns[leaf], repetition)
  }

  // MARK: Row groups

  /// Levels for what the last records did not touch.
  mutating func complete() {
    for leaf in columns.indices { columns[leaf].absent(records: records) }
  }

  mutating func removeAll() {
    for leaf in columns.indices { columns[leaf].removeAll() }
    records = 0
    held = 0
  }
}
