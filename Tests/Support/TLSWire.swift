import Citation

/// Bytes of TLS, put together by hand.
package enum TLSWire {
  package static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Bytes behind their length.
  package static func list(_ size: Int, _ bytes: [UInt8]) -> [UInt8] { number(bytes.count, size) + bytes }

  package static func words(_ values: [UInt16]) -> [UInt8] { values.flatMap { number(Int($0), 2) } }

  // MARK: Records

  package static func record(_ type: UInt8, _ body: [UInt8], version: Int = 0x0303) -> [UInt8] {
    [type] + number(version, 2) + list(2, body)
  }

  /// Application data, or whatever hides in it, of so many bytes.
  package static func shut(_ count: Int, type: UInt8 = 23) -> [UInt8] {
    record(type, (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 7) })
  }

  package static func alert(_ level: UInt8, _ code: UInt8) -> [UInt8] { record(21, [level, code]) }

  package static let changeCipherSpec = record(20, [1])

  package static func handshake(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + list(3, body) }

  package static func message(_ type: UInt8, _ body: [UInt8], version: Int = 0x0303) -> [UInt8] {
    record(22, handshake(type, body), version: version)
  }

  // MARK: Messages

  package static let random = [UInt8](repeating: 0x52, count: 32)
  /// What says that a ServerHello is a HelloRetryRequest.
  package static let retryRandom: [UInt8] = [
    0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91, 0xC2, 0xA2, 0x11,
    0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
  ]

  package static func clientHello(
    version: Int = 0x0303, session: [UInt8] = [], suites: [UInt16] = [0x1301, 0xC02F], extensions: [[UInt8]]? = nil
  ) -> [UInt8] {
    number(version, 2) + random + list(1, session) + list(2, words(suites)) + [1, 0]
      + (extensions.map { list(2, $0.flatMap { $0 }) } ?? [])
  }

  package static func serverHello(
    version: Int = 0x0303, random: [UInt8] = TLSWire.random, session: [UInt8] = [], suite: UInt16 = 0xC02F,
    extensions: [[UInt8]]? = nil
  ) -> [UInt8] {
    number(version, 2) + random + list(1, session) + words([suite]) + [0]
      + (extensions.map { list(2, $0.flatMap { $0 }) } ?? [])
  }

  /// The body of a Certificate message before TLS 1.3.
  package static func certificates(_ all: [[UInt8]]) -> [UInt8] { list(3, all.flatMap { list(3, $0) }) }

  /// A NewSessionTicket before TLS 1.3.
  package static func ticket(_ bytes: [UInt8], lifetime: Int = 7_200) -> [UInt8] {
    message(4, number(lifetime, 4) + list(2, bytes))
  }

  // MARK: Extensions

  package static func ext(_ code: UInt16, _ body: [UInt8]) -> [UInt8] { words([code]) + list(2, body) }

  package static func serverName(_ name: String) -> [UInt8] { ext(0, list(2, [0] + list(2, Array(name.utf8)))) }
  package static func protocols(_ names: String...) -> [UInt8] {
    ext(16, list(2, names.flatMap { list(1, Array($0.utf8)) }))
  }
  package static func versions(_ values: [UInt16]) -> [UInt8] { ext(43, list(1, words(values))) }
  package static func groups(_ values: [UInt16]) -> [UInt8] { ext(10, list(2, words(values))) }
  package static func schemes(_ values: [UInt16]) -> [UInt8] { ext(13, list(2, words(values))) }
  package static func keyShares(_ groups: [UInt16]) -> [UInt8] {
    ext(51, list(2, groups.flatMap { words([$0]) + list(2, [1, 2, 3]) }))
  }
  package static func preSharedKeys(_ identities: [[UInt8]]) -> [UInt8] {
    let binders = identities.flatMap { _ in list(1, random) }
    return ext(41, list(2, identities.flatMap { list(2, $0) + [0, 0, 0, 9] }) + list(2, binders))
  }
}
