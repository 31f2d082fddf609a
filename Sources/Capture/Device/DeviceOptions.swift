/// What of which device is captured, and when that ends.
package struct DeviceOptions: Sendable {
  /// As the system calls it; "any" is all of them.
  package var name: String
  /// BPF, run by the kernel.
  package var filter: String?
  package var snapLength = CaptureLimits.packet
  /// What the kernel keeps for us while we are busy. libpcap's own 2 MiB last 20 ms of a full gigabit.
  package var bufferBytes = 16 << 20
  package var isPromiscuous = true
  /// Ends after so many packets, or so long after the beginning.
  package var packetLimit: UInt64?
  package var duration: Int64?

  package init(name: String) {
    self.name = name
  }
}
