import Synchronization

/// Which file of several a packet is in, and its number there.
///
/// Packets of a series are numbered on from file to file, those of several points in the order of their times; Wireshark
/// numbers each file from 1. Reading adds what it reads, so of a packet that was read the answer never changes.
package final class MemberTable: Sendable {
  package struct Member: Sendable {
    package var file: String
    /// Packets of the series before this file; nil where the files are beside one another.
    package var before: UInt64?
  }

  /// Of a recorder that is followed for long, the files before are forgotten.
  private static let limit = 1 << 16

  private struct Contents {
    var members: [Member] = []
    var points: PointRuns?
  }

  private let contents: Mutex<Contents>

  package init() { contents = Mutex(Contents()) }

  /// Files beside one another.
  package init(points: [String]) {
    contents = Mutex(
      Contents(members: points.map { Member(file: $0, before: nil) }, points: PointRuns(count: points.count)))
  }

  /// Packets after `before` are in this file, until the next is added.
  package func add(_ file: String, before: UInt64) {
    contents.withLock { contents in
      if contents.members.count >= Self.limit { contents.members.removeFirst(Self.limit / 2) }
      contents.members.append(Member(file: file, before: before))
    }
  }

  /// The next packets are of this point.
  package func add(_ packets: UInt64, ofPoint point: Int) {
    contents.withLock { $0.points?.add(packets, of: point) }
  }

  package var all: [Member] { contents.withLock { $0.members } }

  /// nil for 0, which is no packet, and for packets of a file that is forgotten.
  package func place(of packet: UInt64) -> (file: String, number: UInt64)? {
    contents.withLock { contents in
      if let points = contents.points {
        return points.place(of: packet).map { (contents.members[$0.point].file, $0.number) }
      }
      let members = contents.members
      var low = 0
      var high = members.count
      while low < high {
        let middle = (low + high) / 2
        if members[middle].before ?? 0 < packet { low = middle + 1 } else { high = middle }
      }
      guard low > 0 else { return nil }
      return (members[low - 1].file, packet - (members[low - 1].before ?? 0))
    }
  }
}
