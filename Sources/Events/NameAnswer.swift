import Trace

/// What a name server told a client: a name and its addresses.
package struct NameAnswer: Sendable, Equatable {
  package var packet: PacketRef
  /// Who was told.
  package var client: IPAddress
  package var name: String
  /// None where the name does not exist, or has none of the kind asked for.
  package var addresses: [IPAddress]
  /// RCODE; 0 is no error.
  package var code: UInt8

  package init(packet: PacketRef, client: IPAddress, name: String, addresses: [IPAddress], code: UInt8) {
    self.packet = packet
    self.client = client
    self.name = name
    self.addresses = addresses
    self.code = code
  }
}
