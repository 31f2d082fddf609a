import CPcap
import Platform

/// A device that packets can be captured on.
package struct CaptureDeviceInfo: Sendable, Hashable {
  package var name: String
  package var about: String?
  /// As people write them, without what comes after a '%'.
  package var addresses: [String] = []
  package var isUp = false
  package var isRunning = false
  package var isLoopback = false
  package var isWireless = false
}

/// The devices of this system, in libpcap's order: the likeliest first.
package enum CaptureDevices {
  private static let offerLimit = 12

  package static func list() throws(CaptureError) -> [CaptureDeviceInfo] {
    var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    var first: UnsafeMutablePointer<pcap_if_t>?
    guard pcap_findalldevs(&first, &reason) == 0 else {
      let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw CaptureError("devices", "cannot be listed: \(text)")
    }
    defer { if let first { pcap_freealldevs(first) } }
    var devices: [CaptureDeviceInfo] = []
    var next = first
    while let entry = next?.pointee {
      devices.append(CaptureDeviceInfo(entry))
      next = entry.next
    }
    return devices
  }

  /// For the error about an unknown device.
  static var offer: String? {
    guard let devices = try? list(), !devices.isEmpty else { return nil }
    let names = devices.filter(\.isUp).map(\.name).prefix(offerLimit)
    return "available are \(names.joined(separator: ", ")); streamscope live -D lists them"
  }
}

extension CaptureDeviceInfo {
  fileprivate init(_ entry: pcap_if_t) {
    let has = { (flag: Int32) in entry.flags & bpf_u_int32(flag) != 0 }
    name = entry.name.map { String(cString: $0) } ?? ""
    about = entry.description.map { String(cString: $0) }
    isUp = has(PCAP_IF_UP)
    isRunning = has(PCAP_IF_RUNNING)
    isLoopback = has(PCAP_IF_LOOPBACK)
    isWireless = has(PCAP_IF_WIRELESS)
    var next = entry.addresses
    while let address = next?.pointee {
      if let address = address.addr, let text = PacketDevices.text(of: address) { addresses.append(text) }
      next = address.next
    }
  }
}
