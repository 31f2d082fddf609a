/// What a column holds.
package indirect enum ColumnShape: Sendable, Equatable {
  case string, integer, number, boolean
  /// Microseconds, which every reader has as a time; nanoseconds since 1970 stand in a column beside it: Spark reads times of
  /// nanoseconds as whole numbers.
  case time
  case group([ColumnField])
  case list(ColumnShape)
}

/// A named column, or a group of them.
package struct ColumnField: Sendable, Equatable {
  package var name: String
  package var shape: ColumnShape

  package init(_ name: String, _ shape: ColumnShape) {
    self.name = name
    self.shape = shape
  }
}

/// The columns of a table, with the levels that tell what is there of a group or a list.
///
/// Everything may be absent, but for the elements of a list. A group that is there counts one level, a value another, a list
/// two: that it is there, and that it has elements.
package struct Schema: Sendable {
  enum Kind: Equatable {
    case leaf(Int)
    case group
    case list
  }

  struct Node {
    var name: String
    var kind: Kind
    /// Of what is around it: the levels of it when it is not there.
    var absent: UInt8
    /// The definition level of it when it is there; of a list one more with elements.
    var present: UInt8
    /// Of lists: the level at which their elements repeat. Of others that of the list around them.
    var repetition: UInt8
    var isOptional: Bool
    /// All leaves of it.
    var leaves: Range<Int>
    /// Of a list its element.
    var children: [Int] = []
  }

  struct Leaf {
    var type: PhysicalType
    var isTime: Bool
    var path: [String]
    var maximumDefinition: UInt8
    var maximumRepetition: UInt8
  }

  /// The first is the root; a node stands before its children.
  private(set) var nodes: [Node] = []
  private(set) var leaves: [Leaf] = []

  /// A record remembers which fields of a group it has seen, in one word.
  static let fieldLimit = 64

  package init(_ fields: [ColumnField]) {
    nodes = [
      Node(
        name: "schema", kind: .group, absent: 0, present: 0, repetition: 0, isOptional: false, leaves: 0..<0)
    ]
    add(fields, to: 0, path: [])
  }

  private mutating func add(_ fields: [ColumnField], to parent: Int, path: [String]) {
    let first = leaves.count
    for field in Self.expanded(fields).prefix(Self.fieldLimit) {
      let child = add(
        field.name, field.shape, isOptional: true, above: nodes[parent].present, nodes[parent].repetition, path: path)
      nodes[parent].children.append(child)
    }
    nodes[parent].leaves = first..<leaves.count
  }

  /// With the nanoseconds beside each time.
  private static func expanded(_ fields: [ColumnField]) -> [ColumnField] {
    fields.flatMap { field in
      field.shape == .time ? [field, ColumnField(nanoseconds(field.name), .integer)] : [field]
    }
  }

  /// `time` has `epochNs` beside it, `firstTime` has `firstEpochNs`.
  static func nanoseconds(_ name: String) -> String {
    if name == "time" { return "epochNs" }
    return name.hasSuffix("Time") ? name.dropLast(4) + "EpochNs" : name + "EpochNs"
  }

  private mutating func add(
    _ name: String, _ shape: ColumnShape, isOptional: Bool, above: UInt8, _ repetition: UInt8, path: [String]
  ) -> Int {
    let number = nodes.count
    let path = path + [name]
    let present = above + (isOptional ? 1 : 0)
    var node = Node(
      name: name, kind: .group, absent: above, present: present, repetition: repetition, isOptional: isOptional,
      leaves: leaves.count..<leaves.count)
    switch shape {
    case .group(let fields):
      nodes.append(node)
      add(fields, to: number, path: path)
    case .list(let element):
      node.kind = .list
      node.repetition = repetition + 1
      nodes.append(node)
      let first = leaves.count
      let child = add(
        "element", element, isOptional: false, above: present + 1, repetition + 1, path: path + ["list"])
      nodes[number].children = [child]
      nodes[number].leaves = first..<leaves.count
    case .string, .integer, .number, .boolean, .time:
      node.kind = .leaf(leaves.count)
      node.leaves = leaves.count..<leaves.count + 1
      nodes.append(node)
      leaves.append(
        Leaf(
          type: shape.physical, isTime: shape == .time, path: path, maximumDefinition: present,
          maximumRepetition: repetition))
    }
    return number
  }
}

extension ColumnShape {
  fileprivate var physical: PhysicalType {
    switch self {
    case .integer, .time: .int64
    case .number: .double
    case .boolean: .boolean
    case .string, .group, .list: .byteArray
    }
  }
}
