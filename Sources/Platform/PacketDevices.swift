#if canImport(Darwin)
  import CDarwin
  import Darwin
#else
  import CLinux
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#endif

/// What capturing on a device needs besides libpcap.
package enum PacketDevices {
  /// From now on the device that libpcap has open gets no packet; those that wait can still be read.
  package static func shut(_ descriptor: Descriptor) {
    #if canImport(Darwin)
      _ = cdarwin_take_no_more(descriptor.number)
    #else
      _ = clinux_take_no_more(descriptor.number)
    #endif
  }

  /// Whether libpcap's count of packets is of those that the filter lets through. BPF devices count all that pass.
  package static var countsFiltered: Bool {
    #if canImport(Darwin)
      return false
    #else
      return true
    #endif
  }

  /// What lets a user capture; `program` is quoted for a shell.
  package static func permission(for program: String) -> String {
    #if canImport(Darwin)
      return "run it with sudo, or let this user read /dev/bpf*, as ChmodBPF of Wireshark does"
    #else
      if UserAccount.isRoot {
        return "root lacks the capability: a container needs --cap-add NET_RAW --cap-add NET_ADMIN"
      }
      return "run it with sudo, or allow it permanently: sudo setcap cap_net_raw,cap_net_admin=eip \(program)"
    #endif
  }

  /// The command that brings a device up.
  package static func bringingUp(_ device: String) -> String {
    #if canImport(Darwin)
      return "ifconfig \(device) up"
    #else
      return "ip link set \(device) up"
    #endif
  }

  /// An address of a device as people write it, without a zone; nil for what is no IP address.
  package static func text(of address: UnsafePointer<sockaddr>) -> String? {
    let length: Int
    switch CInt(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else {
      return nil
    }
    return String(decoding: host.prefix { $0 != 0 && $0 != 0x25 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
