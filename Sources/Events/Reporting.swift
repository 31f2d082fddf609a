import Citation

/// Where a reporter's bytes go. Writing may fail, and then the run ends with a message.
package protocol ByteSink {
  mutating func write(_ bytes: [UInt8]) throws(ReportError)
}

/// Output that could not be written.
package struct ReportError: Error, Sendable {
  /// The reader is gone (a closed pipe): the run ends without a message.
  package var isClosedPipe: Bool
  package var what: String

  package init(_ what: String, isClosedPipe: Bool = false) {
    self.what = what
    self.isClosedPipe = isClosedPipe
  }
}

/// Something for reporters, in the order of the merger.
package enum ReportItem: Sendable {
  indirect case exchange(ExchangeRecord)
  indirect case connection(ConnectionRecord)
  indirect case finding(Finding)
  /// Only if a reporter asked for them; before the record of their connection.
  case piece(Shared<Item>)
  /// Only for live captures.
  indirect case loss(CaptureLoss)
  indirect case stall(StreamStall)
}

/// What a reporter knows before the first item.
package struct RunInfo: Sendable {
  package var version: String
  package var features: [String]
  package var file: String
  /// How the same packets are read again: captures of several points, and options with their values.
  package var points: [String] = []
  package var inputOptions: [(name: String, value: String)] = []
  /// The time of the first packet, where it is known when reporting begins.
  package var origin: Timestamp?
  /// The same for the same bytes, whatever the file is called.
  package var capture = ""
  /// What a fleet calls the host, the site and so on.
  package var labels: [(name: String, value: String)] = []
  /// Of a series: which file each packet is in.
  package var members: MemberTable?
  /// Packets as they come: of several documents of one run each has the figures so far.
  package var isLive = false
  /// Only some connections are reported, with any numbers.
  package var isSelected = false

  package init(version: String, features: [String], file: String) {
    self.version = version
    self.features = features
    self.file = file
  }
}

/// A pure converter of one run to one format. Copyable on purpose: noncopyable existentials do not work yet.
package protocol Reporter {
  mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError)
  mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError)
  mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError)
}
