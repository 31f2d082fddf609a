import Citation

/// Messages of the domain name system.
package enum DNSWire {
  /// The response that gives addresses for a name; each record may be kept for `seconds`.
  package static func response(
    _ name: String, _ addresses: [IPAddress], seconds: UInt32 = 60, flags: UInt16 = 0x8180
  ) -> [UInt8] {
    var bytes: [UInt8] = [0, 1] + flags.wire + [0, 1] + UInt16(addresses.count).wire + [0, 0, 0, 0]
    for label in name.split(separator: ".") { bytes += [UInt8(label.utf8.count)] + Array(label.utf8) }
    let type: UInt16 = addresses.first?.isV4 ?? true ? 1 : 28
    bytes += [0] + type.wire + [0, 1]
    for address in addresses {
      let data = address.wireBytes
      bytes += [0xC0, 0x0C] + UInt16(data.count == 4 ? 1 : 28).wire + [0, 1] + seconds.wire
      bytes += UInt16(data.count).wire + data
    }
    return bytes
  }

  /// `shop.example/10.0.0.2/10.0.0.3`
  static func response(_ words: Substring, seconds: UInt32) -> [UInt8] {
    let parts = words.split(separator: "/").map(String.init)
    return response(parts[0], parts.dropFirst().map { IPAddress($0) }, seconds: seconds)
  }
}
