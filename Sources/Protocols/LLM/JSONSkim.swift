import Citation

/// Walks one JSON text as its bytes come, and notes the values of the members that are asked for.
///
/// It judges nothing: what is not JSON ends the walk, and what was found until then stays. Linear, and bounded: of names
/// it keeps a hash, of values `textLimit` bytes, of what is open at most `depthLimit` containers.
struct JSONSkim: Sendable {
  static let depthLimit = 24
  /// Longer than any name of a model or a reason.
  static let textLimit = 96

  private enum State {
    case value, firstName, name, afterName, inName, inString, inLiteral, afterValue, over
  }

  private struct Container {
    var isObject: Bool
    /// Of the container.
    var path: UInt64
    var field: AnswerField?
    var isEmpty = true
  }

  private(set) var facts = AnswerFacts()
  private var state = State.value
  private var isEscaped = false
  private var open: [Container] = []
  private var path = PathHash()
  private var field: AnswerField?
  private var text: [UInt8] = []
  private var length = 0
  /// The text is an object, as every item of an answer is.
  private(set) var isObject = false

  mutating func clear() {
    facts.clear()
    state = .value
    isEscaped = false
    if !open.isEmpty { open.removeAll(keepingCapacity: true) }
    path = PathHash()
    field = nil
    text.removeAll(keepingCapacity: true)
    length = 0
    isObject = false
  }

  /// It is an object, and its end was there.
  var isWhole: Bool { isObject && open.isEmpty && state == .afterValue }

  mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound, state != .over {
      if state == .inString, !isEscaped, field == nil {
        // Most of an answer is inside of strings that nobody asked for.
        index = firstIndex(
          of: UInt8(ascii: "\""), or: UInt8(ascii: "\\"), in: bytes, from: index, to: range.upperBound)
        if index >= range.upperBound { return }
      } else if state == .inName, !isEscaped {
        while index < range.upperBound, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
          path.add(bytes[index])
          index += 1
        }
        if index == range.upperBound { return }
      }
      take(bytes[index])
      index += 1
    }
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  mutating func take(_ byte: UInt8) {
    switch state {
    case .inString, .inName: takeInside(byte)
    case .inLiteral:
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09:
        endLiteral()
        if state == .afterValue { take(byte) }
      default: keep(byte)
      }
    case _ where Self.isBlank(byte): break
    case .value: begin(byte)
    case .firstName where byte == UInt8(ascii: "}"): close(isObject: true)
    case .firstName, .name:
      guard byte == UInt8(ascii: "\""), let parent = open.last else { return state = .over }
      path = PathHash(below: parent.path)
      state = .inName
    case .afterName: state = byte == UInt8(ascii: ":") ? .value : .over
    case .afterValue: takeBehind(byte)
    case .over: break
    }
  }

  private mutating func takeInside(_ byte: UInt8) {
    if !isEscaped, byte == UInt8(ascii: "\"") {
      if state == .inName {
        field = AnswerField.named(by: path)
        state = .afterName
      } else {
        endString()
      }
      return
    }
    isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    if state == .inName { path.add(byte) } else { keep(byte) }
  }

  @inline(__always)
  private mutating func keep(_ byte: UInt8) {
    length &+= 1
    if field != nil, text.count < Self.textLimit { text.append(byte) }
  }

  private mutating func begin(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): descend(isObject: true)
    case UInt8(ascii: "["): descend(isObject: false)
    case UInt8(ascii: "]"): close(isObject: false)
    case UInt8(ascii: "\"") where !open.isEmpty:
      noteContent()
      state = .inString
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"):
      guard !open.isEmpty else { return state = .over }
      noteContent()
      state = .inLiteral
      keep(byte)
    default: state = .over
    }
  }

  /// The container at hand has something in it.
  private mutating func noteContent() {
    guard let last = open.indices.last, open[last].isEmpty else { return }
    open[last].isEmpty = false
    if let field = open[last].field { facts.note(field, isFilled: true) }
  }

  private mutating func descend(isObject: Bool) {
    guard open.count < Self.depthLimit, !open.isEmpty || isObject else { return state = .over }
    noteContent()
    if open.isEmpty { self.isObject = true }
    if let field { facts.note(field, isFilled: false) }
    open.append(Container(isObject: isObject, path: path.value, field: field))
    // The values of an array have its path, and are not members of their own.
    field = nil
    state = isObject ? .firstName : .value
  }

  private mutating func close(isObject: Bool) {
    guard let last = open.popLast(), last.isObject == isObject else { return state = .over }
    ended(below: last)
  }

  /// A container or a value is over; what comes next has the path of the container around it.
  private mutating func ended(below last: Container?) {
    field = nil
    if let last { path.value = last.path }
    state = .afterValue
  }

  private mutating func takeBehind(_ byte: UInt8) {
    guard let last = open.last else { return state = .over }
    switch byte {
    case UInt8(ascii: ","):
      path.value = last.path
      field = nil
      state = last.isObject ? .name : .value
    case UInt8(ascii: "}"): close(isObject: true)
    case UInt8(ascii: "]"): close(isObject: false)
    default: state = .over
    }
  }

  private mutating func endString() {
    if let field {
      facts.note(field, isFilled: length > 0)
      facts.note(field, text: text)
    }
    endScalar()
  }

  private mutating func endLiteral() {
    if let field, let first = text.first, first != UInt8(ascii: "n") {
      facts.note(field, isFilled: first != UInt8(ascii: "f"))
      if let number = Self.number(text) { facts.note(field, number: number) }
    }
    endScalar()
  }

  private mutating func endScalar() {
    text.removeAll(keepingCapacity: true)
    length = 0
    ended(below: nil)
  }

  /// Its digits before a point; nil for what is none, or too large.
  private static func number(_ text: [UInt8]) -> UInt64? {
    var value: UInt64 = 0
    var isAny = false
    for byte in text {
      guard byte &- 0x30 < 10 else { break }
      let (tenfold, isTooMuch) = value.multipliedReportingOverflow(by: 10)
      let (sum, isMore) = tenfold.addingReportingOverflow(UInt64(byte &- 0x30))
      if isTooMuch || isMore { return nil }
      value = sum
      isAny = true
    }
    // What programs take as an integer.
    return isAny && value < 1 << 53 ? value : nil
  }
}
