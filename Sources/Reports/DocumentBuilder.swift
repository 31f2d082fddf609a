/// Puts a document together from a writer's calls: the tree that reading the written text again would give.
struct DocumentBuilder {
  private enum Container {
    case object([DocumentNode.Field])
    case array([DocumentNode])
  }

  /// The outermost first.
  private var open: [Container] = []
  /// Of the fields that are being written, the innermost last.
  private var keys: [String] = []
  private(set) var root = DocumentNode.null

  mutating func beginObject() { open.append(.object([])) }
  mutating func beginArray() { open.append(.array([])) }
  mutating func key(_ name: String) { keys.append(name) }

  mutating func changeLast(_ change: (DocumentNode) -> DocumentNode) {
    guard case .array(var elements) = open.last, let last = elements.last else { return }
    // Taken out, so that it is changed in its place.
    open.removeLast()
    elements[elements.count - 1] = change(last)
    open.append(.array(elements))
  }

  mutating func end() {
    switch open.popLast() {
    case .object(let fields): add(.object(fields.fitted))
    case .array(let elements): add(.column(of: elements))
    case nil: break
    }
  }

  mutating func add(_ value: DocumentNode) {
    // Taken out, so that it is changed in its place.
    switch open.popLast() {
    case .object(var fields):
      fields.append(DocumentNode.Field(keys.popLast() ?? "", value))
      open.append(.object(fields))
    case .array(var elements):
      elements.append(value)
      open.append(.array(elements))
    case nil: root = value
    }
  }
}

extension Array {
  /// The same without room for more: of a tree that was put together one by one, that would be a third.
  var fitted: Self {
    capacity > count + count / 8 ? withUnsafeBufferPointer { Self($0) } : self
  }
}

extension DocumentNode {
  /// An array as it reads: a column, where there are nothing but integers.
  fileprivate static func column(of elements: [DocumentNode]) -> DocumentNode {
    let integers = elements.compactMap(\.integer)
    return elements.isEmpty || integers.count < elements.count ? .array(elements.fitted) : .integers(integers.fitted)
  }

  /// A number as it reads.
  static func number(reading text: String) -> DocumentNode { Int64(text).map { .integer($0) } ?? .number(text) }
}
