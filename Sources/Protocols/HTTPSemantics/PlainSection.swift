import Citation

/// What a section of fields stands in.
package enum SectionPlace: Sendable {
  case request, response, trailers
}

extension HeaderBlock {
  /// A section of HTTP/2 as nearly all are: its pseudo-header fields are those of RFC 9113 §8.3, each once and in front;
  /// names are in lower case, values hold no control character, and no field concerns one connection or asks for another
  /// protocol. So one look tells that none of the rules about malformed sections has anything to say. What is not plain
  /// may still be well-formed.
  package func isPlain(in place: SectionPlace) -> Bool {
    let bytes = bytes
    var pseudo = PseudoFields()
    var hasOther = false
    for field in fields {
      let (name, value) = (field.name, field.value)
      guard !name.isEmpty, name.upperBound <= bytes.count, value.upperBound <= bytes.count else { return false }
      guard HeaderBlock.isPlain(value: bytes.span.extracting(value)) else { return false }
      if bytes[name.lowerBound] == .colon {
        guard !hasOther, let seen = PseudoFields(bytes.span, field), pseudo.isDisjoint(with: seen) else { return false }
        pseudo.formUnion(seen)
      } else {
        hasOther = true
        guard HeaderBlock.isPlain(name: bytes.span.extracting(name)),
          !HeaderBlock.isRemarkable(field, in: bytes.span, place)
        else { return false }
      }
    }
    return pseudo == PseudoFields(of: place)
  }

  /// No control character, and no blank at the ends.
  private static func isPlain(value: Span<UInt8>) -> Bool {
    guard value.count > 0 else { return true }
    var controls: UInt8 = 0
    for index in value.indices { controls |= value[index] < .space ? 1 : 0 }
    return controls == 0 && !value[0].isBlank && !value[value.count - 1].isBlank
  }

  /// Letters in lower case, digits, hyphens and underscores.
  private static func isPlain(name: Span<UInt8>) -> Bool {
    for index in name.indices {
      let byte = name[index]
      guard byte &- 0x61 < 26 || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else {
        return false
      }
    }
    return true
  }

  /// A field of which a rule may say something for its name. By length first, as names are compared in FieldNames.
  private static func isRemarkable(_ field: HeaderField, in bytes: Span<UInt8>, _ place: SectionPlace) -> Bool {
    let name = field.name
    switch name.count {
    case 2: return matches(bytes, name, "te") && !matches(bytes, field.value, "trailers")
    case 4: return place == .request && matches(bytes, name, "host")
    case 7: return matches(bytes, name, "upgrade")
    case 10: return matches(bytes, name, "connection") || matches(bytes, name, "keep-alive")
    case 16: return matches(bytes, name, "proxy-connection")
    case 17: return matches(bytes, name, "transfer-encoding")
    default: return false
    }
  }
}

/// The pseudo-header fields of a head with plain values.
private struct PseudoFields: OptionSet {
  let rawValue: UInt8

  static var method: PseudoFields { PseudoFields(rawValue: 1 << 0) }
  static var scheme: PseudoFields { PseudoFields(rawValue: 1 << 1) }
  static var path: PseudoFields { PseudoFields(rawValue: 1 << 2) }
  static var authority: PseudoFields { PseudoFields(rawValue: 1 << 3) }
  static var status: PseudoFields { PseudoFields(rawValue: 1 << 4) }

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Those that a head has; a plain request names its authority.
  init(of place: SectionPlace) {
    switch place {
    case .request: self = PseudoFields(rawValue: 0b01111)
    case .response: self = .status
    case .trailers: self.init(rawValue: 0)
    }
  }

  /// nil where the name is none of them, or the value is one that a rule may say something of: CONNECT, a path that is
  /// none, an interim status.
  init?(_ bytes: Span<UInt8>, _ field: HeaderField) {
    let (name, value) = (field.name, field.value)
    switch name.count {
    case 5 where matches(bytes, name, ":path") && !value.isEmpty && bytes[value.lowerBound] == UInt8(ascii: "/"):
      if holds(UInt8(ascii: "#"), bytes.extracting(value)) { return nil }
      self = .path
    case 7 where matches(bytes, name, ":method") && !matches(bytes, value, "connect"): self = .method
    case 7 where matches(bytes, name, ":scheme"): self = .scheme
    case 7 where matches(bytes, name, ":status") && !value.isEmpty && bytes[value.lowerBound] != UInt8(ascii: "1"):
      self = .status
    case 10 where matches(bytes, name, ":authority"): self = .authority
    default: return nil
    }
  }
}
