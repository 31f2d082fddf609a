#if OpenSSL
  import CCrypto

  /// HMAC (RFC 2104) over libcrypto's hashes, which everything here is made of: keys, and the MACs of CBC. libcrypto's own
  /// takes its key and hash as a list of parameters with pointers, and is not lighter: either way OpenSSL 3.0 allocates a
  /// state of some hundred bytes twice a message.
  ///
  /// `@unchecked Sendable` like its owner, RecordOpener.
  final class KeyedHash: @unchecked Sendable {
    let kind: HashKind
    private let context: OpaquePointer
    private let hash: OpaquePointer
    /// The key, filled up with zeros to a block, under the two masks.
    private let inner: SecretBytes
    private let outer: SecretBytes

    /// Nil if libcrypto has no such hash, or for a key that is longer than a block, which none of TLS is.
    init?(_ kind: HashKind, key: SecretBytes) {
      guard key.count <= kind.blockCount, let context = EVP_MD_CTX_new() else { return nil }
      guard let hash = EVP_MD_fetch(nil, KeyedHash.name(kind), nil) else {
        EVP_MD_CTX_free(context)
        ERR_clear_error()
        return nil
      }
      self.kind = kind
      self.context = context
      self.hash = hash
      func masked(_ mask: UInt8) -> SecretBytes {
        SecretBytes(count: kind.blockCount) { room in
          key.withBytes { room.copyMemory(from: $0) }
          for index in room.indices { room[index] ^= mask }
        }
      }
      inner = masked(0x36)
      outer = masked(0x5C)
    }

    deinit {
      EVP_MD_CTX_free(context)
      EVP_MD_free(hash)
    }

    /// The MAC of two pieces of memory after each other, which fills `result`.
    func compute(
      _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer
    ) -> Bool {
      guard result.count == kind.byteCount, let start = result.assumingMemoryBound(to: UInt8.self).baseAddress else {
        return false
      }
      let isWell =
        begin(inner) && update(first) && update(second) && EVP_DigestFinal_ex(context, start, nil) == 1
        && begin(outer) && update(UnsafeRawBufferPointer(result)) && EVP_DigestFinal_ex(context, start, nil) == 1
      if !isWell { ERR_clear_error() }
      return isWell
    }

    private func begin(_ block: SecretBytes) -> Bool {
      EVP_DigestInit_ex(context, hash, nil) == 1 && block.withBytes { update($0) }
    }

    private func update(_ bytes: UnsafeRawBufferPointer) -> Bool {
      bytes.isEmpty || EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }

    private static func name(_ kind: HashKind) -> String {
      switch kind {
      case .md5: "MD5"
      case .sha1: "SHA1"
      case .sha256: "SHA256"
      case .sha384: "SHA384"
      }
    }
  }
#else
  /// Stands where libcrypto is left out; there is never one.
  final class KeyedHash: Sendable {
    let kind: HashKind

    init?(_ kind: HashKind, key: SecretBytes) { return nil }

    func compute(
      _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer
    ) -> Bool { false }
  }
#endif
