import Citation
import Decode

/// Headers as functions: each puts its own in front of `payload`, with right lengths and checksums.
package enum Wire {
  package static let clientMAC: [UInt8] = [0x02, 0, 0, 0, 0, 0x0C]
  package static let serverMAC: [UInt8] = [0x02, 0, 0, 0, 0, 0x05]

  // MARK: Transport

  package static func tcp(
    from source: Endpoint, to destination: Endpoint, flags: TCPFlags = [.ack], sequence: UInt32 = 0,
    acknowledgment: UInt32 = 0, window: UInt16 = 65_535, urgentPointer: UInt16 = 0, options: [UInt8] = [],
    payload: [UInt8] = []
  ) -> [UInt8] {
    let padded = options + [UInt8](repeating: 0, count: (4 - options.count % 4) % 4)
    precondition(padded.count <= 40, "TCP has room for 40 bytes of options")
    var bytes = source.port.wire + destination.port.wire + sequence.wire + acknowledgment.wire
    bytes += [UInt8((20 + padded.count) / 4) << 4, flags.rawValue] + window.wire + [0, 0] + urgentPointer.wire
    bytes += padded + payload
    setChecksum(&bytes, at: 16, from: source.address, to: destination.address, protocol: 6)
    return bytes
  }

  package static func udp(from source: Endpoint, to destination: Endpoint, payload: [UInt8]) -> [UInt8] {
    var bytes = source.port.wire + destination.port.wire + UInt16(8 + payload.count).wire + [0, 0] + payload
    setChecksum(&bytes, at: 6, from: source.address, to: destination.address, protocol: 17)
    return bytes
  }

  /// An ICMP or ICMPv6 message, by the family of `source`; `rest` is the second word of its header.
  package static func icmp(
    from source: IPAddress, to destination: IPAddress, type: UInt8, code: UInt8, rest: UInt32 = 0, payload: [UInt8]
  ) -> [UInt8] {
    var bytes = [type, code, 0, 0] + rest.wire + payload
    if source.isV4 {
      bytes.replaceSubrange(2..<4, with: checksum(bytes).wire)
    } else {
      setChecksum(&bytes, at: 2, from: source, to: destination, protocol: 58)
    }
    return bytes
  }

  private static func setChecksum(
    _ bytes: inout [UInt8], at: Int, from source: IPAddress, to destination: IPAddress, protocol number: UInt8
  ) {
    let pseudo = source.wireBytes + destination.wireBytes + UInt32(bytes.count).wire + [0, 0, 0, number]
    bytes.replaceSubrange(at..<at + 2, with: checksum(pseudo + bytes).wire)
  }

  /// RFC 1071. Four words at once, which its §2 allows: in a build without optimization it was a fifteenth of all tests.
  package static func checksum(_ bytes: [UInt8]) -> UInt16 {
    let padded = bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    var sum: UInt64 = 0
    padded.withUnsafeBytes { memory in
      var index = 0
      while index < memory.count {
        let (more, overflow) = sum.addingReportingOverflow(
          UInt64(bigEndian: memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
        sum = overflow ? more &+ 1 : more
        index += 8
      }
    }
    while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
    return ~UInt16(truncatingIfNeeded: sum)
  }

  // MARK: Internet

  /// IPv4 or IPv6, by the family of `source`. `totalLength` is for packets that lie about it.
  package static func ip(
    from source: IPAddress, to destination: IPAddress, protocol number: UInt8, timeToLive: UInt8 = 64,
    identification: UInt16 = 0, fragment: UInt16 = 0, options: [UInt8] = [], totalLength: UInt16? = nil,
    payload: [UInt8]
  ) -> [UInt8] {
    guard source.isV4 else {
      return [0x60, 0, 0, 0] + (totalLength ?? UInt16(payload.count)).wire + [number, timeToLive] + source.wireBytes
        + destination.wireBytes + payload
    }
    let length = 20 + options.count
    precondition(options.count % 4 == 0 && length <= 60, "IPv4 options are whole words, at most ten")
    var header = [0x40 | UInt8(length / 4), 0] + (totalLength ?? UInt16(length + payload.count)).wire
    header += identification.wire + fragment.wire + [timeToLive, number, 0, 0] + source.wireBytes
    header += destination.wireBytes + options
    header.replaceSubrange(10..<12, with: checksum(header).wire)
    return header + payload
  }

  /// An IPv6 extension header of the common form; `body` is padded to whole units of eight.
  package static func extensionHeader(next: UInt8, body: [UInt8] = [], payload: [UInt8]) -> [UInt8] {
    let units = (2 + body.count + 7) / 8
    let padding = [UInt8](repeating: 0, count: units * 8 - 2 - body.count)
    return [next, UInt8(units - 1)] + body + padding + payload
  }

  /// The IPv6 fragment header; `offset` in bytes.
  package static func fragmentHeader(
    next: UInt8, offset: Int, hasMore: Bool, identification: UInt32, payload: [UInt8]
  ) -> [UInt8] {
    [next, 0] + (UInt16(offset) | (hasMore ? 1 : 0)).wire + identification.wire + payload
  }

  /// A datagram made by `ip` without options cut into fragments, in order. `size` is rounded down to whole eights.
  package static func fragments(of datagram: [UInt8], every size: Int, identification: UInt32 = 1) -> [[UInt8]] {
    let isV4 = datagram[0] >> 4 == 4
    let payload = Array(datagram[(isV4 ? 20 : 40)...])
    let step = max(8, size / 8 * 8)
    return stride(from: 0, to: payload.count, by: step).map { offset in
      let end = min(offset + step, payload.count)
      return fragment(
        of: datagram, offset: offset, bytes: Array(payload[offset..<end]), hasMore: end < payload.count,
        identification: identification)
    }
  }

  /// One fragment that claims to be part of `datagram`, with whatever bytes at whatever offset.
  package static func fragment(
    of datagram: [UInt8], offset: Int, bytes: [UInt8], hasMore: Bool, identification: UInt32 = 1
  ) -> [UInt8] {
    let address = { (range: Range<Int>) -> UInt64 in datagram[range].reduce(0) { $0 << 8 | UInt64($1) } }
    if datagram[0] >> 4 == 4 {
      return ip(
        from: IPAddress(v4: UInt32(address(12..<16))), to: IPAddress(v4: UInt32(address(16..<20))),
        protocol: datagram[9], timeToLive: datagram[8], identification: UInt16(truncatingIfNeeded: identification),
        fragment: UInt16(offset / 8) | (hasMore ? 0x2000 : 0), payload: bytes)
    }
    let body = fragmentHeader(
      next: datagram[6], offset: offset, hasMore: hasMore, identification: identification, payload: bytes)
    return ip(
      from: IPAddress(high: address(8..<16), low: address(16..<24)),
      to: IPAddress(high: address(24..<32), low: address(32..<40)), protocol: 44, timeToLive: datagram[7],
      payload: body)
  }

  // MARK: Tunnels

  package static func gre(
    _ etherType: UInt16, checksum: Bool = false, key: UInt32? = nil, sequence: UInt32? = nil, payload: [UInt8]
  ) -> [UInt8] {
    let flags: UInt16 = (checksum ? 0x8000 : 0) | (key == nil ? 0 : 0x2000) | (sequence == nil ? 0 : 0x1000)
    var bytes = flags.wire + etherType.wire
    if checksum { bytes += [0, 0, 0, 0] }
    bytes += (key?.wire ?? []) + (sequence?.wire ?? []) + payload
    if checksum { bytes.replaceSubrange(4..<6, with: Wire.checksum(bytes).wire) }
    return bytes
  }

  package static func vxlan(_ network: UInt32, frame: [UInt8]) -> [UInt8] {
    [0x08, 0, 0, 0] + (network << 8).wire + frame
  }

  package static func geneve(_ network: UInt32, etherType: UInt16 = 0x6558, options: [UInt8] = [], payload: [UInt8])
    -> [UInt8]
  {
    precondition(options.count % 4 == 0, "Geneve options are whole words")
    return [UInt8(options.count / 4), 0] + etherType.wire + (network << 8).wire + options + payload
  }

  // MARK: Tags

  package static func vlan(_ identifier: UInt16, _ etherType: UInt16, _ payload: [UInt8]) -> [UInt8] {
    identifier.wire + etherType.wire + payload
  }

  package static func mpls(_ labels: [UInt32], _ payload: [UInt8]) -> [UInt8] {
    labels.enumerated().flatMap { index, label in
      (label << 12 | (index == labels.count - 1 ? 0x100 : 0) | 64).wire
    } + payload
  }

  /// A PPPoE session packet around an IP packet.
  package static func pppoe(_ datagram: [UInt8], session: UInt16 = 1) -> [UInt8] {
    [0x11, 0] + session.wire + UInt16(datagram.count + 2).wire + ppp(datagram)
  }

  /// The PPP protocol field and an IP packet.
  package static func ppp(_ datagram: [UInt8]) -> [UInt8] {
    [0x00, datagram[0] >> 4 == 4 ? 0x21 : 0x57] + datagram
  }

  package static func snap(_ etherType: UInt16, _ payload: [UInt8]) -> [UInt8] {
    [0xAA, 0xAA, 0x03, 0, 0, 0] + etherType.wire + payload
  }
}

extension FixedWidthInteger {
  /// The bytes in network order.
  package var wire: [UInt8] {
    (0..<Self.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }
}
