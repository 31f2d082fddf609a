/// How keys are made from secrets: HKDF-Expand-Label of TLS 1.3 (RFC 8446 §7.1), the PRF of TLS 1.2 (RFC 5246 §5) and
/// that of 1.0 and 1.1 (RFC 2246 §5). Nil where libcrypto lacks the hash.
enum KeyDerivation {
  /// One block of the hash is enough for every key of TLS 1.3.
  static func expand(_ secret: SecretBytes, _ label: String, count: Int, _ hash: HashKind) -> SecretBytes? {
    guard count <= hash.byteCount, let mac = KeyedHash(hash, key: secret) else { return nil }
    let name = Array("tls13 \(label)".utf8)
    // The length, the label, no context, and the number of the block.
    let info = [0, UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: name.count)] + name + [0, 1]
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var isWell = false
    let block = SecretBytes(count: hash.byteCount) { room in
      isWell = info.withUnsafeBytes { mac.compute($0, nothing, into: room) }
    }
    return isWell ? block.part(0..<count) : nil
  }

  static func keyBlock(
    _ master: SecretBytes, _ client: HelloRandom, _ server: HelloRandom, count: Int, _ hash: HashKind, isOld: Bool
  ) -> SecretBytes? {
    let seed = Array("key expansion".utf8) + server.bytes + client.bytes
    guard isOld else { return stream(master, seed, count: count, hash) }
    // Each half of the secret, both with the middle byte if there is one, makes a stream of its own.
    let half = (master.count + 1) / 2
    guard let left = stream(master.part(0..<half), seed, count: count, .md5),
      let right = stream(master.part(master.count - half..<master.count), seed, count: count, .sha1)
    else { return nil }
    return SecretBytes(count: count) { room in
      left.withBytes { left in
        right.withBytes { right in for index in room.indices { room[index] = left[index] ^ right[index] } }
      }
    }
  }

  /// P_hash: the MACs of A(i) + seed, where A(0) is the seed and A(i) the MAC of A(i - 1).
  private static func stream(_ secret: SecretBytes, _ seed: [UInt8], count: Int, _ hash: HashKind) -> SecretBytes? {
    guard let mac = KeyedHash(hash, key: secret) else { return nil }
    let size = hash.byteCount
    let blocks = (count + size - 1) / size
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var isWell = true
    // A(i) of the round before and of this one, which are as secret as what they make.
    let result = SecretBytes(count: blocks * size) { room in
      _ = SecretBytes(count: 2 * size) { chain in
        var before = UnsafeMutableRawBufferPointer(rebasing: chain[..<size])
        var now = UnsafeMutableRawBufferPointer(rebasing: chain[size...])
        seed.withUnsafeBytes { seed in
          for block in 0..<blocks {
            let made = UnsafeMutableRawBufferPointer(rebasing: room[block * size..<(block + 1) * size])
            isWell =
              isWell && mac.compute(block == 0 ? seed : UnsafeRawBufferPointer(before), nothing, into: now)
              && mac.compute(UnsafeRawBufferPointer(now), seed, into: made)
            swap(&before, &now)
          }
        }
      }
    }
    return isWell ? result.part(0..<count) : nil
  }
}
