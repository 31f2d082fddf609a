/// A nonce of twelve bytes and more, or the first block of CBC.
typealias CipherBlock = InlineArray<16, UInt8>

#if OpenSSL
  import CCrypto

  /// One key of one of libcrypto's ciphers. Nothing remains of a record when the next one comes.
  ///
  /// `@unchecked Sendable` like its owner, RecordOpener.
  final class RecordCipher: @unchecked Sendable {
    private let kind: BulkCipher
    private let tagCount: Int
    private let context: OpaquePointer

    /// Nil if libcrypto lacks the cipher.
    init?(_ kind: BulkCipher, tagCount: Int, key: SecretBytes) {
      guard key.count == kind.keyCount, let name = RecordCipher.name(kind), let context = EVP_CIPHER_CTX_new() else {
        return nil
      }
      self.kind = kind
      self.tagCount = tagCount
      self.context = context
      guard let cipher = EVP_CIPHER_fetch(nil, name, nil) else {
        // deinit frees the context.
        ERR_clear_error()
        return nil
      }
      defer { EVP_CIPHER_free(cipher) }
      var isWell = EVP_DecryptInit_ex(context, cipher, nil, nil, nil) == 1
      if isWell, tagCount > 0 {
        isWell = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, nil) == 1
      }
      // CCM makes the tag's length part of the key's setup.
      if isWell, kind.isCCM {
        isWell = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tagCount), nil) == 1
      }
      isWell =
        isWell
        && key.withBytes { key in
          EVP_DecryptInit_ex(context, nil, nil, key.assumingMemoryBound(to: UInt8.self).baseAddress, nil) == 1
        }
      if isWell { EVP_CIPHER_CTX_set_padding(context, 0) }
      guard isWell else {
        ERR_clear_error()
        return nil
      }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Decrypts what is authentic; otherwise `room` holds nothing of use. It has room for all of `sealed`.
    func open(
      nonce: CipherBlock, data: Span<UInt8>, sealed: UnsafeBufferPointer<UInt8>, tag: UnsafeBufferPointer<UInt8>,
      into room: UnsafeMutablePointer<UInt8>
    ) -> Bool {
      guard tag.count == tagCount, let count = CInt(exactly: sealed.count), let input = sealed.baseAddress else {
        return false
      }
      // libcrypto only reads through this pointer; its call for all sorts of settings lacks the const.
      let expected = UnsafeMutableRawPointer(mutating: tag.baseAddress)
      let isWell = data.withUnsafeBufferPointer { data in
        var made: CInt = 0
        guard begin(nonce), EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tagCount), expected) == 1 else {
          return false
        }
        if kind.isCCM {
          // The whole length comes first, and the only call that decrypts is the one that checks.
          return EVP_DecryptUpdate(context, nil, &made, nil, count) == 1
            && EVP_DecryptUpdate(context, nil, &made, data.baseAddress, CInt(data.count)) == 1
            && EVP_DecryptUpdate(context, room, &made, input, count) == 1
        }
        return EVP_DecryptUpdate(context, nil, &made, data.baseAddress, CInt(data.count)) == 1
          && (count == 0 || EVP_DecryptUpdate(context, room, &made, input, count) == 1)
          && EVP_DecryptFinal_ex(context, room + sealed.count, &made) == 1
      }
      if !isWell { ERR_clear_error() }
      return isWell
    }

    /// Decrypts whole blocks of CBC, padding and all.
    func decrypt(
      first: CipherBlock, blocks: UnsafeBufferPointer<UInt8>, into room: UnsafeMutablePointer<UInt8>
    ) -> Bool {
      guard let count = CInt(exactly: blocks.count), blocks.count % kind.blockCount == 0 else { return false }
      var made: CInt = 0
      let isWell = begin(first) && EVP_DecryptUpdate(context, room, &made, blocks.baseAddress, count) == 1
      if !isWell { ERR_clear_error() }
      return isWell && made == count
    }

    private func begin(_ block: CipherBlock) -> Bool {
      block.span.withUnsafeBufferPointer { EVP_DecryptInit_ex(context, nil, nil, nil, $0.baseAddress) == 1 }
    }

    /// Nil for what is none of libcrypto's.
    private static func name(_ kind: BulkCipher) -> String? {
      switch kind {
      case .rc4, .none: nil
      case .aes128GCM: "AES-128-GCM"
      case .aes256GCM: "AES-256-GCM"
      case .aes128CCM: "AES-128-CCM"
      case .aes256CCM: "AES-256-CCM"
      case .chaCha20Poly1305: "ChaCha20-Poly1305"
      case .aes128CBC: "AES-128-CBC"
      case .aes256CBC: "AES-256-CBC"
      case .tripleDESCBC: "DES-EDE3-CBC"
      case .camellia128CBC: "CAMELLIA-128-CBC"
      case .camellia256CBC: "CAMELLIA-256-CBC"
      }
    }
  }
#else
  /// Stands where libcrypto is left out; there is never one.
  final class RecordCipher: Sendable {
    init?(_ kind: BulkCipher, tagCount: Int, key: SecretBytes) { return nil }

    func open(
      nonce: CipherBlock, data: Span<UInt8>, sealed: UnsafeBufferPointer<UInt8>, tag: UnsafeBufferPointer<UInt8>,
      into room: UnsafeMutablePointer<UInt8>
    ) -> Bool { false }

    func decrypt(
      first: CipherBlock, blocks: UnsafeBufferPointer<UInt8>, into room: UnsafeMutablePointer<UInt8>
    ) -> Bool { false }
  }
#endif
