import Citation
import TLSProtection
import TLSSemantics
import Testing

@Suite(.enabled(if: isTLSProtectionBuiltIn)) struct CertificateTests {
  private static let certificates: [String: [UInt8]] = {
    var all: [String: [UInt8]] = [:]
    for line in VectorConnection.lines(of: "certificates.txt") {
      let words = line.split(separator: " ")
      all[String(words[0])] = VectorConnection.bytes(words[1])
    }
    return all
  }()

  private func certificate(_ name: String) throws -> CertificateSummary {
    let der = try #require(Self.certificates[name])
    let summary = CertificateSummary(der: der.span)
    return try #require(summary)
  }

  @Test("who, from whom, until when and with which key")
  func fields() throws {
    let wildcard = try certificate("wildcard")
    #expect(wildcard.subjectCommonName == "www.example.com" && wildcard.subjectOrganization == "Example GmbH")
    #expect(wildcard.issuerCommonName == "Test Issuer 1" && !wildcard.isSelfSigned)
    #expect(wildcard.names == ["www.example.com", "*.Api.example.com", "*.com"] && wildcard.addresses.isEmpty)
    #expect(wildcard.notBefore == 1_704_067_200 && wildcard.notAfter == 2_019_686_400)
    #expect(wildcard.keyKind == .rsa && wildcard.keyBits == 2048)

    let addresses = try certificate("addresses")
    #expect(addresses.names == ["gateway.test"])
    #expect(addresses.addresses.map(\.description) == ["192.0.2.7", "2001:db8::7"])
    #expect(addresses.keyKind == .ellipticCurve && addresses.keyBits == 256)
    #expect(addresses.omittedNames == 0 && addresses.subjectOrganization == nil)

    let old = try certificate("no-alternatives")
    #expect(old.names.isEmpty && old.subjectCommonName == "old.example.com" && old.keyBits == 384)

    let expired = try certificate("expired")
    #expect(expired.notBefore == 1_549_166_706 && expired.notAfter == 1_583_020_799)

    let far = try certificate("far")
    #expect(far.notBefore == -315_619_200 && far.notAfter == 253_402_300_799)

    let own = try certificate("self-signed")
    #expect(own.isSelfSigned && own.issuerCommonName == "localhost" && own.keyKind == .ed25519)

    let nameless = try certificate("nameless")
    #expect(nameless.subjectCommonName == nil && nameless.issuerCommonName == nil)
  }

  @Test(
    "which hosts a certificate covers",
    arguments: [
      ("wildcard", "www.example.com", true), ("wildcard", "WWW.Example.COM.", true),
      ("wildcard", "example.com", false), ("wildcard", "a.api.example.com", true),
      ("wildcard", "a.b.api.example.com", false), ("wildcard", "api.example.com", false),
      ("wildcard", ".api.example.com", false), ("wildcard", "*.api.example.com", false),
      ("wildcard", "example.com.", false), ("wildcard", "", false), ("wildcard", ".", false),
      ("wildcard", "www.example.com\u{0}", false), ("wildcard", "192.0.2.7", false),
      ("addresses", "192.0.2.7", true), ("addresses", "192.0.2.8", false), ("addresses", "2001:DB8:0::7", true),
      ("addresses", "[2001:db8::7]", true), ("addresses", "2001:db8::8", false), ("addresses", "gateway.test", true),
      ("addresses", "gateway", false), ("no-alternatives", "old.example.com", false),
      ("self-signed", "localhost", true), ("self-signed", "LOCALHOST", true), ("self-signed", "local", false),
    ] as [(String, String, Bool)])
  func hosts(_ name: String, _ host: String, _ isCovered: Bool) throws {
    #expect(try certificate(name).covers(name: host) == isCovered)
  }

  @Test("a wildcard stands for a whole label, with two behind it")
  func wildcards() throws {
    var summary = try certificate("no-alternatives")
    for (name, host, isCovered) in [
      ("*.com", "example.com", false), ("*.", "a.", false), ("*", "a", false),
      ("w*.example.com", "www.example.com", false),
      ("*.*.com", "a.b.com", false), ("a.*.com", "a.b.com", false), ("*.example.com.", "a.example.com", true),
      ("*..com", "a..com", false), ("www.example.com\u{0}.evil.test", "www.example.com", false),
    ] {
      summary.names = [name]
      #expect(summary.covers(name: host) == isCovered, "\(name) \(host)")
    }
  }

  @Test("what is cut short or damaged is no certificate, or another one, but never a trap")
  func damage() throws {
    for (_, der) in Self.certificates {
      for length in 0..<der.count { #expect(!isCertificate(Array(der[..<length]))) }
      for index in der.indices {
        for mask in [0x01, 0x80, 0xFF] as [UInt8] {
          var other = der
          other[index] ^= mask
          _ = CertificateSummary(der: other.span)?.covers(name: "a.example.com")
        }
      }
    }
    #expect(!isCertificate([UInt8](repeating: 0x30, count: CertificateSummary.sizeLimit + 1)))
  }

  private func isCertificate(_ der: [UInt8]) -> Bool { CertificateSummary(der: der.span) != nil }
}
