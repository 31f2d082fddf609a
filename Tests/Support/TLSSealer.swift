import Citation
import Digests

/// Seals records of TLS 1.3 as TLS_AES_128_GCM_SHA256 does, slowly and without any library, so that scripts can have
/// something to decrypt.
package struct TLSSealer: Sendable {
  private let key: AES128
  private let iv: [UInt8]
  private var sequence: UInt64 = 0

  /// Of a traffic secret, as key logs have it.
  package init(secret: [UInt8]) {
    key = AES128(TLSSealer.expand(secret, "key", 16))
    iv = TLSSealer.expand(secret, "iv", 12)
  }

  package mutating func seal(_ plaintext: [UInt8], type: UInt8 = 23) -> [UInt8] {
    var nonce = iv
    for (index, byte) in sequence.wire.enumerated() { nonce[4 + index] ^= byte }
    sequence += 1
    let inner = plaintext + [type]
    let header: [UInt8] = [23, 3, 3] + UInt16(inner.count + 16).wire
    return header + key.seal(inner, nonce: nonce, header: header)
  }

  /// HKDF-Expand-Label for what one digest covers (RFC 8446 §7.1).
  private static func expand(_ secret: [UInt8], _ label: String, _ count: Int) -> [UInt8] {
    let info = UInt16(count).wire + TLSWire.list(1, Array("tls13 \(label)".utf8)) + [0]
    return Array(hmac(secret, info + [1]).prefix(count))
  }

  private static func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let key = key + [UInt8](repeating: 0, count: 64 - key.count)
    let inner = SHA256.digest(of: (key.map { $0 ^ 0x36 } + message).span)
    return SHA256.digest(of: (key.map { $0 ^ 0x5C } + inner).span)
  }
}

