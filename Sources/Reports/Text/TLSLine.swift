import Citation
import Events
import TLSSemantics

/// A TLS connection in a line: version and suite, how long the handshake took, what was sent, and whether it was decrypted.
struct TLSLine {
  let session: TLSSession

  var parts: [String] {
    var parts: [String] = []
    parts.append(
      session.version.map { [$0.name, session.cipherSuite?.name].compactMap { $0 }.joined(separator: " ") }
        ?? (session.hellos.client == nil ? "TLS, handshake not captured" : "TLS, no answer"))
    if let name = session.applicationProtocol { parts.append("ALPN \(EscapedText.text(name))") }
    if let nanoseconds = session.phases.handshakeNanoseconds {
      let kind = session.isResumed.map { $0 ? "resumed" : "full" }.map { "\($0) " } ?? ""
      parts.append("\(kind)handshake \(Wording.duration(nanoseconds))")
    }
    parts += Direction.allCases.compactMap { direction in
      let profile = session.sides[direction].application
      guard profile.count > 0 else { return nil }
      return "\(direction == .toServer ? "up" : "down") \(Wording.count(profile.count, "record"))"
    }
    if let opening { parts.append(opening) }
    return parts
  }

  private var opening: String? {
    switch session.opening {
    case .noKeys: "not decrypted: no keys"
    case .unused: nil
    case .opened: "decrypted"
    case .failed(let record, let direction, _):
      "not decrypted: record \(record.index + 1) of \(Wording.sender(direction)) (#\(record.span.first.number)) cannot be decrypted"
    case .lost(let packet, _): "decrypted up to #\(packet.number): records are missing"
    case .unsupported(let suite): "not decrypted: \(suite.name) is not supported"
    case .unsupportedVersion(let version): "not decrypted: \(version.name) is not supported"
    case .compressed: "not decrypted: the records are compressed (TLS compression was negotiated)"
    case .notBuiltIn: "not decrypted: built without libcrypto"
    case .incomplete: "not decrypted: the keys for this connection are incomplete"
    }
  }
}
