import Synchronization

/// Which file of a series a packet is in, and its number there.
///
/// Packets of a series are numbered on from file to file; Wireshark numbers each file from 1. Reading adds a file when its
/// first packet is known, so of a packet that was read the answer never changes.
package final class MemberTable: Sendable {
  package struct Member: Sendable {
    package var file: String
    /// Packets of the series before this file.
    package var before: UInt64
  }

  private let members = Mutex<[Member]>([])

  package init() {}

  /// Packets after `before` are in this file, until the next is added.
  package func add(_ file: String, before: UInt64) {
    members.withLock { $0.append(Member(file: file, before: before)) }
  }

  package var all: [Member] { members.withLock { $0 } }

  /// nil for 0, which is no packet.
  package func place(of packet: UInt64) -> (file: String, number: UInt64)? {
    members.withLock { members in
      var low = 0
      var high = members.count
      while low < high {
        let middle = (low + high) / 2
        if members[middle].before < packet { low = middle + 1 } else { high = middle }
      }
      guard low > 0 else { return nil }
      return (members[low - 1].file, packet - members[low - 1].before)
    }
  }
}
