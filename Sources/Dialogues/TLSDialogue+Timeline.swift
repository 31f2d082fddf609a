import Citation
import Events
import TLSSemantics

// The handshake, and records that stay encrypted, as entries of the connection's timeline.
extension TLSDialogue {
  func tellMoment(_ message: HandshakeMessage, _ direction: Direction, into events: inout [Event]) {
    guard let label = label(of: message) else { return }
    tellMoment(label, direction, message.span.first, message.released, into: &events)
  }

  func tellMoment(
    _ label: String, _ direction: Direction, _ first: PacketRef, _ last: PacketRef, into events: inout [Event]
  ) {
    var entry = TimelineEntry(.handshake, direction, first)
    entry.last = last
    entry.label = label
    events.append(.moment(entry))
  }

  func tellMoment(
    _ record: TLSRecord, _ direction: Direction, plaintext size: Int, into events: inout [Event]
  ) {
    var entry = TimelineEntry(.records, direction, record.span.first, bytes: UInt64(size))
    entry.last = record.released
    entry.value = 1
    events.append(.moment(entry))
  }

  private func label(of message: HandshakeMessage) -> String? {
    switch message.body {
    case .clientHello(let hello):
      let name = hello.serverName.map { " for \($0.nameText)" } ?? " without a server name"
      return "ClientHello\(name)"
    case .serverHello(let hello):
      return hello.isHelloRetryRequest
        ? "HelloRetryRequest" : "ServerHello \(hello.version.name) \(hello.cipherSuite.name)"
    case .certificate(let list):
      return "Certificate, \(Wording.bytes(UInt64(list.byteCount)))"
    case .newSessionTicket: return "NewSessionTicket"
    case .keyUpdate: return "KeyUpdate"
    case .encryptedExtensions, .certificateRequest: return nil
    case .other: return message.type == .finished ? "Finished" : nil
    }
  }
}
