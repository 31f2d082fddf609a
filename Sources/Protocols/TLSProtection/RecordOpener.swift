/// Opens the protected records of one direction, under one secret.
///
/// In TLS 1.3 that is one of early data, handshake and application data, so a connection has several, one after the
/// other; unprotected records (change_cipher_spec, the hellos) are not for it. In TLS 1.0 to 1.2 the first record is
/// that of the Finished message. A record that fails changes nothing: the caller may set `sequence` and try it again
/// where records may be missing. What compression (before 1.3) left is not undone here.
///
/// Records cost no allocation (but for the MACs of CBC, see KeyedHash): the cipher's state and the caller's room are
/// reused. Nothing is reserved by a length that was not received.
///
/// A value but for the cipher's state, which copies share: they may be used in turns, but not at once. So it is
/// `Sendable` under the rule that one lane at a time owns a connection, as the decoders of Codecs are.
package struct RecordOpener: Sendable {
  package enum Setup: Sendable {
    case ready(RecordOpener)
    /// Not in the table, or not with this version; or libcrypto was built without its cipher.
    case unsupported(suite: UInt16)
    /// The secret is not as long as one of this suite is.
    case secretOfOtherLength
    /// This program was built without libcrypto.
    case notBuiltIn
  }

  package enum Opened: Hashable, Sendable {
    /// So many bytes at the beginning of the room. In TLS 1.3 the type is the inner one, and the padding is gone; where
    /// there was nothing but padding, which a peer must not accept, the type is zero.
    case opened(type: UInt8, count: Int)
    /// Tag, MAC, padding or length is wrong, or the keys, or the sequence number: it cannot be said which.
    case failed
  }

  package let suite: UInt16
  /// The number that the next record is taken to have.
  package var sequence: UInt64 = 0

  private var mode: Mode
  /// Nil where there is none, and for RC4.
  private var cipher: RecordCipher?
  /// The derived part of nonces, or TLS 1.0's first block.
  private var salt: SecretBytes
  /// The last block of the record before (TLS 1.0), and that of a record that failed.
  private var chain = CipherBlock(repeating: 0)
  private var failedChain: CipherBlock?
  /// Where RC4 stands, and where it stood behind a record that failed.
  private var stream: KeyStream?
  private var failedStream: KeyStream?

  private enum Mode {
    case tls13(ProtectionSuite, SecretBytes)
    /// With the rest of the nonce in each record, or not.
    case sealed(ProtectionSuite, hasExplicitNonce: Bool)
    case blocks(KeyedHash, count: Int, isChained: Bool, encryptThenMAC: Bool)
    /// RC4 over all records of the direction, or nothing, and a MAC.
    case plain(KeyedHash)
  }

  /// For TLS 1.3, from a traffic secret of a key log.
  package static func make(suite code: UInt16, trafficSecret: SecretBytes) -> Setup {
    guard isTLSProtectionBuiltIn else { return .notBuiltIn }
    guard let suite = ProtectionSuite(code), suite.isTLS13 else { return .unsupported(suite: code) }
    guard trafficSecret.count == suite.hash.byteCount else { return .secretOfOtherLength }
    guard let keys = RecordOpener.keys(trafficSecret, suite) else { return .unsupported(suite: code) }
    return .ready(
      RecordOpener(suite: code, mode: .tls13(suite, trafficSecret), cipher: keys.cipher, salt: keys.salt))
  }

  /// For TLS 1.0 to 1.2, from the master secret. `version` is that of the ServerHello; `encryptThenMAC` is whether both
  /// hellos have that extension (RFC 7366), and matters to CBC alone.
  package static func make(
    suite code: UInt16, version: UInt16, masterSecret: SecretBytes, clientRandom: HelloRandom,
    serverRandom: HelloRandom, fromClient: Bool, encryptThenMAC: Bool
  ) -> Setup {
    guard isTLSProtectionBuiltIn else { return .notBuiltIn }
    guard let suite = ProtectionSuite(code), !suite.isTLS13, 0x0301...0x0303 ~= version,
      suite.isOld || version == 0x0303
    else { return .unsupported(suite: code) }
    guard masterSecret.count == 48 else { return .secretOfOtherLength }
    let macCount = suite.mac?.byteCount ?? 0
    let keyCount = suite.cipher.keyCount
    let saltCount = suite.cipher.saltCount
    guard
      let block = KeyDerivation.keyBlock(
        masterSecret, clientRandom, serverRandom, count: 2 * (macCount + keyCount + saltCount), suite.hash,
        isOld: version < 0x0303)
    else { return .unsupported(suite: code) }
    // The client's part of each kind stands before the server's.
    func part(_ count: Int, at offset: Int) -> SecretBytes {
      let start = offset + (fromClient ? 0 : count)
      return block.part(start..<start + count)
    }
    let key = part(keyCount, at: 2 * macCount)
    if suite.cipher == .rc4 || suite.cipher == .none {
      guard let mac = suite.mac, let hash = KeyedHash(mac, key: part(macCount, at: 0)) else {
        return .unsupported(suite: code)
      }
      var opener = RecordOpener(suite: code, mode: .plain(hash), cipher: nil, salt: SecretBytes(count: 0) { _ in })
      if suite.cipher == .rc4 { opener.stream = KeyStream(key) }
      return .ready(opener)
    }
    guard let cipher = RecordCipher(suite.cipher, tagCount: suite.tagCount, key: key) else {
      return .unsupported(suite: code)
    }
    let mode: Mode
    if let mac = suite.mac {
      guard let hash = KeyedHash(mac, key: part(macCount, at: 0)) else { return .unsupported(suite: code) }
      mode = .blocks(
        hash, count: suite.cipher.blockCount, isChained: version == 0x0301, encryptThenMAC: encryptThenMAC)
    } else {
      mode = .sealed(suite, hasExplicitNonce: saltCount < 12)
    }
    return .ready(
      RecordOpener(
        suite: code, mode: mode, cipher: cipher, salt: part(saltCount, at: 2 * (macCount + keyCount))))
  }

  private init(suite: UInt16, mode: Mode, cipher: RecordCipher?, salt: SecretBytes) {
    self.suite = suite
    self.mode = mode
    self.cipher = cipher
    self.salt = salt
    chain = block(number: nil)
  }

  /// Opens a record of this type and version (as its header has them) whose bytes behind the header are `fragment`. The
  /// room is the caller's to reuse; it grows to the largest record and never shrinks, and what it held is lost.
  package mutating func open(
    type: UInt8, version: UInt16, fragment: Span<UInt8>, into room: inout [UInt8]
  ) -> Opened {
    guard fragment.count <= UInt16.max else { return .failed }
    let missing = fragment.count + 16 - room.count
    if missing > 0 { room.append(contentsOf: repeatElement(0, count: missing)) }
    let opened = room.withUnsafeMutableBufferPointer { room -> Opened in
      guard let room = room.baseAddress else { return .failed }
      return fragment.withUnsafeBufferPointer { fragment in
        switch mode {
        case .tls13(let suite, _):
          return openSealed13(suite, type: type, version: version, fragment, room)
        case .sealed(let suite, let hasExplicitNonce):
          return openSealed(suite, hasExplicitNonce, type: type, version: version, fragment, room)
        case .blocks(let hash, let size, let isChained, let encryptThenMAC):
          return openBlocks(hash, size, isChained, encryptThenMAC, type: type, version: version, fragment, room)
        case .plain(let hash):
          return openPlain(hash, type: type, version: version, fragment, room)
        }
      }
    }
    if opened != .failed { sequence &+= 1 }
    return opened
  }

  /// Each record begins with the end of the one before (TLS 1.0), or where that left the stream of RC4.
  package var isChained: Bool {
    if case .blocks(_, _, let isChained, _) = mode { isChained } else { stream != nil }
  }

  /// Goes on behind records that were not seen or could not be opened. TLS 1.0 needs a record's end to begin the next:
  /// it has that of the one that failed last, if any; of records that were not seen it has none, and the next will fail.
  /// RC4 needs the length of every record, and is lost for good where one was not seen.
  package mutating func skip(records: UInt64 = 1) {
    sequence &+= records
    if let failedChain { chain = failedChain }
    failedChain = nil
    if let failedStream { stream = failedStream }
    failedStream = nil
  }

  /// Goes on with the next secret (RFC 8446 §7.2), after a KeyUpdate message in this direction. False, and no change,
  /// before TLS 1.3.
  @discardableResult
  package mutating func updateKeys() -> Bool {
    guard case .tls13(let suite, let secret) = mode,
      let next = KeyDerivation.expand(secret, "traffic upd", count: suite.hash.byteCount, suite.hash),
      let keys = RecordOpener.keys(next, suite)
    else { return false }
    mode = .tls13(suite, next)
    cipher = keys.cipher
    salt = keys.salt
    sequence = 0
    return true
  }

  private static func keys(
    _ secret: SecretBytes, _ suite: ProtectionSuite
  ) -> (cipher: RecordCipher, salt: SecretBytes)? {
    guard let key = KeyDerivation.expand(secret, "key", count: suite.cipher.keyCount, suite.hash),
      let salt = KeyDerivation.expand(secret, "iv", count: 12, suite.hash),
      let cipher = RecordCipher(suite.cipher, tagCount: suite.tagCount, key: key)
    else { return nil }
    return (cipher, salt)
  }

  /// The salt, under the number if there is one.
  private func block(number: UInt64?) -> CipherBlock {
    var block = CipherBlock(repeating: 0)
    salt.withBytes { salt in
      for index in 0..<min(16, salt.count) { block[index] = salt[index] }
    }
    guard let number else { return block }
    for index in 0..<8 { block[4 + index] ^= UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) }
    return block
  }
}

