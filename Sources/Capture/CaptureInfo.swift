import Citation

/// Metadata of a capture, as far as it was read.
package struct CaptureInfo: Sendable {
  package var format: CaptureFormat
  /// Those of all sections; an interface that a later section repeats keeps its place.
  package var interfaces: [CaptureInterface] = []
  /// In the order of their kinds and not of the file, because a filter notices its own a window later.
  package var problems: [CaptureProblem] = []
  /// Where packets were lost, as far as that is known; those of a device only.
  package var losses: [CaptureLoss] = []
  /// TLS key logs and their like, never printed; at most `CaptureLimits.secrets` bytes.
  package var secrets: [DecryptionSecrets] = []

  /// Of captures of several points: which of them each interface is of. Empty for one.
  package var points: [UInt8] = []
  /// Of several files: which packets they hold.
  package var members: MemberTable?
  /// Of a series: files that were not read, or not to their end.
  package var unreadableMembers: UInt64 = 0

  package init(format: CaptureFormat) {
    self.format = format
  }

  /// Packets that the capturing host reports as dropped; nil if the file does not record it.
  package var dropped: UInt64? {
    var sum: UInt64?
    for interface in interfaces {
      for count in [interface.droppedByInterface, interface.droppedBySystem] {
        guard let count else { continue }
        sum = (sum ?? 0).addingCapped(count)
      }
    }
    return sum
  }

  /// Whether the file was read to its proper end.
  package var isComplete: Bool { unreadableMembers == 0 && !problems.contains { $0.endsTheCapture } }

  /// Adds a problem, or its count to the problem of the same kind that is already there.
  mutating func note(_ problem: CaptureProblem) {
    for index in problems.indices {
      if let sum = problems[index].adding(problem) {
        problems[index] = sum
        return
      }
    }
    let place = problems.firstIndex { problem.rank < $0.rank } ?? problems.count
    problems.insert(problem, at: place)
  }
}

/// The file format.
package struct CaptureFormat: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case pcap, pcapng
    /// A device, and no file.
    case live
  }
  package enum Compression: UInt8, Hashable, Sendable { case none, gzip, zstd }

  package var kind: Kind
  package var compression: Compression
  /// Of the first section, where there are several.
  package var isBigEndian: Bool
  /// Whether the file header declares nanoseconds; pcapng does so per interface.
  package var isNanosecond: Bool

  package init(
    _ kind: Kind, compression: Compression = .none, isBigEndian: Bool = false, isNanosecond: Bool = false
  ) {
    self.kind = kind
    self.compression = compression
    self.isBigEndian = isBigEndian
    self.isNanosecond = isNanosecond
  }

  /// As printed: `pcap`, `pcapng`, `pcap.gz`, `pcapng.zst`, `live`.
  package var name: String {
    let base = kind.rawValue
    switch compression {
    case .none: return base
    case .gzip: return base + ".gz"
    case .zstd: return base + ".zst"
    }
  }
}

/// One interface of the capture; a pcap file has exactly one.
package struct CaptureInterface: Hashable, Sendable {
  package var linkType: UInt16
  /// 0 means no limit.
  package var snapLength: UInt32
  package var clock: CaptureClock
  /// Texts are quoted from the file, at most `CaptureLimits.text` bytes each; printing them takes escaping.
  package var name: String?
  package var about: String?
  package var filter: String?
  package var system: String?
  package var hardware: String?
  /// Counts from the last statistics block, nil where it has none.
  package var received: UInt64?
  package var droppedByInterface: UInt64?
  package var droppedBySystem: UInt64?

  package init(linkType: UInt16, snapLength: UInt32 = 0, clock: CaptureClock = .microseconds, name: String? = nil) {
    self.linkType = linkType
    self.snapLength = snapLength
    self.clock = clock
    self.name = name
  }

  /// Without what was counted on it.
  var uncounted: CaptureInterface {
    var interface = self
    (interface.received, interface.droppedByInterface, interface.droppedBySystem) = (nil, nil, nil)
    return interface
  }

  /// Adds what was counted on the same interface in another file.
  mutating func addCounts(of other: CaptureInterface) {
    for count in [\CaptureInterface.received, \.droppedByInterface, \.droppedBySystem] {
      guard let more = other[keyPath: count] else { continue }
      self[keyPath: count] = (self[keyPath: count] ?? 0).addingCapped(more)
    }
  }

  /// Whether both are the same interface, whatever was counted on it.
  func isSame(as other: CaptureInterface) -> Bool {
    linkType == other.linkType && snapLength == other.snapLength && clock == other.clock && name == other.name
      && about == other.about && filter == other.filter && system == other.system && hardware == other.hardware
  }
}

/// Secrets that the file carries for decrypting its packets.
package struct DecryptionSecrets: Hashable, Sendable {
  /// The types pcapng registers that this program can use.
  package static let tlsKeyLog: UInt32 = 0x544C_534B

  package var type: UInt32
  package var bytes: [UInt8]

  package init(type: UInt32, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }
}

extension UInt64 {
  func addingCapped(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
