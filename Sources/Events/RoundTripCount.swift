import Citation
import TLSSemantics

extension ConnectionRecord {
  /// The round trips that the protocols themselves take before the first byte of an answer: the handshake of TCP, that of
  /// TLS, and the first request. nil where a part of that was not captured, or no answer came.
  package var roundTripsToFirstByte: Int? {
    guard !isMidstream, !isOneSided, opening?.answer != nil else { return nil }
    guard let tls else { return exchanges > 0 && sides.toClient.bytes > 0 ? 2 : nil }
    guard tls.phases.application[tls.client.opposite] != nil, let handshake = tls.handshakeRoundTrips else {
      return nil
    }
    return 2 + handshake
  }
}

extension TLSSession {
  /// Round trips until the client may send its first request; nil where the hellos were not captured.
  fileprivate var handshakeRoundTrips: Int? {
    guard let version, let isResumed else { return nil }
    let retry = phases.retry == nil ? 0 : 1
    if version.isTLS13 { return retry + (hellos.acceptsEarlyData == true ? 0 : 1) }
    if isResumed { return 1 }
    // False Start: the request goes out before the server's Finished is there.
    if let first = phases.application[client], let last = phases.finished[client.opposite], first.number < last.number {
      return 1
    }
    return 2
  }
}