extension RecordOpener {
  /// RFC 8446 §5.2: the type and the padding are inside, and the header is what is authenticated besides.
  private func openSealed13(
    _ suite: ProtectionSuite, type: UInt8, version: UInt16, _ fragment: UnsafeBufferPointer<UInt8>,
    _ room: UnsafeMutablePointer<UInt8>
  ) -> Opened {
    var count = fragment.count - suite.tagCount
    guard count > 0 else { return .failed }
    let data: InlineArray<5, UInt8> = [
      type, UInt8(truncatingIfNeeded: version >> 8), UInt8(truncatingIfNeeded: version),
      UInt8(truncatingIfNeeded: fragment.count >> 8), UInt8(truncatingIfNeeded: fragment.count),
    ]
    guard let cipher,
      cipher.open(
        nonce: block(number: sequence), data: data.span, sealed: UnsafeBufferPointer(rebasing: fragment[..<count]),
        tag: UnsafeBufferPointer(rebasing: fragment[count...]), into: room)
    else { return .failed }
    while count > 0, room[count - 1] == 0 { count -= 1 }
    return count > 0 ? .opened(type: room[count - 1], count: count - 1) : .opened(type: 0, count: 0)
  }

  /// RFC 5288, 6655 and 7905.
  private func openSealed(
    _ suite: ProtectionSuite, _ hasExplicitNonce: Bool, type: UInt8, version: UInt16,
    _ fragment: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutablePointer<UInt8>
  ) -> Opened {
    let start = hasExplicitNonce ? 8 : 0
    let count = fragment.count - start - suite.tagCount
    guard count >= 0 else { return .failed }
    var nonce = block(number: hasExplicitNonce ? nil : sequence)
    for index in 0..<start { nonce[4 + index] = fragment[index] }
    let data = numbered(type: type, version: version, count: count)
    guard let cipher,
      cipher.open(
        nonce: nonce, data: data.span, sealed: UnsafeBufferPointer(rebasing: fragment[start..<start + count]),
        tag: UnsafeBufferPointer(rebasing: fragment[(start + count)...]), into: room)
    else { return .failed }
    return .opened(type: type, count: count)
  }

