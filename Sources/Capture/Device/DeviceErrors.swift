import CPcap
import Platform

/// Why a device cannot be opened, and what to do.
extension DeviceHandle {
  static func error(_ code: CInt, _ told: String, _ options: DeviceOptions) -> CaptureError {
    let name = options.name
    switch code {
    case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
      return CaptureError(name, "no permission to capture", fix: permissionFix)
    case PCAP_ERROR_NO_SUCH_DEVICE:
      return CaptureError(name, "no such device", fix: CaptureDevices.offer)
    case PCAP_ERROR_IFACE_NOT_UP:
      return CaptureError(name, "the device is down", fix: "bring it up with '\(PacketDevices.bringingUp(name))'")
    default:
      let reason = told.isEmpty ? String(cString: pcap_statustostr(code)) : told
      let isMemory = reason.contains("ring") || reason.contains("memory")
      return CaptureError(name, "cannot be opened: \(reason)", fix: isMemory ? "ask for a smaller buffer with -B" : nil)
    }
  }

  private static var permissionFix: String {
    let program = Program.path ?? "streamscope"
    let isPlain = program.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"'\"\\$`*?&;|<>()".utf8.contains($0) }
    let quoted =
      isPlain
      ? program
      : "'"
        + program.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: #"'\''"#) + "'"
    return PacketDevices.permission(for: quoted)
  }
}
