#if OpenSSL
  import CCrypto

  /// Protects the records of one direction under one secret, as a sender does: written from the RFCs, and with nothing of
  /// what it is to test.
  struct Sealer {
    enum Kind: CaseIterable {
      /// TLS_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_128_CBC_SHA in 1.2 and in 1.0.
      case gcm13, gcm12, cbc12, cbc10

      var is13: Bool { self == .gcm13 }
      var isCBC: Bool { self == .cbc12 || self == .cbc10 }
      var suite: [UInt8] {
        switch self {
        case .gcm13: [0x13, 0x01]
        case .gcm12: [0xC0, 0x2F]
        case .cbc12, .cbc10: [0x00, 0x2F]
        }
      }
      var version: [UInt8] { self == .cbc10 ? [3, 1] : [3, 3] }
    }

    let kind: Kind
    var sequence: UInt64 = 0
    private var secret: [UInt8] = []
    private var key: [UInt8] = []
    private var iv: [UInt8] = []
    private var mac: [UInt8] = []

    init(secret: [UInt8]) {
      kind = .gcm13
      self.secret = secret
      key = Self.expand(secret, "key", 16)
      iv = Self.expand(secret, "iv", 12)
    }

    init(_ kind: Kind, master: [UInt8], client: [UInt8], server: [UInt8], isClient: Bool) {
      self.kind = kind
      let block = Self.keyBlock(kind, master, Array("key expansion".utf8) + server + client)
      func part(_ start: Int, _ count: Int) -> [UInt8] {
        let from = start + (isClient ? 0 : count)
        return Array(block[from..<from + count])
      }
      if kind == .gcm12 {
        key = part(0, 16)
        iv = part(32, 4)
      } else {
        mac = part(0, 20)
        key = part(40, 16)
        iv = part(72, 16)
      }
    }

    /// RFC 8446 §7.2.
    mutating func update() {
      self = Sealer(secret: Self.expand(secret, "traffic upd", 32))
    }

    mutating func seal(_ type: UInt8, _ plain: [UInt8], padding: Int = 0) -> [UInt8] {
      defer { sequence += 1 }
      switch kind {
      case .gcm13:
        let inside = plain + [type] + [UInt8](repeating: 0, count: padding)
        let header = [23, 3, 3] + Self.number(inside.count + 16, 2)
        var nonce = iv
        for (index, byte) in Self.number(Int(sequence), 8).enumerated() { nonce[4 + index] ^= byte }
        return header + Self.encrypt("AES-128-GCM", key, nonce, header, inside)
      case .gcm12:
        let number = Self.number(Int(sequence), 8)
        let data = number + [type] + kind.version + Self.number(plain.count, 2)
        let body = number + Self.encrypt("AES-128-GCM", key, iv + number, data, plain)
        return [type] + kind.version + Self.number(body.count, 2) + body
      case .cbc12, .cbc10:
        let data = Self.number(Int(sequence), 8) + [type] + kind.version + Self.number(plain.count, 2)
        var inside = plain + Self.hmac("SHA1", mac, data + plain)
        let pad = 15 - inside.count % 16
        inside += [UInt8](repeating: UInt8(pad), count: pad + 1)
        let first = kind == .cbc10 ? iv : Self.number(Int(sequence) &* 77, 16)
        let sealed = Self.encrypt("AES-128-CBC", key, first, nil, inside)
        iv = Array(sealed.suffix(16))
        let body = kind == .cbc10 ? sealed : first + sealed
        return [type] + kind.version + Self.number(body.count, 2) + body
      }
    }

    static func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }

    /// RFC 8446 §7.1, for what one block of the hash is enough for.
    private static func expand(_ secret: [UInt8], _ label: String, _ count: Int) -> [UInt8] {
      let name = Array("tls13 \(label)".utf8)
      return Array(
        hmac("SHA256", secret, number(count, 2) + [UInt8(name.count)] + name + [0, 1]).prefix(count))
    }

    /// RFC 5246 §5, RFC 2246 §5.
    private static func keyBlock(_ kind: Kind, _ master: [UInt8], _ seed: [UInt8]) -> [UInt8] {
      guard kind == .cbc10 else { return blocks("SHA256", master, seed) }
      return zip(blocks("MD5", Array(master.prefix(24)), seed), blocks("SHA1", Array(master.suffix(24)), seed))
        .map { $0 ^ $1 }
    }

    private static func blocks(_ hash: String, _ secret: [UInt8], _ seed: [UInt8]) -> [UInt8] {
      var all: [UInt8] = []
      var chain = seed
      while all.count < 128 {
        chain = hmac(hash, secret, chain)
        all += hmac(hash, secret, chain + seed)
      }
      return all
    }

    private static func hmac(_ hash: String, _ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
      var made = [UInt8](repeating: 0, count: 64)
      var count = 0
      let isMade = EVP_Q_mac(nil, "HMAC", nil, hash, nil, key, key.count, data, data.count, &made, 64, &count)
      precondition(isMade != nil)
      return Array(made[..<count])
    }

    /// With data to authenticate, the tag follows.
    private static func encrypt(
      _ name: String, _ key: [UInt8], _ iv: [UInt8], _ data: [UInt8]?, _ plain: [UInt8]
    ) -> [UInt8] {
      let context = EVP_CIPHER_CTX_new()
      let cipher = EVP_CIPHER_fetch(nil, name, nil)
      defer {
        EVP_CIPHER_free(cipher)
        EVP_CIPHER_CTX_free(context)
      }
      var made: CInt = 0
      var sealed = [UInt8](repeating: 0, count: plain.count)
      var tag = [UInt8](repeating: 0, count: 16)
      precondition(EVP_EncryptInit_ex(context, cipher, nil, key, iv) == 1)
      EVP_CIPHER_CTX_set_padding(context, 0)
      if let data { precondition(EVP_EncryptUpdate(context, nil, &made, data, CInt(data.count)) == 1) }
      precondition(plain.isEmpty || EVP_EncryptUpdate(context, &sealed, &made, plain, CInt(plain.count)) == 1)
      guard data != nil else { return sealed }
      precondition(EVP_EncryptFinal_ex(context, &tag, &made) == 1)
      precondition(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1)
      return sealed + tag
    }
  }
#endif
