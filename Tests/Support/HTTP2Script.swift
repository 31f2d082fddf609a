/// Conversations of HTTP/2, frame by frame.
package enum HTTP2Script {
  package static func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8]
  {
    var bytes = word(UInt32(payload.count) << 8 | UInt32(type))
    bytes.append(flags)
    return bytes + word(stream) + payload
  }

  package static func word(_ number: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    return bytes
  }

  /// Literals that are not inserted, so that blocks do not depend on each other.
  package static func block(_ fields: [(String, String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in fields {
      bytes += [0, UInt8(name.utf8.count)]
      bytes += Array(name.utf8)
      bytes.append(UInt8(value.utf8.count))
      bytes += Array(value.utf8)
    }
    return bytes
  }

  package static let asked = [(":method", "GET"), (":scheme", "http"), (":path", "/a"), (":authority", "h.example")]

  package static func headers(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = false) -> [UInt8] {
    frame(1, ends ? 5 : 4, stream, block(fields))
  }

  package static func request(_ stream: UInt32 = 1, _ fields: [(String, String)] = asked, ends: Bool = true) -> [UInt8]
  {
    headers(stream, fields, ends: ends)
  }

  package static func response(_ stream: UInt32 = 1, _ fields: [(String, String)] = [], ends: Bool = false) -> [UInt8] {
    headers(stream, [(":status", "200")] + fields, ends: ends)
  }

  package static func data(_ stream: UInt32, _ text: String, ends: Bool = false) -> [UInt8] {
    frame(0, ends ? 1 : 0, stream, Array(text.utf8))
  }

  package static func setting(_ id: UInt16, _ value: UInt32) -> [UInt8] {
    [UInt8(id >> 8), UInt8(id & 0xFF)] + word(value)
  }

  package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  package static let settings = frame(4)
  package static let acknowledged = frame(4, 1)

  package static func up(_ bytes: [UInt8], _ marker: String = "") -> String { line(">", bytes, marker) }
  package static func down(_ bytes: [UInt8], _ marker: String = "") -> String { line("<", bytes, marker) }

  private static func line(_ side: String, _ bytes: [UInt8], _ marker: String) -> String {
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return "\(side) x\"\(digits)\" \(marker)\n"
  }

  private static let handshake = "> SYN\n< SYN ACK\n> ACK\n"

  /// Up to the acknowledgements of both sides.
  package static let open = opened()
  package static func opened(_ client: [UInt8] = [], _ server: [UInt8] = []) -> String {
    handshake + up(preface + frame(4, 0, 0, client)) + down(frame(4, 0, 0, server) + acknowledged) + up(acknowledged)
  }

  package static let end = "> FIN\n< FIN\n"
  /// An exchange without fault.
  package static let clean = up(request()) + down(response() + data(1, "body", ends: true)) + end
  package static let refusal = frame(7, 0, 0, [0, 0, 0, 0, 0, 0, 0, 1])
}
