import HTTPSemantics

/// Types whose bodies are read item by item.
enum ItemType: Sendable {
  case events, lines
  /// Of gRPC.
  case messages

  /// As the type that bodies of such items are usually given.
  var name: String {
    switch self {
    case .events: "text/event-stream"
    case .lines: "application/x-ndjson"
    case .messages: "application/grpc"
    }
  }

  /// nil for any other type.
  init?(_ head: MessageHead) {
    guard let type = head.block.first("content-type") else { return nil }
    let held = head.block.bytes
    let bytes = held.span
    let end = type.value.first { bytes[$0] == UInt8(ascii: ";") } ?? type.value.upperBound
    let name = FieldList.trim(bytes, type.value.lowerBound..<end)
    // Most types are shorter or of another family; application/grpc is the shortest of these.
    guard name.count >= 16 else { return nil }
    if matches(bytes, name, "text/event-stream") {
      self = .events
    } else if matches(bytes, name, "application/x-ndjson") || matches(bytes, name, "application/ndjson")
      || matches(bytes, name, "application/jsonl") || matches(bytes, name, "application/x-jsonlines")
      || matches(bytes, name, "application/stream+json")
    {
      self = .lines
    } else if bytes[name.lowerBound + 12] | 0x20 == UInt8(ascii: "g"), head.block.grpcType(of: type.value) != nil {
      self = .messages
    } else {
      return nil
    }
  }
}

extension HeaderBlock {
  /// Whether its Accept field names event streams.
  var acceptsEvents: Bool {
    guard let field = first("accept") else { return false }
    let wanted: StaticString = "text/event-stream"
    let length = wanted.utf8CodeUnitCount
    guard field.value.count >= length else { return false }
    let bytes = bytes
    let span = bytes.span
    for start in field.value.lowerBound...(field.value.upperBound - length)
    where span[start] | 0x20 == UInt8(ascii: "t") {
      if matches(span, start..<start + length, wanted) { return true }
    }
    return false
  }
}

/// Whether a body begins as event streams do.
enum EventOpening {
  /// A byte order mark, and the longest name with its colon.
  static let limit = 9
  private static let beginnings = ["data:", "event:", "id:", "retry:", ":"].map { Array($0.utf8) }

  /// nil while it cannot be determined.
  static func isAlike(_ opening: [UInt8]) -> Bool? {
    var bytes = opening[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if beginnings.contains(where: { bytes.starts(with: $0) }) { return true }
    let isPossible =
      beginnings.contains { $0.starts(with: bytes) } || [0xEF, 0xBB, 0xBF].starts(with: opening)
    return isPossible ? nil : false
  }
}
