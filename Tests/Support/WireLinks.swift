import Citation
import Decode

/// The first headers of a frame, one function for each link type.
extension Wire {
  package static func ethernet(
    _ etherType: UInt16, _ payload: [UInt8], from source: [UInt8] = clientMAC, to destination: [UInt8] = serverMAC,
    padded: Bool = false
  ) -> [UInt8] {
    let frame = destination + source + etherType.wire + payload
    // 60 bytes, as a capture sees the shortest frame: its checksum stays in the network card.
    return frame + [UInt8](repeating: 0, count: padded ? max(0, 60 - frame.count) : 0)
  }

  /// Around an IP packet, typed by its version.
  package static func ethernet(
    _ datagram: [UInt8], from source: [UInt8] = clientMAC, to destination: [UInt8] = serverMAC, padded: Bool = false
  ) -> [UInt8] {
    ethernet(etherType(of: datagram), datagram, from: source, to: destination, padded: padded)
  }

  /// 0x0800 or 0x86DD.
  package static func etherType(of datagram: [UInt8]) -> UInt16 {
    datagram[0] >> 4 == 4 ? 0x0800 : 0x86DD
  }

  /// Linux SLL (link type 113).
  package static func cooked(_ etherType: UInt16, _ payload: [UInt8], from source: [UInt8] = clientMAC) -> [UInt8] {
    [0, 0, 0, 1, 0, UInt8(source.count)] + source + [UInt8](repeating: 0, count: 8 - source.count) + etherType.wire
      + payload
  }

  /// Linux SLL2 (link type 276).
  package static func cooked2(
    _ etherType: UInt16, _ payload: [UInt8], interface: UInt32 = 1, from source: [UInt8] = clientMAC
  ) -> [UInt8] {
    etherType.wire + [0, 0] + interface.wire + [0, 1, 0, UInt8(source.count)] + source
      + [UInt8](repeating: 0, count: 8 - source.count) + payload
  }

  /// NULL (link type 0), in the byte order of a little-endian machine unless set otherwise.
  package static func null(_ family: UInt32, _ payload: [UInt8], bigEndian: Bool = false) -> [UInt8] {
    (bigEndian ? family.wire : family.wire.reversed()) + payload
  }

  /// NFLOG (link type 239): fields of a type and a value, and then the packet.
  package static func netfilterLog(
    _ datagram: [UInt8], _ fields: [(type: UInt16, value: [UInt8])], bigEndian: Bool = false, brings: Bool = true
  ) -> [UInt8] {
    let short = { (value: UInt16) -> [UInt8] in bigEndian ? value.wire : value.wire.reversed() }
    let isV6 = datagram.first.map { $0 >> 4 == 6 } ?? false
    var bytes: [UInt8] = [isV6 ? 10 : 2, 0, 0, 5]
    var all = fields
    if brings { all.append((type: 9, value: datagram)) }
    for field in all {
      bytes += short(UInt16(field.value.count + 4))
      bytes += short(field.type)
      bytes += field.value
      bytes += [UInt8](repeating: 0, count: (4 - field.value.count % 4) % 4)
    }
    return bytes
  }

  /// An 802.11 data frame (link type 105) from a station to its access point.
  package static func wlan(
    _ llc: [UInt8], quality: Bool = false, bridged: Bool = false, control: UInt8 = 0, from source: [UInt8] = clientMAC
  ) -> [UInt8] {
    var header: [UInt8] = [quality ? 0x88 : 0x08, control | (bridged ? 0x03 : 0x01), 0, 0]
    header += serverMAC + source + serverMAC + [0x10, 0]
    header += bridged ? clientMAC : []
    return header + (quality ? [0, 0] : []) + llc
  }

  /// A radiotap header (link type 127) with a timestamp and the flags field.
  package static func radiotap(_ frame: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    [0, 0, 17, 0, 3, 0, 0, 0] + [UInt8](repeating: 0x55, count: 8) + [flags] + frame
  }

  /// Darwin's PKTAP (link type 258) around a frame of `linkType`.
  package static func processTap(_ linkType: UInt32, _ frame: [UInt8]) -> [UInt8] {
    let words: [UInt32] = [108, 1, linkType]
    return words.flatMap { $0.wire.reversed() } + [UInt8](repeating: 0, count: 96) + frame
  }
}
