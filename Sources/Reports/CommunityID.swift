import Citation
import Digests

/// The Community ID flow hash, version 1 with seed 0, for TCP: the name that Zeek, Suricata and others give the same
/// flow (github.com/corelight/community-id-spec).
enum CommunityID {
  static func text(_ a: Endpoint, _ b: Endpoint) -> String {
    // The smaller address, then port, comes first; compared as bytes on the wire.
    let isOrdered = (a.address.high, a.address.low, a.port) < (b.address.high, b.address.low, b.port)
    let (first, second) = isOrdered ? (a, b) : (b, a)
    let tcp: UInt8 = 6
    var bytes: [UInt8] = [0, 0]
    bytes += first.address.wireBytes + second.address.wireBytes + [tcp, 0]
    for port in [first.port, second.port] { bytes += [UInt8(port >> 8), UInt8(port & 0xFF)] }
    return "1:" + SHA1.digest(of: bytes.span).base64
  }
}
