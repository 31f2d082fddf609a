#if OpenSSL
  import CCrypto
  import TLSProtection

  /// Records under the secret that the server of RFC 8448 §3 sends application data with.
  enum SealedRecords {
    private static let secret: [UInt8] = [
      0xA1, 0x1A, 0xF9, 0xF0, 0x55, 0x31, 0xF8, 0x56, 0xAD, 0x47, 0x11, 0x6B, 0x45, 0xA9, 0x50, 0x32, 0x82, 0x04, 0xB4,
      0xF4, 0x4B, 0xFB, 0x6B, 0x3A, 0x4B, 0x4F, 0x1F, 0x3F, 0xCB, 0x63, 0x16, 0x43,
    ]
    /// What it is expanded to.
    private static let key: [UInt8] = [
      0x9F, 0x02, 0x28, 0x3B, 0x6C, 0x9C, 0x07, 0xEF, 0xC2, 0x6B, 0xB9, 0xF2, 0xAC, 0x92, 0xE3, 0x56,
    ]
    private static let iv: [UInt8] = [0xCF, 0x78, 0x2B, 0x88, 0xDD, 0x83, 0x54, 0x9A, 0xAD, 0xF1, 0xE9, 0x84]

    static var setup: RecordOpener.Setup {
      RecordOpener.make(suite: 0x1301, trafficSecret: SecretBytes(secret.span))
    }

    /// What stands behind the headers of so many records of so many bytes.
    static func make(size: Int, count: Int) -> [[UInt8]] {
      guard let context = EVP_CIPHER_CTX_new() else { return [] }
      defer { EVP_CIPHER_CTX_free(context) }
      EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nil)
      let plain = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) } + [23]
      return (0..<UInt64(count)).map { number in
        var nonce = iv
        for index in 4..<12 { nonce[index] ^= UInt8(truncatingIfNeeded: number >> UInt64(88 - 8 * index)) }
        let length = plain.count + 16
        let header: [UInt8] = [23, 3, 3, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
        var sealed = [UInt8](repeating: 0, count: length)
        var made: CInt = 0
        EVP_EncryptInit_ex(context, nil, nil, nil, nonce)
        EVP_EncryptUpdate(context, nil, &made, header, CInt(header.count))
        sealed.withUnsafeMutableBufferPointer { sealed in
          guard let start = sealed.baseAddress else { return }
          EVP_EncryptUpdate(context, start, &made, plain, CInt(plain.count))
          EVP_EncryptFinal_ex(context, start + plain.count, &made)
          EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, start + plain.count)
        }
        return sealed
      }
    }
  }
#endif
