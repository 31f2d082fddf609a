import Digests

/// The fingerprint of a ClientHello over TCP by the method JA4 of FoxIO: what the client's library is, whatever name it
/// asks for and in whatever order it shuffles what it offers.
///
/// `t13d1516h2_8daaf6152771_e5627efa2ab1`: version, whether a name is given, how many suites and extensions, the first
/// protocol; a digest of the suites; one of the extensions with the signature algorithms. GREASE counts nowhere.
package enum JA4 {
  package static func fingerprint(
    version: TLSVersion, hasServerName: Bool, cipherSuites: [UInt16], extensions: [UInt16],
    signatureSchemes: [UInt16], firstProtocol: [UInt8]
  ) -> String {
    let suites = cipherSuites.filter { !$0.isGREASE }
    let all = extensions.filter { !$0.isGREASE }
    let told = all.filter {
      $0 != TLSExtension.serverName.rawValue && $0 != TLSExtension.applicationProtocols.rawValue
    }
    let schemes = signatureSchemes.filter { !$0.isGREASE }
    var text = "t" + word(for: version) + (hasServerName ? "d" : "i") + count(suites.count) + count(all.count)
    text += ends(of: firstProtocol) + "_" + digest(list(suites.sorted()))
    var third = list(told.sorted())
    if !schemes.isEmpty { third += "_" + list(schemes) }
    return text + "_" + (told.isEmpty ? none : digest(third))
  }

  private static let none = "000000000000"

  private static func word(for version: TLSVersion) -> String {
    switch version {
    case .tls13: "13"
    case .tls12: "12"
    case .tls11: "11"
    case .tls10: "10"
    case .ssl3: "s3"
    case .ssl2: "s2"
    default: "00"
    }
  }

  private static func count(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(min(number, 99))" }

  /// The first and the last letter or digit of the protocol; where one of them is neither, the first and the last digit
  /// of its bytes in hexadecimal.
  private static func ends(of name: [UInt8]) -> String {
    guard let first = name.first, let last = name.last else { return "00" }
    if isAlphanumeric(first), isAlphanumeric(last) { return String(decoding: [first, last], as: UTF8.self) }
    return String([first].hex.prefix(1)) + String([last].hex.suffix(1))
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func list(_ values: [UInt16]) -> String {
    values.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)].hex }.joined(separator: ",")
  }

  private static func digest(_ text: String) -> String {
    text.isEmpty ? none : String(SHA256.digest(of: Array(text.utf8).span).hex.prefix(12))
  }
}
