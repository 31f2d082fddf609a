import Citation
// PacketBuilder builds the frames that tests decode, with right lengths and checksums.
//
//   var packet = PacketBuilder(from: "10.0.0.1:40000", to: "10.0.0.2:80")
//   packet.flags = [.syn]
//   packet.options = TCPOption.maximumSegmentSize(1460)
//   let frame = packet.frame                        // Ethernet, IPv4 or IPv6 by the addresses, TCP
//   let answer = packet.reversed(flags: [.syn, .ack])
//   let file = pcap([(time: 0, bytes: frame), (time: 1_000_000, bytes: answer.frame)])
//
// Every layer is also a function from bytes to bytes in `Wire`, to be put inside each other at will:
//
//   Wire.ethernet(0x8100, Wire.vlan(7, 0x0800, packet.datagram))
//   Wire.cooked2(0x0800, packet.datagram)
//   Wire.fragments(of: packet.datagram, every: 512).map { Wire.ethernet($0) }
import Decode

/// One TCP packet: fields to set, bytes to read.
package struct PacketBuilder: Sendable {
  package var source: Endpoint
  package var destination: Endpoint
  package var flags: TCPFlags = [.ack]
  package var sequence: UInt32 = 0
  package var acknowledgment: UInt32 = 0
  package var window: UInt16 = 65_535
  package var urgentPointer: UInt16 = 0
  /// As on the wire; padded to whole words with zeros. `TCPOption` makes them.
  package var options: [UInt8] = []
  package var payload: [UInt8] = []
  package var timeToLive: UInt8 = 64
  /// IPv4 only.
  package var identification: UInt16 = 0

  package init(from source: Endpoint, to destination: Endpoint) {
    self.source = source
    self.destination = destination
  }

  package init(
    from source: Endpoint, to destination: Endpoint, flags: TCPFlags = [.ack], sequence: UInt32 = 0,
    acknowledgment: UInt32 = 0, payload: String = ""
  ) {
    self.init(from: source, to: destination)
    self.flags = flags
    self.sequence = sequence
    self.acknowledgment = acknowledgment
    self.payload = Array(payload.utf8)
  }

  /// The same packet with other flags, sent the other way, the numbers exchanged; without options and payload.
  package func reversed(flags: TCPFlags) -> PacketBuilder {
    var answer = PacketBuilder(from: destination, to: source)
    answer.flags = flags
    answer.sequence = acknowledgment
    let phantom: UInt32 = self.flags.contains(.syn) || self.flags.contains(.fin) ? 1 : 0
    answer.acknowledgment = sequence &+ UInt32(truncatingIfNeeded: payload.count) &+ phantom
    return answer
  }

  /// TCP header, options and payload.
  package var segment: [UInt8] {
    Wire.tcp(
      from: source, to: destination, flags: flags, sequence: sequence, acknowledgment: acknowledgment, window: window,
      urgentPointer: urgentPointer, options: options, payload: payload)
  }

  /// The IP packet.
  package var datagram: [UInt8] {
    Wire.ip(
      from: source.address, to: destination.address, protocol: 6, timeToLive: timeToLive,
      identification: identification, payload: segment)
  }

  /// The IP packet in an Ethernet frame, not padded.
  package var frame: [UInt8] { Wire.ethernet(datagram) }
}

/// TCP options as they stand on the wire; add them up.
package enum TCPOption {
  package static let nop: [UInt8] = [1]
  package static let selectiveAckPermitted: [UInt8] = [4, 2]

  package static func maximumSegmentSize(_ size: UInt16) -> [UInt8] { [2, 4] + size.wire }
  package static func windowScale(_ shift: UInt8) -> [UInt8] { [3, 3, shift] }
  package static func timestamps(_ value: UInt32, echo: UInt32 = 0) -> [UInt8] { [8, 10] + value.wire + echo.wire }
  package static func fastOpen(_ cookie: [UInt8] = []) -> [UInt8] { [34, UInt8(2 + cookie.count)] + cookie }

  package static func selectiveAcks(_ blocks: [ClosedRange<UInt32>]) -> [UInt8] {
    [5, UInt8(2 + 8 * blocks.count)] + blocks.flatMap { $0.lowerBound.wire + $0.upperBound.wire }
  }
}

/// A classic capture file, little-endian with nanoseconds; `time` is nanoseconds since the epoch. A frame longer than
/// `snapshotLength` is cut to it and keeps its true length in the record.
package func pcap(
  _ frames: [(time: UInt64, bytes: [UInt8])], linkType: UInt16 = 1, snapshotLength: UInt32 = 262_144
) -> [UInt8] {
  let word = { (value: UInt32) -> [UInt8] in value.wire.reversed() }
  var file = word(0xA1B2_3C4D) + [2, 0, 4, 0] + word(0) + word(0) + word(snapshotLength) + word(UInt32(linkType))
  for frame in frames {
    let captured = frame.bytes.prefix(Int(snapshotLength))
    file += word(UInt32(truncatingIfNeeded: frame.time / 1_000_000_000)) + word(UInt32(frame.time % 1_000_000_000))
    file += word(UInt32(captured.count)) + word(UInt32(frame.bytes.count)) + captured
  }
  return file
}
