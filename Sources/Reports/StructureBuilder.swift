/// What a writer's calls make where no text is wanted.
struct StructureBuilder {
  private var tree = DocumentBuilder()
  var table: TableBuilder?

  static func tree(_ tree: DocumentBuilder) -> StructureBuilder { StructureBuilder(tree: tree, table: nil) }

  static func table(_ table: TableBuilder) -> StructureBuilder {
    StructureBuilder(tree: DocumentBuilder(), table: table)
  }

  private init(tree: DocumentBuilder, table: TableBuilder?) {
    self.tree = tree
    self.table = table
  }

  var isTable: Bool { table != nil }
  var root: DocumentNode { tree.root }

  mutating func changeLast(_ change: (DocumentNode) -> DocumentNode) { tree.changeLast(change) }

  mutating func beginObject() { if table == nil { tree.beginObject() } else { table?.beginObject() } }
  mutating func beginArray() { if table == nil { tree.beginArray() } else { table?.beginArray() } }
  mutating func key(_ name: String) { if table == nil { tree.key(name) } else { table?.key(name) } }
  mutating func end() { if table == nil { tree.end() } else { table?.end() } }
  mutating func add(_ value: DocumentNode) { if table == nil { tree.add(value) } else { table?.add(value) } }
}
