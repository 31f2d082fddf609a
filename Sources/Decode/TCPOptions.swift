import Citation

/// The options that matter to reassembly, read only where they are asked for (SYN segments, duplicate ACKs).
package struct TCPOptions: Sendable, Equatable {
  package var maximumSegmentSize: UInt16?
  package var windowScale: UInt8?
  package var selectiveAckPermitted = false
  package var selectiveAcks: [ClosedRange<UInt32>] = []
  package var timestamp: UInt32?
  package var timestampEcho: UInt32?
  package var hasFastOpen = false

  private enum Kind {
    static let end: UInt8 = 0, nop: UInt8 = 1, mss: UInt8 = 2, scale: UInt8 = 3, sackPermitted: UInt8 = 4,
      sack: UInt8 = 5, timestamps: UInt8 = 8, fastOpen: UInt8 = 34, experiment: UInt8 = 254
  }

  package init(_ bytes: Span<UInt8>) {
    let reader = ByteReader(bytes)
    var at = 0
    while let kind = reader.u8(at), kind != Kind.end {
      if kind == Kind.nop {
        at += 1
        continue
      }
      guard let length = reader.u8(at + 1).map(Int.init), length >= 2, reader.has(length, at: at) else { return }
      switch (kind, length) {
      case (Kind.mss, 4): maximumSegmentSize = reader.u16(at + 2)
      // RFC 7323 §2.3: a shift above 14 is used as 14.
      case (Kind.scale, 3): windowScale = reader.u8(at + 2).map { min($0, 14) }
      case (Kind.sackPermitted, 2): selectiveAckPermitted = true
      case (Kind.sack, 10...34):
        for block in stride(from: at + 2, to: at + length - 7, by: 8) {
          if let left = reader.u32(block), let right = reader.u32(block + 4), left <= right {
            selectiveAcks.append(left...right)
          }
        }
      case (Kind.timestamps, 10):
        timestamp = reader.u32(at + 2)
        timestampEcho = reader.u32(at + 6)
      case (Kind.fastOpen, _): hasFastOpen = true
      // RFC 7413's experimental form: 254 with the magic 0xF989.
      case (Kind.experiment, 4...): hasFastOpen = hasFastOpen || reader.u16(at + 2) == 0xF989
      default: break
      }
      at += length
    }
  }
}
