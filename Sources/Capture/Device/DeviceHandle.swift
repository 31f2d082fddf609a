import CPcap
import Citation
import Platform

/// A device that libpcap has open: everything that talks to libpcap about it.
///
/// It never blocks inside of libpcap, whose timeouts mean something else on every system: waiting is done here.
final class DeviceHandle {
  /// The kernel delivers its blocks when they are full or this old.
  static let blockMilliseconds: CInt = 20

  let descriptor: Descriptor
  let linkType: UInt16
  let isNanosecond: Bool
  /// Whether packets are stamped by the clock of this system.
  let isStampedByHost: Bool
  /// Warnings: it works nevertheless.
  let warning: String?
  private let handle: OpaquePointer
  private let name: String

  init(_ options: DeviceOptions) throws(CaptureError) {
    name = options.name
    var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = pcap_create(options.name, &reason) else {
      throw CaptureError(options.name, DeviceHandle.text(reason))
    }
    self.handle = handle
    let isAny = options.name == "any"
    pcap_set_snaplen(handle, CInt(clamping: options.snapLength))
    pcap_set_promisc(handle, options.isPromiscuous && !isAny ? 1 : 0)
    pcap_set_timeout(handle, DeviceHandle.blockMilliseconds)
    pcap_set_buffer_size(handle, CInt(clamping: options.bufferBytes))
    pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
    isStampedByHost = !DeviceHandle.takeBestClock(handle)

    let code = pcap_activate(handle)
    let told = pcap_geterr(handle).map { String(cString: $0) } ?? ""
    guard code >= 0 else {
      pcap_close(handle)
      throw DeviceHandle.error(code, told, options)
    }
    // Some warnings only say that an optional feature is missing; only the others have a text.
    warning = code == PCAP_WARNING && !told.isEmpty ? told : nil
    // Two headers are offered for all devices together; the newer one names the device.
    if isAny { pcap_set_datalink(handle, CInt(LinkTypes.cooked2)) }
    linkType = LinkTypes.number(ofLibpcap: pcap_datalink(handle))
    isNanosecond = pcap_get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO
    descriptor = Descriptor(pcap_get_selectable_fd(handle))
    guard descriptor.number >= 0, pcap_setnonblock(handle, 1, &reason) == 0 else {
      pcap_close(handle)
      throw CaptureError(options.name, "cannot be polled: " + DeviceHandle.text(reason))
    }
  }

  deinit {
    pcap_close(handle)
  }

  /// Hardware that keeps the system's time stamps best. One with a time of its own would not go with anything else.
  private static func takeBestClock(_ handle: OpaquePointer) -> Bool {
    var types: UnsafeMutablePointer<CInt>?
    let count = pcap_list_tstamp_types(handle, &types)
    guard count > 0, let types else { return false }
    defer { pcap_free_tstamp_types(types) }
    let offered = UnsafeBufferPointer(start: types, count: Int(count))
    for type in [PCAP_TSTAMP_ADAPTER, PCAP_TSTAMP_HOST_HIPREC] where offered.contains(type) {
      return pcap_set_tstamp_type(handle, type) == 0 && type == PCAP_TSTAMP_ADAPTER
    }
    return false
  }

  // MARK: Packets

  /// Copies packets that are there into `bytes` from `filled` on, as long as the longest would fit and `limit` allows.
  func take(
    into bytes: UnsafeMutableRawBufferPointer, _ filled: inout Int, longest: Int, limit: UInt64,
    _ packet: (pcap_pkthdr, Int) -> Void
  ) throws(CaptureError) {
    var left = limit
    while bytes.count - filled >= longest, left > 0 {
      var header: UnsafeMutablePointer<pcap_pkthdr>?
      var data: UnsafePointer<UInt8>?
      let code = pcap_next_ex(handle, &header, &data)
      if code == 0 { return }
      guard code == 1, let header, let data else {
        if code == PCAP_ERROR_BREAK { return }
        throw ended()
      }
      let count = min(Int(header.pointee.caplen), longest)
      bytes.baseAddress?.advanced(by: filled).copyMemory(from: data, byteCount: count)
      packet(header.pointee, filled)
      filled += count
      left -= 1
    }
  }

  /// Waits until there is something to read, or an error; returns whether there is. A signal ends the wait, too.
  func wait(nanoseconds: Int64) -> Bool {
    descriptor.isReadable(within: nanoseconds)
  }

  /// Stops capturing; buffered packets can still be read.
  func shut() {
    PacketDevices.shut(descriptor)
  }

  /// Discards packets that arrived before the filter was set, which our counts do not include.
  func discard() {
    var header: UnsafeMutablePointer<pcap_pkthdr>?
    var data: UnsafePointer<UInt8>?
    // The last block is handed over when it is old enough.
    repeat {
      while pcap_next_ex(handle, &header, &data) == 1 {}
    } while wait(nanoseconds: 2 * Int64(DeviceHandle.blockMilliseconds) * 1_000_000)
  }

  func statistics() -> pcap_stat? {
    var statistics = pcap_stat()
    return pcap_stats(handle, &statistics) == 0 ? statistics : nil
  }

  func setFilter(_ expression: String) throws(CaptureError) {
    var program = bpf_program()
    guard pcap_compile(handle, &program, expression, 1, bpf_u_int32(UInt32.max)) == 0 else {
      throw CaptureError(
        name, "the filter '\(expression)' cannot be compiled: \(told)", fix: PacketFilter.hint(for: expression))
    }
    defer { pcap_freecode(&program) }
    guard pcap_setfilter(handle, &program) == 0 else {
      throw CaptureError(name, "the filter '\(expression)' cannot be used: \(told)")
    }
  }

  private var told: String { pcap_geterr(handle).map { String(cString: $0) } ?? "unknown error" }

  private func ended() -> CaptureError {
    CaptureError(name, "the capture has ended: \(told)", fix: "the report covers what came before")
  }

  private static func text(_ reason: [CChar]) -> String {
    String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
