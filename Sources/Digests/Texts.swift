/// Bytes as hexadecimal digits, two for each, lower case.
package enum Hex {
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    for index in bytes.indices {
      output.append(digit(bytes[index] >> 4))
      output.append(digit(bytes[index] & 0xF))
    }
  }

  /// The first `count` digits of a number of sixteen.
  package static func append(_ number: UInt64, first count: Int, to output: inout [UInt8]) {
    var rest = number
    for _ in 0..<min(count, 16) {
      output.append(digit(UInt8(truncatingIfNeeded: rest &>> 60)))
      rest &<<= 4
    }
  }

  package static func text(_ bytes: Span<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count * 2)
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}

/// Bytes as Base64, RFC 4648 §4: the alphabet with "+" and "/", padded, in one line.
package enum Base64 {
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      let present = min(3, bytes.count - index)
      let first = bytes[index]
      let second = present > 1 ? bytes[index + 1] : 0
      let third = present > 2 ? bytes[index + 2] : 0
      output.append(digit(first >> 2))
      output.append(digit((first & 0x3) << 4 | second >> 4))
      output.append(present > 1 ? digit((second & 0xF) << 2 | third >> 6) : UInt8(ascii: "="))
      output.append(present > 2 ? digit(third & 0x3F) : UInt8(ascii: "="))
      index += present
    }
  }

  package static func text(_ bytes: Span<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + (value - 26)
    case 52..<62: UInt8(ascii: "0") + (value - 52)
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}

extension [UInt8] {
  /// Of a digest: `SHA1.digest(of: bytes).hex`.
  package var hex: String { Hex.text(span) }
  package var base64: String { Base64.text(span) }
}
