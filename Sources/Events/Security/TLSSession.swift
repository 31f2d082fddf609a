import Citation
import TLSSemantics

/// A TLS connection as rules and reports see it: what both sides sent, readable or decrypted, when, and the records.
/// Complete when it is handed over; what was never sent is nil.
package struct TLSSession: Sendable {
  package var hellos = TLSHellos()
  /// The direction of the TLS client's bytes, which need not be that of the TCP client.
  package var client = Direction.toServer
  /// Certificates of the server: readable before TLS 1.3, otherwise decrypted.
  package var certificate: ShownCertificate?
  /// Where the server asked the client for a certificate, and the client's answer where it had none to show.
  package var certificateRequest: ByteSpan?
  package var emptyCertificate: ByteSpan?
  package var phases = TLSPhases()
  package var sides = BothDirections(repeating: TLSSide())
  /// Of records that were not decrypted.
  package var turns = TLSTurns()
  package var beat = TLSBeat()
  /// In the order of the packets, at most `alertLimit`.
  package var alerts: [SeenAlert] = []
  package static let alertLimit = 16
  /// What was malformed in handshake messages, at most `flawLimit`.
  package var flaws: [Flaw] = []
  package static let flawLimit = 16
  /// Tickets or session IDs that the server gave for a later connection, at most `ticketLimit`.
  package var tickets: [IssuedTicket] = []
  package static let ticketLimit = 4
  /// The protocol chosen by ALPN.
  package var applicationProtocol: String?
  package var opening = TLSOpening.noKeys

  package init() {}

  package var version: TLSVersion? { hellos.server?.version }
  package var cipherSuite: CipherSuite? { hellos.server?.cipherSuite }
  /// The name that the client sent, as sent.
  package var serverName: String? { hellos.client?.serverName.map(\.nameText) }

  /// The session of an earlier connection was resumed; nil if unknown.
  package var isResumed: Bool? {
    guard let server = hellos.server, let client = hellos.client else { return nil }
    if server.version.isTLS13 { return server.acceptedPreSharedKey != nil }
    // Without a certificate there was no full handshake, whatever the session was known by.
    if certificate != nil { return false }
    guard let last = phases.finished[self.client] else { return nil }
    guard let answer = phases.finished[self.client.opposite] else {
      return sides[self.client.opposite].isLost ? nil : false
    }
    // Only an abbreviated handshake ends with the client's Finished.
    return client.offersResumption && answer.number < last.number
  }

  package struct Flaw: Sendable {
    package var flaw: HandshakeFlaw
    package var direction: Direction

    package init(_ flaw: HandshakeFlaw, _ direction: Direction) {
      self.flaw = flaw
      self.direction = direction
    }
  }

  package struct IssuedTicket: Sendable {
    package var packet: PacketRef
    package var ticket: TLSTicket
    /// In seconds; 0 if not given.
    package var lifetime: UInt32

    package init(packet: PacketRef, ticket: TLSTicket, lifetime: UInt32) {
      self.packet = packet
      self.ticket = ticket
      self.lifetime = lifetime
    }
  }
}

/// The hellos of both sides.
package struct TLSHellos: Sendable {
  package var client: ClientHello?
  /// The same again, because the server asked for another key share or a cookie.
  package var retry: ServerHello?
  package var secondClient: ClientHello?
  package var server: ServerHello?
  package var acceptsEarlyData: Bool?

  package init() {}
}

/// The certificates of a side, as far as they explain why a connection failed.
package struct ShownCertificate: Sendable {
  /// The first one; nil where it could not be read.
  package var leaf: CertificateSummary?
  package var count: Int
  package var byteCount: Int
  package var span: ByteSpan

  package init(leaf: CertificateSummary?, count: Int, byteCount: Int, span: ByteSpan) {
    self.leaf = leaf
    self.count = count
    self.byteCount = byteCount
    self.span = span
  }
}

/// Progress of a handshake: the packets that completed each step.
package struct TLSPhases: Sendable {
  package var clientHello: PacketRef?
  package var retry: PacketRef?
  package var serverHello: PacketRef?
  /// The end of the server's first flight.
  package var serverFlight: PacketRef?
  /// Bytes of that flight on the wire.
  package var serverFlightBytes: UInt64 = 0
  /// Each side's Finished; without keys, the record that must hold it.
  package var finished = BothDirections<PacketRef?>(repeating: nil)
  /// The first record with application data of each side; without keys in TLS 1.3, the first that must.
  package var application = BothDirections<PacketRef?>(repeating: nil)

  package init() {}

  /// From the ClientHello to the later Finished.
  package var handshakeNanoseconds: Int64? {
    guard let clientHello, let server = finished.toClient, let client = finished.toServer else { return nil }
    let last = server.number > client.number ? server : client
    return last.time.since(clientHello.time)
  }
}

package struct SeenAlert: Sendable {
  /// nil if it is encrypted and was not decrypted.
  package var alert: TLSAlert?
  package var direction: Direction
  package var span: ByteSpan
  package var released: PacketRef
  /// After both sides had finished the handshake.
  package var isAfterHandshake: Bool

  package init(
    _ alert: TLSAlert?, _ direction: Direction, _ span: ByteSpan, released: PacketRef, isAfterHandshake: Bool
  ) {
    self.alert = alert
    self.direction = direction
    self.span = span
    self.released = released
    self.isAfterHandshake = isAfterHandshake
  }
}

/// The outcome of decrypting the records.
package enum TLSOpening: Sendable, Equatable {
  /// No key log, or no secrets for this connection in it.
  case noKeys
  /// There are secrets, but no records that they protect.
  case unused
  case opened
  /// The first record that could not be decrypted although there are secrets; whether any was decrypted before.
  case failed(TLSRecord, Direction, hadOpened: Bool)
  /// Records are missing from the capture: from there on the direction cannot be decrypted.
  case lost(PacketRef, Direction)
  case unsupported(CipherSuite)
  /// SSL 3.0 and what came before it makes its keys in other ways.
  case unsupportedVersion(TLSVersion)
  /// There are secrets; inside the records everything is compressed, which nothing here undoes.
  case compressed
  /// This program was built without libcrypto.
  case notBuiltIn
  /// There are secrets, but the hellos were not captured, or some secrets are missing.
  case incomplete
}
