// The schema as a footer has it: the nodes from the root on, each with the number of its children.

extension Schema {
  private struct Element {
    var name: String
    /// Required, optional, repeated; the root has none.
    var repetition: Int32?
    var children = 0
    var type: PhysicalType?
    var meaning = Meaning.none
  }

  private enum Meaning { case none, text, time, list }

  func write(to thrift: inout ThriftWriter, field: Int16) {
    var elements: [Element] = []
    add(0, to: &elements)
    thrift.list(field, elements) { (thrift, element) in
      if let type = element.type { thrift.field(1, type.rawValue) }
      if let repetition = element.repetition { thrift.field(3, repetition) }
      thrift.field(4, element.name)
      if element.type == nil { thrift.field(5, Int32(element.children)) }
      switch element.meaning {
      case .none: break
      case .text:
        thrift.field(6, Int32(0))
        thrift.field(10) { $0.field(1) { _ in } }
      case .list:
        thrift.field(6, Int32(3))
        thrift.field(10) { $0.field(3) { _ in } }
      case .time:
        thrift.field(6, Int32(10))
        thrift.field(10) { logical in
          logical.field(8) { stamp in
            // In UTC, in microseconds.
            stamp.field(1, true)
            stamp.field(2) { unit in unit.field(2) { _ in } }
          }
        }
      }
    }
  }

  private func add(_ number: Int, to elements: inout [Element]) {
    let node = nodes[number]
    var element = Element(name: node.name, repetition: number == 0 ? nil : node.isOptional ? 1 : 0)
    switch node.kind {
    case .leaf(let leaf):
      element.type = leaves[leaf].type
      element.meaning = leaves[leaf].isTime ? .time : leaves[leaf].type == .byteArray ? .text : .none
      elements.append(element)
    case .group:
      element.children = node.children.count
      elements.append(element)
      for child in node.children { add(child, to: &elements) }
    case .list:
      element.children = 1
      element.meaning = .list
      elements.append(element)
      elements.append(Element(name: "list", repetition: 2, children: 1))
      for child in node.children { add(child, to: &elements) }
    }
  }
}
