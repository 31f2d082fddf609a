import Citation

/// Fields of RFC 9293 §3.1.
enum TCP {
  static let sequence = 4, acknowledgment = 8, dataOffset = 12, flags = 13, window = 14, urgentPointer = 18
  static let minimum = 20
  /// Everything reassembly needs: only the checksum and the urgent pointer come after it.
  static let needed = 16
}

extension FrameDecoder {
  mutating func tcp(_ bytes: Span<UInt8>, _ walk: inout Walk, into frame: inout DecodedFrame) -> Layer {
    guard walk.onWire >= TCP.minimum else { return .undecoded(.badTCP) }
    guard walk.captured >= TCP.needed else { return .undecoded(.cutTCP) }
    let header = Int(bytes[walk.offset &+ TCP.dataOffset] >> 4) &* 4
    guard header >= TCP.minimum, header <= walk.onWire else { return .undecoded(.badTCP) }
    write(bytes, header: header, walk, into: &frame)
    return .delivered
  }

  /// Writes the segment whose header stands at the walk's offset; at least `TCP.needed` bytes of it must be there.
  @inline(__always)
  func write(_ bytes: Span<UInt8>, header: Int, _ walk: Walk, into frame: inout DecodedFrame) {
    let at = walk.offset
    let optionsStart = min(at &+ TCP.minimum, walk.end)
    let payloadStart = min(at &+ header, walk.end)
    frame.content = .segment
    frame.segment.packet = walk.packet
    (frame.segment.key, frame.segment.sentByLower) = FlowKey.of(
      source: Endpoint(address: walk.source, port: bytes.u16(at)),
      destination: Endpoint(address: walk.destination, port: bytes.u16(at &+ 2)))
    frame.segment.flags = TCPFlags(rawValue: bytes[at &+ TCP.flags])
    frame.segment.window = bytes.u16(at &+ TCP.window)
    frame.segment.sequence = bytes.u32(at &+ TCP.sequence)
    frame.segment.acknowledgment = bytes.u32(at &+ TCP.acknowledgment)
    frame.segment.payloadOffset = walk.base &+ payloadStart
    frame.segment.payloadCaptured = walk.end &- payloadStart
    frame.segment.payloadLength = walk.onWire &- header
    frame.segment.optionsOffset = UInt32(truncatingIfNeeded: walk.base &+ optionsStart)
    frame.segment.optionsLength = UInt8(truncatingIfNeeded: payloadStart &- optionsStart)
    frame.segment.timeToLive = walk.timeToLive
    frame.segment.identification = walk.identification == 0 ? nil : walk.identification
    frame.segment.linkSource = walk.linkSource
    frame.segment.urgentPointer = walk.captured >= TCP.minimum ? bytes.u16(at &+ TCP.urgentPointer) : 0
    frame.segment.interface = walk.interface
    frame.segment.encapsulation = walk.encapsulation
  }

  /// A datagram, or the frame inside it where the port and the bytes say VXLAN or Geneve.
  mutating func udp(_ bytes: Span<UInt8>, _ walk: inout Walk, into frame: inout DecodedFrame) -> Layer {
    let at = walk.offset
    let header = 8
    guard walk.onWire >= header else { return .undecoded(.badUDP) }
    guard walk.captured >= header else { return .undecoded(.cutUDP) }
    let length = Int(bytes.u16(at &+ 4))
    // Zero is a jumbogram, or one that the network card was to cut up.
    guard length >= header || length == 0 else { return .undecoded(.badUDP) }
    if length != 0, length < walk.onWire { walk.limit(to: length) }
    walk.offset &+= header

    let destinationPort = bytes.u16(at &+ 2)
    if let inner = overlay(port: destinationPort, bytes, &walk) { return inner }
    datagrams &+= 1
    frame.content = .datagram
    frame.datagram =
      UDPDatagram(
        packet: walk.packet, source: Endpoint(address: walk.source, port: bytes.u16(at)),
        destination: Endpoint(address: walk.destination, port: destinationPort),
        payloadOffset: walk.base &+ walk.offset, payloadCaptured: walk.captured, payloadLength: walk.onWire,
        interface: walk.interface, encapsulation: walk.encapsulation)
    return .delivered
  }
}
