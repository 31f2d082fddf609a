/// How the records of a cipher suite are protected. The key exchange does not matter to whoever has the secret, so the
/// table is by protection, and each row has all the suites that differ in the exchange alone.
struct ProtectionSuite: Hashable, Sendable {
  var cipher: BulkCipher
  var tagCount: Int
  /// Of the key derivation in TLS 1.2 and 1.3.
  var hash: HashKind
  /// Of the records' MACs; with CBC, with RC4, and with no cipher at all.
  var mac: HashKind?
  var isTLS13 = false
  /// With these TLS 1.0 and 1.1 can be spoken, too.
  var isOld = false

  init(
    _ cipher: BulkCipher, tag: Int = 16, hash: HashKind = .sha256, mac: HashKind? = nil, isTLS13: Bool = false,
    isOld: Bool? = nil
  ) {
    self.cipher = cipher
    tagCount = mac == nil ? tag : 0
    self.hash = hash
    self.mac = mac
    self.isTLS13 = isTLS13
    self.isOld = isOld ?? (mac == .sha1 || mac == .md5)
  }

  /// Nil for a suite that records cannot be opened for.
  init?(_ code: UInt16) {
    guard let known = ProtectionSuite.all[code] else { return nil }
    self = known
  }

  /// https://www.iana.org/assignments/tls-parameters: by the order of the exchanges RSA, DH and DHE with DSS and RSA,
  /// anonymous; PSK, DHE_PSK, RSA_PSK; ECDH and ECDHE with ECDSA and RSA, anonymous; ECDHE_PSK; SRP.
  private static let table: [(ProtectionSuite, [UInt16])] = [
    (ProtectionSuite(.aes128GCM, isTLS13: true), [0x1301]),
    (ProtectionSuite(.aes256GCM, hash: .sha384, isTLS13: true), [0x1302]),
    (ProtectionSuite(.chaCha20Poly1305, isTLS13: true), [0x1303]),
    (ProtectionSuite(.aes128CCM, isTLS13: true), [0x1304]),
    (ProtectionSuite(.aes128CCM, tag: 8, isTLS13: true), [0x1305]),
    (
      ProtectionSuite(.aes128CBC, mac: .sha1),
      [
        0x002F, 0x0030, 0x0031, 0x0032, 0x0033, 0x0034, 0x008C, 0x0090, 0x0094, 0xC004, 0xC009, 0xC00E, 0xC013, 0xC018,
        0xC035, 0xC01D, 0xC01E, 0xC01F,
      ]
    ),
    (
      ProtectionSuite(.aes256CBC, mac: .sha1),
      [
        0x0035, 0x0036, 0x0037, 0x0038, 0x0039, 0x003A, 0x008D, 0x0091, 0x0095, 0xC005, 0xC00A, 0xC00F, 0xC014, 0xC019,
        0xC036, 0xC020, 0xC021, 0xC022,
      ]
    ),
    (
      ProtectionSuite(.aes128CBC, mac: .sha256),
      [0x003C, 0x003E, 0x003F, 0x0040, 0x0067, 0x006C, 0xC023, 0xC025, 0xC027, 0xC029]
    ),
    (ProtectionSuite(.aes256CBC, mac: .sha256), [0x003D, 0x0068, 0x0069, 0x006A, 0x006B, 0x006D]),
    (
      ProtectionSuite(.aes256CBC, hash: .sha384, mac: .sha384),
      [0xC024, 0xC026, 0xC028, 0xC02A]
    ),
    // RFC 5487 §3 and RFC 5489 §4 allow these in older versions, which make keys in their own way.
    (ProtectionSuite(.aes128CBC, mac: .sha256, isOld: true), [0x00AE, 0x00B2, 0x00B6, 0xC037]),
    (ProtectionSuite(.aes256CBC, hash: .sha384, mac: .sha384, isOld: true), [0x00AF, 0x00B3, 0x00B7, 0xC038]),
    (
      ProtectionSuite(.aes128GCM),
      [
        0x009C, 0x009E, 0x00A0, 0x00A2, 0x00A4, 0x00A6, 0x00A8, 0x00AA, 0x00AC, 0xC02B, 0xC02D, 0xC02F, 0xC031, 0xD001,
      ]
    ),
    (
      ProtectionSuite(.aes256GCM, hash: .sha384),
      [
        0x009D, 0x009F, 0x00A1, 0x00A3, 0x00A5, 0x00A7, 0x00A9, 0x00AB, 0x00AD, 0xC02C, 0xC02E, 0xC030, 0xC032, 0xD002,
      ]
    ),
    (ProtectionSuite(.aes128CCM), [0xC09C, 0xC09E, 0xC0A4, 0xC0A6, 0xC0AC, 0xD005]),
    (ProtectionSuite(.aes256CCM), [0xC09D, 0xC09F, 0xC0A5, 0xC0A7, 0xC0AD]),
    (ProtectionSuite(.aes128CCM, tag: 8), [0xC0A0, 0xC0A2, 0xC0A8, 0xC0AA, 0xC0AE, 0xD003]),
    (ProtectionSuite(.aes256CCM, tag: 8), [0xC0A1, 0xC0A3, 0xC0A9, 0xC0AB, 0xC0AF]),
    (ProtectionSuite(.none, mac: .md5), [0x0001]),
    (
      ProtectionSuite(.none, mac: .sha1),
      [0x0002, 0x002C, 0x002D, 0x002E, 0xC001, 0xC006, 0xC00B, 0xC010, 0xC015, 0xC039]
    ),
    (ProtectionSuite(.none, mac: .sha256), [0x003B]),
    (ProtectionSuite(.none, mac: .sha256, isOld: true), [0x00B0, 0x00B4, 0x00B8, 0xC03A]),
    (ProtectionSuite(.none, hash: .sha384, mac: .sha384, isOld: true), [0x00B1, 0x00B5, 0x00B9, 0xC03B]),
    (ProtectionSuite(.rc4, mac: .md5), [0x0004, 0x0018]),
    (
      ProtectionSuite(.rc4, mac: .sha1),
      [0x0005, 0x0066, 0x008A, 0x008E, 0x0092, 0xC002, 0xC007, 0xC00C, 0xC011, 0xC016, 0xC033]
    ),
    (
      ProtectionSuite(.tripleDESCBC, mac: .sha1),
      [
        0x000A, 0x000D, 0x0010, 0x0013, 0x0016, 0x001B, 0x008B, 0x008F, 0x0093, 0xC003, 0xC008, 0xC00D, 0xC012, 0xC017,
        0xC01A, 0xC01B, 0xC01C, 0xC034,
      ]
    ),
    (ProtectionSuite(.camellia128CBC, mac: .sha1), [0x0041, 0x0042, 0x0043, 0x0044, 0x0045, 0x0046]),
    (ProtectionSuite(.camellia256CBC, mac: .sha1), [0x0084, 0x0085, 0x0086, 0x0087, 0x0088, 0x0089]),
    (
      ProtectionSuite(.camellia128CBC, mac: .sha256),
      [0x00BA, 0x00BB, 0x00BC, 0x00BD, 0x00BE, 0x00BF, 0xC072, 0xC074, 0xC076, 0xC078]
    ),
    (ProtectionSuite(.camellia256CBC, mac: .sha256), [0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5]),
    (ProtectionSuite(.camellia256CBC, hash: .sha384, mac: .sha384), [0xC073, 0xC075, 0xC077, 0xC079]),
    (ProtectionSuite(.chaCha20Poly1305), [0xCCA8, 0xCCA9, 0xCCAA, 0xCCAB, 0xCCAC, 0xCCAD, 0xCCAE]),
  ]

