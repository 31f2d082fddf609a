import Citation

extension CertificateSummary {
  /// Whether a client that asked for this host accepts the certificate's names (RFC 9525 §6, RFC 6125): a name as in
  /// SNI, with or without a dot at its end, or an address as text.
  ///
  /// Only alternative names count; the common name has not been taken for a host by any browser since 2017. A wildcard
  /// stands alone for one whole label and has at least two behind it. With `omittedNames`, false can be wrong.
  package func covers(name host: String) -> Bool {
    var host = host.utf8[...]
    if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
    if let address = IPAddress(text: host) { return addresses.contains(address) }
    if host.last == UInt8(ascii: ".") { host = host.dropLast() }
    guard CertificateSummary.isHostName(host) else { return false }
    return names.contains { name in
      var name = name.utf8[...]
      if name.last == UInt8(ascii: ".") { name = name.dropLast() }
      if CertificateSummary.equal(host, name) { return true }
      guard name.starts(with: "*.".utf8), let dot = host.firstIndex(of: UInt8(ascii: ".")) else { return false }
      let domain = name.dropFirst(2)
      return domain.contains(UInt8(ascii: ".")) && CertificateSummary.equal(host[host.index(after: dot)...], domain)
    }
  }

  /// Labels that are not empty, and no wildcard, which a host name cannot have.
  private static func isHostName(_ host: Substring.UTF8View) -> Bool {
    !host.isEmpty && host.count <= 253 && !host.contains(UInt8(ascii: "*"))
      && host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }

  private static func equal(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Bool {
    left.elementsEqual(right) { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}
