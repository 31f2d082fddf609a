import Citation

/// Which of the names that rules are chosen by a section has. Found once, when a section is read: most sections have few of
/// them, and so meet few rules.
package struct FieldNames: Sendable, Equatable {
  package let rawValue: UInt16

  package static let none = FieldNames(rawValue: 0)
  /// What concerns one connection only: Connection, Keep-Alive, Proxy-Connection, TE, Upgrade.
  package static let hopByHop = FieldNames(rawValue: 1 << 0)
  package static let upgrade = FieldNames(rawValue: 1 << 1)
  /// Values that are tokens, and usually written in one way.
  package static let tokens = FieldNames(rawValue: 1 << 2)
  /// What only nginx reads: X-Accel-Buffering and its like.
  package static let accelerator = FieldNames(rawValue: 1 << 3)
  package static let via = FieldNames(rawValue: 1 << 4)
  package static let contentType = FieldNames(rawValue: 1 << 5)
  package static let contentEncoding = FieldNames(rawValue: 1 << 6)
  package static let cookie = FieldNames(rawValue: 1 << 7)

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  @inline(__always)
  package func has(_ names: FieldNames) -> Bool { rawValue & names.rawValue != 0 }

  init(of fields: [HeaderField], in bytes: Span<UInt8>) {
    var found: UInt16 = 0
    for field in fields { found |= Self.of(field.name, in: bytes).rawValue }
    rawValue = found
  }

  /// By length first: a name is compared with one or two others.
  @inline(__always)
  private static func of(_ name: Range<Int>, in bytes: Span<UInt8>) -> FieldNames {
    guard name.upperBound <= bytes.count else { return none }
    switch name.count {
    case 2: return matches(bytes, name, "te") ? both(hopByHop, tokens) : none
    case 3: return matches(bytes, name, "via") ? via : none
    case 5: return matches(bytes, name, "range") ? tokens : none
    case 6: return matches(bytes, name, "cookie") ? cookie : matches(bytes, name, "expect") ? tokens : none
    case 7: return matches(bytes, name, "upgrade") ? both(both(hopByHop, tokens), upgrade) : none
    case 10:
      if matches(bytes, name, "connection") { return both(hopByHop, tokens) }
      return matches(bytes, name, "keep-alive") ? hopByHop : none
    case 12: return matches(bytes, name, "content-type") ? contentType : none
    case 13:
      return matches(bytes, name, "accept-ranges") || matches(bytes, name, "content-range") ? tokens : none
    case 16:
      if matches(bytes, name, "content-encoding") { return both(tokens, contentEncoding) }
      return matches(bytes, name, "proxy-connection") ? hopByHop : longer(name, in: bytes)
    case let length where length > 8: return longer(name, in: bytes)
    default: return none
    }
  }

  private static func longer(_ name: Range<Int>, in bytes: Span<UInt8>) -> FieldNames {
    matches(bytes, name.lowerBound..<name.lowerBound + 8, "x-accel-") ? accelerator : none
  }

  @inline(__always)
  private static func both(_ one: FieldNames, _ other: FieldNames) -> FieldNames {
    FieldNames(rawValue: one.rawValue | other.rawValue)
  }
}
