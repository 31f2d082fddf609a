import Support
import TLSSemantics

typealias Wire = TLSWire

extension TLSWire {
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
