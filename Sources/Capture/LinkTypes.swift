import CPcap

/// The two numberings of link types: files have one (LINKTYPE_…), libpcap's interface another (DLT_…).
///
/// They agree except for a few old ones, for which the DLT numbers differ between systems.
enum LinkTypes {
  private static let toLibpcap: [UInt16: Int32] = [
    100: 11,  // ATM_RFC1483
    101: 12,  // RAW
    102: 15,  // SLIP_BSDOS
    103: 16,  // PPP_BSDOS
    106: 19,  // ATM_CLIP
    14: 12,  // RAW as OpenBSD numbers it
  ]

  static let cooked2: UInt16 = 276

  /// For a device, where libpcap gives its own number.
  static func number(ofLibpcap number: Int32) -> UInt16 {
    // The smaller of two that mean the same are OpenBSD's.
    toLibpcap.filter { $0.value == number }.keys.max() ?? UInt16(clamping: number)
  }

  static func libpcapNumber(of linkType: UInt16) -> Int32 {
    toLibpcap[linkType] ?? Int32(linkType)
  }

  /// For messages: `link type 127 (IEEE802_11_RADIO)`.
  static func name(of linkType: UInt16) -> String {
    guard let name = pcap_datalink_val_to_name(libpcapNumber(of: linkType)) else { return "link type \(linkType)" }
    return "link type \(linkType) (\(String(cString: name)))"
  }
}
