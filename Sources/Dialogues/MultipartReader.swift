import Citation
import Events
import HTTPSemantics
import Multipart

/// Reads a multipart body while it passes, and keeps a bounded record of its parts.
struct MultipartReader: Sendable {
  private var parser: MultipartParser
  private var record: MultipartRecord
  private var tokens: [MultipartToken] = []
  private var isRead = true
  /// Of the part that is open, as its head announces.
  private var length: UInt64?
  /// So far each part had the length that it announced; some writers put a line end behind it.
  private var areLengthsTrue = true

  var heldBytes: Int { parser.heldBytes + 4 << 10 }

  /// Whether a head may be of a body that it reads.
  static func reads(_ head: MessageHead) -> Bool {
    guard let value = head.block.first("content-type")?.value, value.count > 10 else { return false }
    return head.block.reads("multipart/", at: value.lowerBound..<value.lowerBound + 10)
  }

  /// nil for anything else than a multipart body without content coding, whose boundary is named.
  init?(_ head: MessageHead) {
    guard head.framing != .none, head.framing != .tunnel, let field = head.block.first("content-type") else {
      return nil
    }
    let held = head.block.bytes
    let bytes = held.span
    let start = field.value.lowerBound
    guard field.value.count > 10, matches(bytes, start..<start + 10, "multipart/"),
      head.block.first("content-encoding") == nil
    else { return nil }
    let type = ContentType(bytes, field.value)
    let kind: MultipartRecord.Kind =
      switch type.essence {
      case "multipart/form-data": .formData
      case "multipart/x-mixed-replace": .mixedReplace
      case "multipart/byteranges": .byteRanges
      default: .other
      }
    guard let boundary = type["boundary"],
      let parser = MultipartParser(boundary: Array(boundary.utf8), isFormData: kind == .formData)
    else { return nil }
    self.parser = parser
    record = MultipartRecord(kind: kind)
  }

  /// Of a body whose head was not captured.
  init?(boundary: [UInt8]) {
    guard let parser = MultipartParser(boundary: boundary, isFormData: false) else { return nil }
    self.parser = parser
    record = MultipartRecord(kind: .mixedReplace)
  }

  mutating func read(_ bytes: Span<UInt8>, at offset: UInt64, in packet: PacketRef) {
    guard isRead else { return }
    parser.consume(bytes, at: offset, in: packet, into: &tokens)
    take()
  }

  /// What follows a hole cannot be distinguished.
  mutating func skip() {
    parser.skip(into: &tokens)
    isRead = false
    take()
  }

  mutating func finish(isWhole: Bool) -> MultipartRecord {
    parser.finish(isWhole: isWhole, into: &tokens)
    take()
    record.isWhole = isWhole && isRead
    return record
  }

  private mutating func take() {
    guard !tokens.isEmpty else { return }
    for token in tokens { take(token) }
    tokens.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ token: MultipartToken) {
    switch token {
    case .preamble(let aside): record.preamble = MultipartRecord.Aside(aside)
    case .delimiter(let span):
      record.delimiters += 1
      record.lastDelimiter = span
    case .part(let head):
      record.partCount += 1
      length = head.block.number("content-length")
      guard record.parts.count < MultipartRecord.partLimit else { return }
      record.parts.append(MultipartRecord.Part(head))
    case .partEnd(let end):
      if let length, end.isDelimited { areLengthsTrue = areLengthsTrue && length <= end.bytes }
      if let length, !end.isDelimited, areLengthsTrue { record.partMissing = length - min(length, end.bytes) }
      let index = end.number - 1
      guard record.parts.indices.contains(index) else { return }
      record.parts[index].bytes = end.bytes
      if let last = end.last { record.parts[index].lastPacket = last }
    case .close(let span): record.close = span
    case .epilogue(let aside):
      record.epilogueBytes = aside.bytes
      record.epilogue = MultipartRecord.Aside(aside)
    case .lenience(let lenience):
      if let known = record.leniences.firstIndex(where: { $0.kind == lenience.kind }) {
        record.leniences[known].count += lenience.count
      } else {
        record.leniences.append(lenience)
      }
    case .end(let missing): record.closeMissing = missing
    }
  }
}

extension MultipartRecord.Aside {
  /// nil for line ends alone.
  fileprivate init?(_ aside: MultipartAside) {
    guard aside.visible > 0 else { return nil }
    self.init(
      bytes: aside.bytes, first: aside.first, last: aside.last,
      opening: Excerpt(aside.opening.span, isPayload: true))
  }
}

extension MultipartRecord.Part {
  fileprivate init(_ head: PartHead) {
    self.init(firstPacket: head.span.first, lastPacket: head.span.last)
    func kept(_ text: String) -> String { String(text.unicodeScalars.prefix(MultipartRecord.nameLimit)) }
    name = head.disposition?.name.map(kept)
    fileName = head.disposition?.fileName.map(kept)
    type = head.block.value("content-type").map(kept)
    hasLength = head.block.first("content-length") != nil
  }
}
