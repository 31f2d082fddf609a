import TLSSemantics
import Testing

@Suite("Names and figures of TLS")
struct SemanticsTests {
  @Test("Versions, with those that nobody should use any more.")
  func versions() {
    let all: [(UInt16, String, Bool)] = [
      (0x0002, "SSL 2.0", true), (0x0300, "SSL 3.0", true), (0x0301, "TLS 1.0", true), (0x0302, "TLS 1.1", true),
      (0x0303, "TLS 1.2", false), (0x0304, "TLS 1.3", false), (0x7F1C, "TLS 1.3 draft 28", false),
      (0x0505, "version 0x0505", false),
    ]
    for (raw, name, isOld) in all {
      let version = TLSVersion(rawValue: raw)
      #expect(version.name == name && version.isOld == isOld)
    }
    #expect(TLSVersion(rawValue: 0x7F1C).isTLS13 && !TLSVersion.tls12.isTLS13)
  }

  @Test("GREASE is sixteen values.")
  func grease() {
    let all = (0...UInt16.max).filter(\.isGREASE)
    #expect(all.count == 16 && all.first == 0x0A0A && all.last == 0xFAFA)
  }

  @Test("Alerts say what they mean.")
  func alerts() throws {
    let texts: [[UInt8]] = [[2, 48], [1, 0], [2], [2, 0, 0], [9, 0]]
    let read = texts.map { TLSAlert($0.span) }
    #expect(read[2...] == [nil, nil, nil])
    let refusal = try #require(read[0])
    #expect(refusal.name == "unknown_ca" && refusal.isFatal(in: .tls12) && refusal.isAboutCertificate)
    let end = try #require(read[1])
    #expect(end.isCloseNotify && !end.isFatal(in: .tls13) && end.name == "close_notify")
    #expect(TLSAlert(level: 1, code: 112).isFatal(in: .tls13) && !TLSAlert(level: 1, code: 112).isFatal(in: .tls12))
    #expect(TLSAlert(level: 2, code: 200).name == "alert 200")
    // Every description of RFC 8446 §6.
    let listed: [UInt8] = [
      0, 10, 20, 22, 40, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 70, 71, 80, 86, 90, 109, 110, 112, 113, 115, 116, 120,
    ]
    for code in listed { #expect(!TLSAlert(level: 2, code: code).name.hasPrefix("alert")) }
  }

  @Test("What a record's length says about the plaintext.")
  func plaintext() {
    let rows: [(UInt16, TLSVersion, Int, ClosedRange<Int>?)] = [
      (0x1301, .tls13, 117, 100...100), (0x1303, .tls13, 17, 0...0), (0x1303, .tls13, 16, nil),
      (0x1305, .tls13, 109, 100...100), (0xC02F, .tls12, 124, 100...100), (0xCCA8, .tls12, 116, 100...100),
      (0xC09C, .tls12, 124, 100...100), (0xC0A0, .tls12, 116, 100...100),
      // Sixteen bytes of vector, twenty of MAC, and padding up to 16.
      (0x002F, .tls12, 64, 12...27), (0x002F, .tls10, 64, 28...43), (0x003C, .tls12, 64, 0...15),
      (0x002F, .tls12, 65, nil), (0x000A, .tls10, 24, 0...3), (0x0005, .tls12, 30, 10...10),
      (0x0001, .tls12, 30, 14...14), (0x9999, .tls12, 100, nil), (0x00FF, .tls12, 100, nil),
    ]
    for (code, version, length, expected) in rows {
      #expect(CipherSuite(rawValue: code).plaintext(ofBody: length, in: version) == expected)
    }
    let etm = CipherSuite(rawValue: 0x002F).plaintext(ofBody: 16 + 32 + 20, in: .tls12, encryptsThenMACs: true)
    #expect(etm == 16...31)
  }

  @Test("Code points have names, and those that nobody knows their number.")
  func names() {
    #expect(CipherSuite(rawValue: 0xC02F).name == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
    #expect(CipherSuite(rawValue: 0x1303).name == "TLS_CHACHA20_POLY1305_SHA256")
    #expect(CipherSuite(rawValue: 0xFFEE).name == "0xFFEE" && CipherSuite(rawValue: 0x0A0A).name == "GREASE")
    #expect(NamedGroup(rawValue: 0x11EC).name == "X25519MLKEM768" && NamedGroup(rawValue: 9).name == "0x0009")
    #expect(TLSExtension.keyShare.name == "key_share" && HandshakeType.finished.name == "Finished")
    #expect(TLSContentType(rawValue: 77).name == "content type 77")
  }
}

@Suite("JA4")
struct JA4Tests {
  /// What the method's authors publish for a browser, made from the lists that they publish with it.
  private static let suites: [UInt16] = [
    0x1301, 0x1302, 0x1303, 0xC02B, 0xC02F, 0xC02C, 0xC030, 0xCCA9, 0xCCA8, 0xC013, 0xC014, 0x009C, 0x009D, 0x002F,
    0x0035,
  ]
  private static let extensions: [UInt16] = [
    0x002D, 0x0012, 0x0000, 0x000B, 0x4469, 0x001B, 0xFF01, 0x0033, 0x000D, 0x0010, 0x0005, 0x000A, 0x0017, 0x002B,
    0x0023, 0x0015,
  ]
  private static let schemes: [UInt16] = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601]

  private func fingerprint(
    _ version: TLSVersion = .tls13, suites: [UInt16] = suites, extensions: [UInt16] = extensions,
    schemes: [UInt16] = schemes, name: [UInt8] = Array("h2".utf8)
  ) -> String {
    JA4.fingerprint(
      version: version, hasServerName: extensions.contains(0), cipherSuites: suites, extensions: extensions,
      signatureSchemes: schemes, firstProtocol: name)
  }

  @Test("The published example, with GREASE and shuffled.")
  func example() {
    let expected = "t13d1516h2_8daaf6152771_e5627efa2ab1"
    #expect(fingerprint() == expected)
    #expect(
      fingerprint(
        suites: [0x1A1A] + Self.suites.reversed(), extensions: [0x2A2A] + Self.extensions.reversed() + [0x3A3A],
        schemes: [0x4A4A] + Self.schemes) == expected)
    #expect(fingerprint(schemes: Self.schemes.reversed()) != expected)
  }

  @Test("Protocols, versions and counts at their edges.")
  func edges() {
    #expect(fingerprint(name: []).hasPrefix("t13d151600_"))
    #expect(fingerprint(name: Array("http/1.1".utf8)).hasPrefix("t13d1516h1_"))
    #expect(fingerprint(name: [0x68]).hasPrefix("t13d1516hh_"))
    #expect(fingerprint(name: [0xAB, 0xCD]).hasPrefix("t13d1516ad_"))
    #expect(fingerprint(name: [0x30, 0xAB]).hasPrefix("t13d15163b_"))
    #expect(fingerprint(.ssl3, suites: [], extensions: [], schemes: []) == "ts3i0000h2_000000000000_000000000000")
    #expect(fingerprint(.tls10, extensions: [0x0000], schemes: []).hasPrefix("t10d1501h2_"))
    #expect(fingerprint(.tls12, suites: Array(1...150)).hasPrefix("t12d9916h2_"))
    #expect(fingerprint(TLSVersion(rawValue: 0x0505)).hasPrefix("t00d"))
  }
}
