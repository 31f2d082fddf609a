import Citation
import Parquet

/// Writes JSON, with keys in the order of the calls, into bytes that it owns while it writes.
///
/// The result is JSON where the calls nest as JSON does: values in arrays and at the top, fields in objects. Whatever
/// the strings hold, no control or invisible character is written raw, so a document can
/// be shown on a terminal as it is; a reader of JSON gets the characters back. There are no floating-point numbers: a
/// fraction is an integer with a scale.
///
/// The same calls make a tree (see DocumentBuilder) or the records of a table (see TableBuilder), where there is no text.
package struct JSONWriter {
  package struct Form: Hashable, Sendable {
    /// Two spaces a level, one value a line.
    package var isIndented: Bool
    /// `<`, `>` and `&` are escaped too, so that the document can stand inside HTML.
    package var escapesMarkup: Bool
    /// An integer that a reader with floating-point numbers would not get as it is becomes the nearest that it would.
    package var isBounded: Bool
    /// An object whose keys come from the capture is a list of names and values: readers that make columns of keys would
    /// make other columns of each capture.
    package var listsMaps = false

    package init(isIndented: Bool, escapesMarkup: Bool = false, isBounded: Bool = false, listsMaps: Bool = false) {
      self.isIndented = isIndented
      self.escapesMarkup = escapesMarkup
      self.isBounded = isBounded
      self.listsMaps = listsMaps
    }

    package static let compact = Form(isIndented: false)
    package static let indented = Form(isIndented: true)
    package static let embedded = Form(isIndented: false, escapesMarkup: true)
    /// For this program's documents, because captures may contain any number.
    package static let document = Form(isIndented: true, isBounded: true)
    package static let documentLine = Form(isIndented: false, isBounded: true, listsMaps: true)
  }

  /// The largest integer that every reader of JSON has exactly: 2^53 - 1.
  package static let largestExact: Int64 = 1 << 53 - 1

  /// What is written so far; may be emptied between top-level values.
  package var bytes: [UInt8]
  /// Where a tree or a table is wanted and no text.
  private var structure = Rare<StructureBuilder>()
  private(set) var form: Form
  private var depth = 0
  private var place = Place.first

  private enum Place {
    /// Nothing stands in the innermost container yet.
    case first
    case afterKey, afterValue
  }

  package init(_ form: Form = .compact, reusing bytes: consuming [UInt8] = []) {
    self.form = form
    self.bytes = bytes
  }

  /// A document as a tree.
  package static func tree<Failure>(
    _ form: Form = .document, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> DocumentNode {
    var json = JSONWriter(form)
    json.structure.make(.tree(DocumentBuilder()))
    try body(&json)
    return json.structure.value.root
  }

  /// Replaces the last element of the array that is open, of a tree.
  mutating func changeLast(_ change: (DocumentNode) -> DocumentNode) {
    guard isTree else { return }
    structure.value.changeLast(change)
  }

  /// Top-level objects become records.
  init(records table: ParquetWriter) {
    self.init(.documentLine)
    structure.make(.table(TableBuilder(table)))
  }

  /// Where objects become records, their table.
  var table: TableBuilder? {
    _read { yield structure.isEmpty ? nil : structure.value.table }
    _modify {
      var none: TableBuilder?
      if structure.isEmpty { yield &none } else { yield &structure.value.table }
    }
  }

  var isTree: Bool { !structure.isEmpty }
  var isTable: Bool { !structure.isEmpty && structure.value.isTable }

  /// Adds a value to the tree or the table, where that is wanted; answers whether it was.
  @inline(__always)
  mutating func adds(_ value: @autoclosure () -> DocumentNode) -> Bool {
    guard !structure.isEmpty else { return false }
    structure.value.add(value())
    return true
  }

  /// Appends to `output`, without copying it.
  package static func append<Failure>(
    to output: inout [UInt8], _ form: Form = .compact, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    var json = JSONWriter(form)
    swap(&json.bytes, &output)
    defer { swap(&json.bytes, &output) }
    try body(&json)
  }

  /// Ends a line between top-level values, as NDJSON wants it.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    place = .first
  }
}

// MARK: - Elements that others write

extension JSONWriter {
  /// Where the next element of the open array will stand, for whoever writes it elsewhere.
  struct ElementPlace: Sendable {
    fileprivate let form: Form
    fileprivate let depth: Int
    fileprivate let isFirst: Bool
  }

  var nextElement: ElementPlace { ElementPlace(form: form, depth: depth, isFirst: place == .first) }

  /// Writes the element that has `others` between itself and the place.
  init(_ place: ElementPlace, behind others: Int) {
    self.init(place.form)
    depth = place.depth
    self.place = place.isFirst && others == 0 ? .first : .afterValue
  }

  /// Writes one value in the form in which it stands in so many containers; `embedded` puts it there.
  init(_ form: Form, valueAtDepth depth: Int) {
    self.init(form)
    self.depth = depth
    place = .afterKey
  }

  /// The elements that were written elsewhere, in their order.
  mutating func append(elements texts: [[UInt8]]) {
    for text in texts { bytes.append(contentsOf: text) }
    if !texts.isEmpty { place = .afterValue }
  }
}

// MARK: - Containers

