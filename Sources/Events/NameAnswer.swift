import Citation

/// A name server's answer to a client: a name and its addresses.
package struct NameAnswer: Sendable, Equatable {
  package var packet: PacketRef
  /// The client.
  package var client: IPAddress
  package var name: String
  /// Empty if the name does not exist, or has no address of the requested kind.
  package var addresses: [IPAddress]
  /// RCODE; 0 is no error.
  package var code: UInt8
  /// How long it may be kept, in seconds.
  package var timeToLive: UInt32
  /// The name may have addresses besides these.
  package var isPartial: Bool

  package init(
    packet: PacketRef, client: IPAddress, name: String, addresses: [IPAddress], code: UInt8, timeToLive: UInt32,
    isPartial: Bool
  ) {
    self.packet = packet
    self.client = client
    self.name = name
    self.addresses = addresses
    self.code = code
    self.timeToLive = timeToLive
    self.isPartial = isPartial
  }
}
