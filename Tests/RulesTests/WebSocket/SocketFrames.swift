import Support

/// Frames as words of a wire script.
enum SocketFrames {
  static let key: UInt32 = 0x37FA_213D

  /// `length` announces something else than what follows; `form` is the number of its bytes beyond the first.
  static func frame(
    _ opcode: UInt8, _ payload: [UInt8] = [], final: Bool = true, reserved: UInt8 = 0, key: UInt32? = nil,
    length: UInt64? = nil, form: Int? = nil
  ) -> [UInt8] {
    let length = length ?? UInt64(payload.count)
    let form = form ?? (length < 126 ? 0 : length < 65_536 ? 2 : 8)
    var bytes = [(final ? 0x80 : 0) | reserved << 4 | opcode]
    let mask: UInt8 = key == nil ? 0 : 0x80
    switch form {
    case 0: bytes.append(mask | UInt8(length))
    case 2: bytes += [mask | 126] + UInt16(length).wire
    default: bytes += [mask | 127] + length.wire
    }
    guard let key else { return bytes + payload }
    bytes += key.wire
    return bytes + payload.enumerated().map { $1 ^ key.wire[$0 % 4] }
  }

  static func word(_ bytes: [UInt8]) -> String {
    "x\"" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\""
  }

  /// A line with a client's frame, masked.
  static func up(
    _ opcode: UInt8, _ text: String = "", _ marker: String = "", final: Bool = true, reserved: UInt8 = 0,
    key: UInt32? = key, length: UInt64? = nil, form: Int? = nil, bytes: [UInt8]? = nil
  ) -> String {
    let frame = frame(
      opcode, bytes ?? Array(text.utf8), final: final, reserved: reserved, key: key, length: length, form: form)
    return "> \(word(frame)) \(marker)\n"
  }

  /// A line with a server's frame.
  static func down(
    _ opcode: UInt8, _ text: String = "", _ marker: String = "", final: Bool = true, reserved: UInt8 = 0,
    key: UInt32? = nil, length: UInt64? = nil, form: Int? = nil, bytes: [UInt8]? = nil
  ) -> String {
    let frame = frame(
      opcode, bytes ?? Array(text.utf8), final: final, reserved: reserved, key: key, length: length, form: form)
    return "< \(word(frame)) \(marker)\n"
  }

  static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] { code.wire + Array(reason.utf8) }

  /// Both Closes, and the orderly end of TCP.
  static let goodbye = up(8, bytes: close(1000)) + down(8, bytes: close(1000)) + "< FIN\n> FIN\n"
}