  /// RFC 5246 §6.2.3.2, RFC 2246 §6.2.3.2 for the chain, and RFC 7366 for the MAC over what is encrypted.
  private mutating func openBlocks(
    _ hash: KeyedHash, _ size: Int, _ isChained: Bool, _ encryptThenMAC: Bool, type: UInt8, version: UInt16,
    _ fragment: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutablePointer<UInt8>
  ) -> Opened {
    let start = isChained ? 0 : size
    let macCount = hash.kind.byteCount
    let end = fragment.count - (encryptThenMAC ? macCount : 0)
    guard end - start >= size, (end - start) % size == 0 else { return .failed }
    var last = CipherBlock(repeating: 0)
    for index in 0..<size { last[index] = fragment[end - size + index] }
    if isChained { failedChain = last }
    var first = chain
    for index in 0..<start { first[index] = fragment[index] }

    if encryptThenMAC {
      let content = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: fragment[..<end]))
      guard
        isAuthentic(
          hash, numbered(type: type, version: version, count: end), content,
          UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: fragment[end...])))
      else { return .failed }
    }
    let blocks = UnsafeBufferPointer(rebasing: fragment[start..<end])
    guard let cipher, cipher.decrypt(first: first, blocks: blocks, into: room) else { return .failed }

    // The last byte says how many of the same value stand before it.
    let padding = Int(room[blocks.count - 1])
    let count = blocks.count - 1 - padding - (encryptThenMAC ? 0 : macCount)
    guard count >= 0 else { return .failed }
    for index in blocks.count - 1 - padding..<blocks.count where Int(room[index]) != padding { return .failed }
    if !encryptThenMAC {
      guard
        isAuthentic(
          hash, numbered(type: type, version: version, count: count),
          UnsafeRawBufferPointer(start: room, count: count),
          UnsafeRawBufferPointer(start: room + count, count: macCount))
      else { return .failed }
    }
    if isChained {
      chain = last
      failedChain = nil
    }
    return .opened(type: type, count: count)
  }

  /// RFC 5246 §6.2.3.1.
  private mutating func openPlain(
    _ hash: KeyedHash, type: UInt8, version: UInt16, _ fragment: UnsafeBufferPointer<UInt8>,
    _ room: UnsafeMutablePointer<UInt8>
  ) -> Opened {
    let macCount = hash.kind.byteCount
    let count = fragment.count - macCount
    guard count >= 0, let sealed = fragment.baseAddress else { return .failed }
    room.update(from: sealed, count: fragment.count)
    var next = stream
    next?.apply(to: UnsafeMutableBufferPointer(start: room, count: fragment.count))
    guard
      isAuthentic(
        hash, numbered(type: type, version: version, count: count), UnsafeRawBufferPointer(start: room, count: count),
        UnsafeRawBufferPointer(start: room + count, count: macCount))
    else {
      failedStream = next
      return .failed
    }
    stream = next
    failedStream = nil
    return .opened(type: type, count: count)
  }

  private func isAuthentic(
    _ hash: KeyedHash, _ data: InlineArray<13, UInt8>, _ content: UnsafeRawBufferPointer, _ mac: UnsafeRawBufferPointer
  ) -> Bool {
    var computed = InlineArray<48, UInt8>(repeating: 0)
    var span = computed.mutableSpan
    return span.withUnsafeMutableBytes { computed in
      let made = UnsafeMutableRawBufferPointer(rebasing: computed[..<hash.kind.byteCount])
      let isMade = data.span.withUnsafeBytes { hash.compute($0, content, into: made) }
      return isMade && made.elementsEqual(mac)
    }
  }

  /// What TLS before 1.3 authenticates besides the content.
  private func numbered(type: UInt8, version: UInt16, count: Int) -> InlineArray<13, UInt8> {
    var data = InlineArray<13, UInt8>(repeating: 0)
    for index in 0..<8 { data[index] = UInt8(truncatingIfNeeded: sequence >> UInt64(56 - 8 * index)) }
    data[8] = type
    data[9] = UInt8(truncatingIfNeeded: version >> 8)
    data[10] = UInt8(truncatingIfNeeded: version)
    data[11] = UInt8(truncatingIfNeeded: count >> 8)
    data[12] = UInt8(truncatingIfNeeded: count)
    return data
  }
}
