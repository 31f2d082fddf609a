import Events

/// How a document and its run divide what they may hold together. One sixteenth stays free.
package struct DocumentMemory: Sendable {
  /// Unless set otherwise.
  package static let standard = 256 << 20

  package let exchanges: Int
  /// With their timelines.
  package let connections: Int
  /// What waits until it is known whether it is selected.
  package let selection: Int
  /// Connections that are open.
  package let open: Int

  package init(_ memory: Int = Self.standard) {
    exchanges = memory / 16 * 4
    connections = memory / 16 * 3
    selection = memory / 16 * 2
    open = memory / 16 * 6
  }
}

/// What a document may hold of each kind. What is beyond is left out and counted.
package struct DocumentBounds: Sendable {
  package static let standardItems = 200_000

  package var parts = DocumentParts.all
  /// Chunks, events and messages.
  package var items = Self.standardItems
  let memory: DocumentMemory
  private var connectionsHeld = 0

  /// Beyond two thirds of what connections may hold, timelines of those without a diagnosis are as long as this.
  private static let shortTimeline = 16

  package init(_ memory: DocumentMemory = DocumentMemory()) {
    self.memory = memory
  }

  /// Makes the timeline as short as what was kept before it demands.
  mutating func fit(_ record: inout ConnectionRecord) {
    if !record.timeline.isEmpty {
      if !parts.isSuperset(of: .timelines) {
        // Made anew: what is removed in its place leaves its room.
        record.timeline = parts.contains(.landmarks) ? record.timeline.filter(\.isLandmark).fitted : []
      }
      if !hasRoom(for: record, within: record.isHurt ? memory.connections : memory.connections / 3 * 2) {
        record.shortenTimeline(to: Self.shortTimeline)
        if !hasRoom(for: record, within: memory.connections) { record.shortenTimeline(to: 0) }
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
