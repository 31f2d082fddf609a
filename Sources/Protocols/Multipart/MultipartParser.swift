import Citation
import HTTPSemantics

/// Reads a multipart body piece by piece.
///
/// In data it looks for the boundary itself rather than for delimiters, so that a delimiter that lacks its dashes or
/// its line end is met, too; `judge` then says what was met. Whatever needs bytes that are not there yet waits in
/// `held`.
///
/// Invariant: outside a header, `held` begins where the bytes since `zone` are reported, or with enough of them before
/// the next possible delimiter to determine how its line begins.
package struct MultipartParser: Sendable {
  /// A longer boundary is none (RFC 2046 §5.1.1 allows 70).
  package static let boundaryLimit = 256
  /// Fields of a part that are listed.
  static let fieldLimit = 64

  enum State: Sendable { case preamble, header, data, epilogue, lost }

  let boundary: [UInt8]
  let dashed: [UInt8]
  let isFormData: Bool
  var held = HeldBody()
  var state = State.preamble
  /// Where the data of the part, the preamble or the epilogue begins in the body.
  var zone: UInt64 = 0
  /// How far `held` has been looked through.
  var searched = 0
  /// The number of the part.
  var part = 0
  /// What the last delimiter is if no part follows it.
  var lastDelimiter: MultipartLenience?
  /// The body ends before its line end.
  var isDelimiterCut = false
  var aside = MultipartAside()

  // The data of a part.
  var firstData: PacketRef?
  var lastData: PacketRef?

  // The header of a part.
  var previousLine = 0
  var lineStart = 0
  var fields: [HeaderField] = []
  var fieldsCut = 0

  package var heldBytes: Int { held.heldBytes + fields.count * MemoryLayout<HeaderField>.stride }

  /// nil for a boundary that is empty, or too long to be looked for.
  package init?(boundary: [UInt8], isFormData: Bool) {
    guard (1...Self.boundaryLimit).contains(boundary.count) else { return nil }
    self.boundary = boundary
    self.isFormData = isFormData
    dashed = [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary
  }

  /// Takes the next bytes of the body, which stand at `offset` in their stream.
  package mutating func consume(
    _ bytes: Span<UInt8>, at offset: UInt64, in packet: PacketRef, into tokens: inout [MultipartToken]
  ) {
    guard state != .lost, bytes.count > 0 else { return }
    held.append(bytes, at: offset, in: packet)
    read(isOver: false, into: &tokens)
  }

  /// Bytes of the body are missing: where parts end can no longer be determined.
  package mutating func skip(into tokens: inout [MultipartToken]) {
    guard state != .lost else { return }
    if state == .data { endPart(at: held.count, isDelimited: false, into: &tokens) }
    state = .lost
  }

  /// The body is over. `isWhole` when that is its own end.
  package mutating func finish(isWhole: Bool, into tokens: inout [MultipartToken]) {
    guard state != .lost else { return }
    read(isOver: true, into: &tokens)
    var missing = 0
    switch state {
    case .preamble, .lost: break
    case .header:
      if let lastDelimiter, isWhole { tokens.append(.lenience(lastDelimiter)) }
      if isDelimiterCut { missing = 2 }
    case .data:
      missing = closeMissing
      endPart(at: held.count, isDelimited: false, into: &tokens)
    case .epilogue:
      pass(held.count)
      if aside.bytes > 0 { tokens.append(.epilogue(aside)) }
    }
    state = .lost
    tokens.append(.end(closeMissing: isWhole ? missing : 0))
  }

  private mutating func read(isOver: Bool, into tokens: inout [MultipartToken]) {
    var goesOn = true
    while goesOn {
      switch state {
      case .preamble, .data, .epilogue: goesOn = search(isOver: isOver, into: &tokens)
      case .header: goesOn = readHeader(isOver: isOver, into: &tokens)
      case .lost: goesOn = false
      }
    }
  }

  /// Gives away the first bytes that are held to whatever they belong to.
  mutating func pass(_ count: Int) {
    guard count > 0 else { return }
    switch state {
    case .data:
      firstData = firstData ?? held.packet(at: 0)
      lastData = held.packet(at: count - 1)
    case .preamble, .epilogue: aside.note(held, count)
    case .header, .lost: break
    }
    held.dropFirst(count)
    searched = max(0, searched - count)
  }

  /// The data of the part end before an index.
  mutating func endPart(at index: Int, isDelimited: Bool, into tokens: inout [MultipartToken]) {
    pass(index)
    tokens.append(
      .partEnd(
        PartEnd(
          number: part, bytes: held.base &- zone, first: firstData, last: lastData, isDelimited: isDelimited)))
    firstData = nil
    lastData = nil
  }

  /// How many bytes a closing delimiter lacks that the body ends with the beginning of.
  private var closeMissing: Int {
    let close = dashed + [UInt8(ascii: "-"), UInt8(ascii: "-")]
    // Less than the dashes and one byte of the boundary says nothing.
    for length in stride(from: min(close.count - 1, held.count), through: 3, by: -1) {
      let start = held.count - length
      guard start == 0 || held.bytes[start - 1] == .lineFeed else { continue }
      if held.has(Array(close.prefix(length)), at: start) == true { return close.count - length }
    }
    return 0
  }
}
