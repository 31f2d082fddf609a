import Support
import TLSSemantics

/// Bytes of TLS, put together by hand.
enum Wire {
  static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Bytes behind their length.
  static func list(_ size: Int, _ bytes: [UInt8]) -> [UInt8] { number(bytes.count, size) + bytes }

  static func words(_ values: [UInt16]) -> [UInt8] { values.flatMap { number(Int($0), 2) } }

  static func record(_ type: UInt8, _ body: [UInt8], version: Int = 0x0303) -> [UInt8] {
    [type] + number(version, 2) + list(2, body)
  }

  static func handshake(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + list(3, body) }

  static func message(_ type: UInt8, _ body: [UInt8], version: Int = 0x0303) -> [UInt8] {
    record(22, handshake(type, body), version: version)
  }

  static let random = [UInt8](repeating: 0x52, count: 32)

  static func clientHello(
    version: Int = 0x0303, session: [UInt8] = [], suites: [UInt16] = [0x1301, 0xC02F], extensions: [[UInt8]]? = nil
  ) -> [UInt8] {
    number(version, 2) + random + list(1, session) + list(2, words(suites)) + [1, 0]
      + (extensions.map { list(2, $0.flatMap { $0 }) } ?? [])
  }

  static func serverHello(
    version: Int = 0x0303, random: [UInt8] = Wire.random, suite: UInt16 = 0xC02F, extensions: [[UInt8]]? = nil
  ) -> [UInt8] {
    number(version, 2) + random + [0] + words([suite]) + [0]
      + (extensions.map { list(2, $0.flatMap { $0 }) } ?? [])
  }

  static func ext(_ code: UInt16, _ body: [UInt8]) -> [UInt8] { words([code]) + list(2, body) }

  static func serverName(_ name: String) -> [UInt8] { ext(0, list(2, [0] + list(2, Array(name.utf8)))) }
  static func protocols(_ names: String...) -> [UInt8] {
    ext(16, list(2, names.flatMap { list(1, Array($0.utf8)) }))
  }
  static func versions(_ values: [UInt16]) -> [UInt8] { ext(43, list(1, words(values))) }
  static func groups(_ values: [UInt16]) -> [UInt8] { ext(10, list(2, words(values))) }
  static func schemes(_ values: [UInt16]) -> [UInt8] { ext(13, list(2, words(values))) }
  static func keyShares(_ groups: [UInt16]) -> [UInt8] {
    ext(51, list(2, groups.flatMap { words([$0]) + list(2, [1, 2, 3]) }))
  }
  static func preSharedKeys(_ identities: [[UInt8]]) -> [UInt8] {
    let binders = identities.flatMap { _ in list(1, random) }
    return ext(41, list(2, identities.flatMap { list(2, $0) + [0, 0, 0, 9] }) + list(2, binders))
  }

  /// A client's whole side: a hello, as its middle may look, and what follows.
  static let client: [UInt8] =
    message(
      1,
      clientHello(
        session: [1, 2, 3],
        extensions: [
          serverName("a.example"), protocols("h2", "http/1.1"), versions([0x0A0A, 0x0304, 0x0303]),
          groups([0x1A1A, 29, 23]), schemes([0x0403, 0x0804]), keyShares([0x2A2A, 29]), ext(23, []), ext(35, []),
        ]), version: 0x0301)
    + record(20, [1]) + record(23, [UInt8](repeating: 0xAA, count: 40)) + record(23, []) + record(21, [1, 0])

  /// Any of what TLS is made of, mostly well formed.
  static func random(_ random: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bytes += client
      case 1: bytes += message(2, serverHello(extensions: [ext(51, words([29]))]))
      case 2: bytes += record(22, random.bytes(Int.random(in: 0...60, using: &random)))
      case 3:
        let hello = handshake(1, clientHello())
        let cut = Int.random(in: 0...hello.count, using: &random)
        bytes += record(22, Array(hello[..<cut])) + record(22, Array(hello[cut...]))
      case 4: bytes += record(21, [2, 40])
      case 5: bytes += record(20, [1], version: 0x0304)
      case 6: bytes += random.bytes(Int.random(in: 1...9, using: &random))
      case 7: bytes += record(23, [])
      default: bytes += record(23, random.bytes(Int.random(in: 1...90, using: &random)))
      }
    }
    if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
    return bytes
  }
}
