/// LINKTYPE_ numbers of capture files, as far as this program reads or names them.
enum LinkType {
  static let null: UInt16 = 0, ethernet: UInt16 = 1, ppp: UInt16 = 9, raw12: UInt16 = 12, raw14: UInt16 = 14
  static let pppHDLC: UInt16 = 50, pppoe: UInt16 = 51, raw: UInt16 = 101, ciscoHDLC: UInt16 = 104, wlan: UInt16 = 105
  static let loop: UInt16 = 108, cooked: UInt16 = 113, radiotap: UInt16 = 127, user2: UInt16 = 149
  static let pppWithDirection: UInt16 = 204, ipv4: UInt16 = 228, ipv6: UInt16 = 229, pktap: UInt16 = 258
  static let netfilterLog: UInt16 = 239, cooked2: UInt16 = 276

  /// The names of those and of some that people meet and that hold no IP.
  static let names: [UInt16: String] = [
    null: "BSD loopback", ethernet: "Ethernet", ppp: "PPP", raw12: "raw IP", raw14: "raw IP", pppHDLC: "PPP in HDLC",
    pppoe: "PPPoE", raw: "raw IP", ciscoHDLC: "Cisco HDLC", wlan: "802.11", loop: "OpenBSD loopback",
    cooked: "Linux SLL", radiotap: "802.11 radiotap", pppWithDirection: "PPP with direction", ipv4: "raw IPv4",
    ipv6: "raw IPv6", pktap: "PKTAP", cooked2: "Linux SLL2", 119: "Prism 802.11", 147: "user link type 0",
    187: "Bluetooth HCI", 189: "Linux USB", 192: "PPI", 195: "802.15.4", 201: "Bluetooth HCI with direction",
    220: "Linux USB (padded)", 227: "SocketCAN", netfilterLog: "NFLOG", 249: "USBPcap", 252: "Wireshark upper PDU",
    253: "netlink",
  ]
}

extension FrameDecoder {
  /// The name reports use; a number where there is none.
  package static func name(ofLinkType linkType: UInt16) -> String {
    LinkType.names[linkType] ?? "linktype \(linkType)"
  }
}
