import Citation
import Events

extension Interleaving {
  /// Counts a run when a byte of one body follows one of the other.
  mutating func take(_ isRequest: Bool, _ packet: PacketRef) {
    let wasRequest = requestRuns == responseRuns
    if first == nil {
      // Both bodies are open, and this is the first byte of a response's.
      guard !isRequest else { return }
      first = packet
      last = packet
      responseRuns = 1
      requestRuns = 0
      return
    }
    last = packet
    if isRequest, !wasRequest { requestRuns += 1 }
    if !isRequest, wasRequest { responseRuns += 1 }
  }
}
