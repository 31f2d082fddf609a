/// What to capture on which device, and when to stop.
package struct DeviceOptions: Sendable {
  /// As the system calls it; "any" is all of them.
  package var name: String
  /// BPF, run by the kernel.
  package var filter: String?
  package var snapLength = CaptureLimits.packet
  /// Size of the kernel's buffer. libpcap's own 2 MiB last 20 ms of a full gigabit.
  package var bufferBytes = 16 << 20
  package var isPromiscuous = true
  /// Ends after so many packets, or so long after the beginning.
  package var packetLimit: UInt64?
  package var duration: Int64?

  package init(name: String) {
    self.name = name
  }
}