/// A connection of TLS 1.3 whose secrets are known.
package struct TLSKeyed: Sendable {
  package var client = TLSSealer(secret: TLSKeyed.secret(3))
  package var server = TLSSealer(secret: TLSKeyed.secret(4))
  private var clientHandshake = TLSSealer(secret: TLSKeyed.secret(1))
  private var serverHandshake = TLSSealer(secret: TLSKeyed.secret(2))

  package init() {}

  package static let keyLog = keyLog(secrets: 1)

  /// A key log; from another number on, its secrets are not those of the connection.
  package static func keyLog(secrets first: UInt8) -> String {
    let labels = [
      "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0",
      "SERVER_TRAFFIC_SECRET_0",
    ]
    return labels.enumerated().map { index, label in
      "\(label) \(hex(TLSWire.random)) \(hex(secret(first + UInt8(index))))\n"
    }.joined()
  }

  private static func secret(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The server's first flight behind its ServerHello.
  package mutating func flight(certificate: [UInt8], asksForCertificate: Bool = false) -> [UInt8] {
    let entry = TLSWire.list(3, certificate) + [0, 0]
    return TLSWire.changeCipherSpec + serverHandshake.seal(TLSWire.handshake(8, [0, 0]), type: 22)
      + (asksForCertificate ? serverHandshake.seal(TLSWire.handshake(13, [0, 0, 0]), type: 22) : [])
      + serverHandshake.seal(TLSWire.handshake(11, [0] + TLSWire.list(3, entry)), type: 22)
      + serverHandshake.seal(TLSWire.handshake(20, TLSWire.random), type: 22)
  }

  package mutating func finished(showsNone: Bool = false) -> [UInt8] {
    TLSWire.changeCipherSpec
      + (showsNone ? clientHandshake.seal(TLSWire.handshake(11, [0, 0, 0, 0]), type: 22) : [])
      + clientHandshake.seal(TLSWire.handshake(20, TLSWire.random), type: 22)
  }
}

/// AES with a key of 128 bits in counter mode with its authenticator (FIPS 197, NIST SP 800-38D).
private struct AES128: Sendable {
  private let roundKeys: [[UInt8]]

  init(_ key: [UInt8]) {
    var words = (0..<4).map { Array(key[4 * $0..<4 * $0 + 4]) }
    var constant: UInt8 = 1
    for index in 4..<44 {
      var word = words[index - 1]
      if index % 4 == 0 {
        word = (Array(word[1...]) + [word[0]]).map { Self.box[Int($0)] }
        word[0] ^= constant
        constant = Self.double(constant)
      }
      words.append(zip(words[index - 4], word).map { $0 ^ $1 })
    }
    roundKeys = (0..<11).map { round in words[4 * round..<4 * round + 4].flatMap { $0 } }
  }

  private static func double(_ value: UInt8) -> UInt8 { value << 1 ^ (value & 0x80 == 0 ? 0 : 0x1B) }

  private static let box: [UInt8] = {
    var box = [UInt8](repeating: 0x63, count: 256)
    var value: UInt8 = 1
    var inverse: UInt8 = 1
    repeat {
      value ^= double(value)
      inverse ^= inverse << 1
      inverse ^= inverse << 2
      inverse ^= inverse << 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      var turned = inverse
      for bits in 1...4 {
        let left: UInt8 = inverse << bits
        let right: UInt8 = inverse >> (8 - bits)
        turned ^= left | right
      }
      box[Int(value)] = turned ^ 0x63
    } while value != 1
    return box
  }()

  private func encrypt(_ block: [UInt8]) -> [UInt8] {
    var state = zip(block, roundKeys[0]).map { $0 ^ $1 }
    for round in 1...10 {
      var next: [UInt8] = (0..<16).map { (place: Int) -> UInt8 in
        let from = (place + 4 * (place % 4)) % 16
        return Self.box[Int(state[from])]
      }
      if round < 10 {
        for column in stride(from: 0, to: 16, by: 4) {
          let old = Array(next[column..<column + 4])
          let all: UInt8 = old.reduce(0, ^)
          for row in 0..<4 {
            let pair: UInt8 = old[row] ^ old[(row + 1) % 4]
            next[column + row] = old[row] ^ all ^ Self.double(pair)
          }
        }
      }
      state = zip(next, roundKeys[round]).map { $0 ^ $1 }
    }
    return state
  }

  func seal(_ plaintext: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8] {
    var sealed: [UInt8] = []
    for (index, start) in stride(from: 0, to: plaintext.count, by: 16).enumerated() {
      let stream = encrypt(nonce + UInt32(index + 2).wire)
      sealed += zip(plaintext[start..<min(start + 16, plaintext.count)], stream).map { $0 ^ $1 }
    }
    let lengths = UInt64(header.count * 8).wire + UInt64(sealed.count * 8).wire
    let digest = authenticate(padded(header) + padded(sealed) + lengths)
    return sealed + zip(digest, encrypt(nonce + UInt32(1).wire)).map { $0 ^ $1 }
  }

  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
  }

  private func authenticate(_ bytes: [UInt8]) -> [UInt8] {
    let key = halves(encrypt([UInt8](repeating: 0, count: 16))[...])
    var sum: (UInt64, UInt64) = (0, 0)
    for start in stride(from: 0, to: bytes.count, by: 16) {
      let block = halves(bytes[start..<start + 16])
      sum = multiply((sum.0 ^ block.0, sum.1 ^ block.1), key)
    }
    return sum.0.wire + sum.1.wire
  }

  private func halves(_ bytes: ArraySlice<UInt8>) -> (UInt64, UInt64) {
    (bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  private func multiply(_ left: (UInt64, UInt64), _ right: (UInt64, UInt64)) -> (UInt64, UInt64) {
    var product: (UInt64, UInt64) = (0, 0)
    var shifted = right
    for bit in 0..<128 {
      let word = bit < 64 ? left.0 : left.1
      if word >> UInt64(63 - bit % 64) & 1 == 1 { product = (product.0 ^ shifted.0, product.1 ^ shifted.1) }
      let carry = shifted.1 & 1
      shifted = (shifted.0 >> 1, shifted.1 >> 1 | shifted.0 << 63)
      if carry == 1 { shifted.0 ^= 0xE1 << 56 }
    }
    return product
  }
}