  static let all: [UInt16: ProtectionSuite] = {
    var all: [UInt16: ProtectionSuite] = [:]
    for (suite, codes) in table { for code in codes { all[code] = suite } }
    return all
  }()
}

enum BulkCipher: Hashable, Sendable {
  case aes128GCM, aes256GCM, aes128CCM, aes256CCM, chaCha20Poly1305
  case aes128CBC, aes256CBC, tripleDESCBC, camellia128CBC, camellia256CBC
  case rc4
  /// Records are as they are, with a MAC behind them.
  case none

  var keyCount: Int {
    switch self {
    case .none: 0
    case .aes128GCM, .aes128CCM, .aes128CBC, .camellia128CBC, .rc4: 16
    case .tripleDESCBC: 24
    case .aes256GCM, .aes256CCM, .chaCha20Poly1305, .aes256CBC, .camellia256CBC: 32
    }
  }

  /// What TLS 1.2 derives of the nonce; the rest of GCM's and CCM's is in each record.
  var saltCount: Int {
    switch self {
    case .aes128GCM, .aes256GCM, .aes128CCM, .aes256CCM: 4
    case .chaCha20Poly1305: 12
    case .aes128CBC, .aes256CBC, .tripleDESCBC, .camellia128CBC, .camellia256CBC: blockCount
    case .rc4, .none: 0
    }
  }

  /// The bytes of a block of CBC.
  var blockCount: Int { self == .tripleDESCBC ? 8 : 16 }

  var isCCM: Bool { self == .aes128CCM || self == .aes256CCM }
}

enum HashKind: Hashable, Sendable {
  case md5, sha1, sha256, sha384

  var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    }
  }

  var blockCount: Int { self == .sha384 ? 128 : 64 }
}