extension JSONWriter {
  package mutating func beginObject() { open(.object) }
  package mutating func endObject() { close(.object) }
  package mutating func beginArray() { open(.array) }
  package mutating func endArray() { close(.array) }

  private enum Bracket {
    case object, array

    var opening: UInt8 { self == .object ? UInt8(ascii: "{") : UInt8(ascii: "[") }
    var closing: UInt8 { self == .object ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  package mutating func object<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    beginObject()
    try body(&self)
    endObject()
  }

  package mutating func array<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    beginArray()
    try body(&self)
    endArray()
  }

  package mutating func object<Failure>(
    _ name: FieldName, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    key(name)
    try object(body)
  }

  package mutating func array<Failure>(
    _ name: FieldName, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    key(name)
    try array(body)
  }

  /// Whether what is written are lines, which readers make tables of.
  var listsMaps: Bool { form.listsMaps }

  /// Names from the capture, with a value each, in units of 10^-scale.
  package mutating func map(_ name: FieldName, _ fields: [(name: String, value: Int64)], scale: Int = 0) {
    guard form.listsMaps else {
      return object(name) { json in
        for field in fields { json.field(FieldName(field.name), decimal: field.value, scale: scale) }
      }
    }
    array(name) { list in
      for field in fields {
        list.object { json in
          json.field("name", field.name)
          json.field("value", decimal: field.value, scale: scale)
        }
      }
    }
  }

  /// An object on one line, in the indented form, too: a row of a long list.
  package mutating func row<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    try onOneLine(.object, body)
  }

  /// An array on one line.
  package mutating func tuple<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    try onOneLine(.array, body)
  }

  private mutating func onOneLine<Failure>(
    _ bracket: Bracket, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(bracket)
    let wasIndented = form.isIndented
    form.isIndented = false
    try body(&self)
    close(bracket)
    form.isIndented = wasIndented
  }

  private mutating func open(_ bracket: Bracket) {
    guard structure.isEmpty else {
      if bracket == .object { structure.value.beginObject() } else { structure.value.beginArray() }
      return
    }
    beginValue()
    bytes.append(bracket.opening)
    depth += 1
    place = .first
  }

  private mutating func close(_ bracket: Bracket) {
    guard structure.isEmpty else { return structure.value.end() }
    depth -= 1
    if place != .first, form.isIndented { append(JSONSeparator(indentation: 2 * depth)) }
    bytes.append(bracket.closing)
    place = .afterValue
  }

  /// Writes what stands before this value.
  @inline(__always)
  mutating func beginValue() {
    if place == .afterKey { place = .afterValue } else { append(takeSeparator()) }
  }

  /// What stands before this value, which the caller writes.
  @inline(__always)
  mutating func takeSeparator() -> JSONSeparator {
    var separator = JSONSeparator()
    if place != .afterKey {
      separator.hasComma = place == .afterValue
      if depth > 0, form.isIndented { separator.indentation = 2 * depth }
    }
    place = .afterValue
    return separator
  }

  mutating func append(_ separator: JSONSeparator) {
    bytes.append(addingCapacity: separator.length) { output in
      output.withUnsafeMutableBufferPointer { room, count in count = separator.initialize(room) }
    }
  }
}

// MARK: - Fields

extension JSONWriter {
  package mutating func key(_ name: FieldName) {
    guard structure.isEmpty else { return structure.value.key(name.text) }
    if form.isIndented {
      append(name, takeSeparator())
    } else {
      // Of most lines and pages: that there is no new line is known to the compiler here.
      append(name, JSONSeparator(hasComma: place == .afterValue))
    }
    place = .afterKey
  }

  package mutating func field(_ name: FieldName, _ value: some JSONValue) {
    key(name)
    value.write(to: &self)
  }

  /// An empty key is left out.
  package mutating func field(_ name: FieldName, _ value: (some JSONValue)?) {
    if let value { field(name, value) }
  }

  package mutating func field(_ name: FieldName, unlessEmpty values: [some JSONValue]) {
    if !values.isEmpty { field(name, values) }
  }

  package mutating func field(_ name: FieldName, decimal value: Int64, scale: Int) {
    key(name)
    decimal(value, scale: scale)
  }

  /// See `string(latin1:)`.
  package mutating func field(_ name: FieldName, latin1 bytes: Span<UInt8>) -> Bool {
    key(name)
    return string(latin1: bytes)
  }

  /// Fields that are JSON already, one or more, in the compact form.
  package mutating func fields(written bytes: [UInt8]) {
    beginValue()
    self.bytes.append(contentsOf: bytes)
  }

  package mutating func field(_ name: FieldName, base64 bytes: Span<UInt8>) {
    key(name)
    string(base64: bytes)
  }
}

// MARK: - Values

extension JSONWriter {
  package mutating func value(_ value: some JSONValue) {
    value.write(to: &self)
  }

  package mutating func null() {
    if adds(.null) { return }
    beginValue()
    bytes.append(contentsOf: "null".utf8)
  }

  package mutating func bool(_ value: Bool) {
    if adds(.bool(value)) { return }
    beginValue()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// A value that was written before, in the same form.
  package mutating func embedded(_ text: some Collection<UInt8>) {
    guard !isTree else {
      _ = adds(.embedded(Array(text)))
      return
    }
    beginValue()
    bytes.append(contentsOf: text)
  }
}
