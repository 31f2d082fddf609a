import Events

/// What a document may hold of each kind. What is beyond is left out and counted.
package struct DocumentBounds: Sendable {
  package static let standardItems = 200_000
  /// What a document and its run may hold together, unless set otherwise.
  package static let standardMemory = 256 << 20

  package var parts = DocumentParts.all
  /// Chunks, events and messages.
  package var items = Self.standardItems
  /// Bytes of exchanges, and of connections with their timelines.
  package let exchangeBytes: Int
  private let connectionBytes: Int
  private var connectionsHeld = 0

  /// Beyond two thirds of what connections may hold, timelines of those without a diagnosis are as long as this.
  private static let shortTimeline = 16

  package init(memory: Int = Self.standardMemory) {
    exchangeBytes = memory / 4
    connectionBytes = memory / 16 * 3
  }

  /// Makes the timeline as short as what was kept before it demands.
  mutating func fit(_ record: inout ConnectionRecord) {
    if !record.timeline.isEmpty {
      if !parts.isSuperset(of: .timelines) {
        record.timeline.removeAll { !parts.contains(.landmarks) || !$0.isLandmark }
      }
      if !hasRoom(for: record, within: record.isHurt ? connectionBytes : connectionBytes / 3 * 2) {
        record.shortenTimeline(to: Self.shortTimeline)
        if !hasRoom(for: record, within: connectionBytes) { record.shortenTimeline(to: 0) }
      }
    }
    connectionsHeld += record.documentBytes
  }

  private func hasRoom(for record: ConnectionRecord, within limit: Int) -> Bool {
    connectionsHeld + record.documentBytes <= limit
  }
}

extension ConnectionRecord {
  /// With what is not counted elsewhere: the record, and of a timeline the labels that do not fit into their entries.
  fileprivate var documentBytes: Int { 1_024 + heldBytes + timeline.count * 48 }

  /// Leaves out what lies between the beginning and the end.
  mutating func shortenTimeline(to limit: Int) {
    guard timeline.count > limit else { return }
    let end = limit / 4
    let left = limit - end..<timeline.count - end
    var cut = TimelineCut()
    cut.entries = UInt64(left.count)
    cut.packet = end > 0 ? timeline[left.upperBound].first.number : 0
    timeline = Array(timeline[..<left.lowerBound] + timeline[left.upperBound...])
    timelineCuts.append(cut)
  }
}
