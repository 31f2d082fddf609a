import Citation

/// What was read, and how complete it is.
package struct CaptureRecord: Sendable {
  /// As named on the command line.
  package var file: String
  package var format = ""
  package var linkTypes: [String] = []
  package var packets: UInt64 = 0
  /// Of the file as it is on disk.
  package var bytes: UInt64 = 0
  /// As stamped on the first and last packet of the clock.
  package var firstTime: Timestamp?
  package var lastTime: Timestamp?
  /// False when the file was cut short, damaged, or reading was interrupted.
  package var isComplete = true
  package var problems: [String] = []
  /// Why it was not read, or not to its end.
  package var error: String?
  /// Of a series: its files, and which packets they hold.
  package var members: MemberTable?
  /// Of a series: files that were not read, or not to their end.
  package var unreadableMembers: UInt64 = 0
  /// Where the file ends too early, and after how many whole packets.
  package var cut: (offset: UInt64, packets: UInt64)?
  /// Packets that the capturing host reports as dropped.
  package var dropped: UInt64?
  /// Where, as far as that is known.
  package var losses: [CaptureLoss] = []
  package var snaplenCut: UInt64 = 0
  /// Packets with a time earlier than the packet before.
  package var timeReversals: UInt64 = 0
  package var undecoded: [(name: String, count: UInt64)] = []
  /// Of those, packets that may hold TCP: nobody can say that they do not.
  package var opaque: UInt64 = 0
  package var datagrams: UInt64 = 0
  /// Limits of the program that were reached.
  package var limits: [String] = []
  /// Packets that were not read for lack of memory: see `FlowTable`.
  package var unread: UInt64 = 0
  package var vantage: Vantage?

  package init(file: String) {
    self.file = file
  }

  package var duration: Int64 {
    guard let firstTime, let lastTime else { return 0 }
    return lastTime.since(firstTime)
  }
}

/// The totals of a run.
package struct Summary: Sendable {
  package var capture: CaptureRecord
  package var connections: UInt64 = 0
  package var exchanges: UInt64 = 0
  /// Responses that were streams of events.
  package var eventStreams: UInt64 = 0
  package var webSockets: UInt64 = 0
  /// Streams of all kinds: bodies of chunks, events or lines, and WebSockets.
  package var streams: UInt64 = 0
  /// TLS connections that were not decrypted.
  package var shutTLS: UInt64 = 0
  /// Those that the key log does not open, because their hellos were not captured or some secrets are missing.
  package var incompleteTLS: UInt64 = 0
  package var midstream: UInt64 = 0
  package var oneSided: UInt64 = 0
  package var withMissingBytes: UInt64 = 0
  package var missingBytes: UInt64 = 0
  package var retransmittedBytes: UInt64 = 0
  package var streamBytes: UInt64 = 0
  /// Connections with a diagnosis.
  package var hurt: UInt64 = 0
  package var findings: [Severity: UInt64] = [:]
  package var lint: UInt64 = 0
  /// Connections behind a proxy, and those in front of it that they belong to, by number.
  package var hops: [Int: Int] = [:]
  /// Exchanges that are uplink and downlink of each other.
  package var pairs: [ExchangeKey: ExchangeKey] = [:]
  /// Those with the most diagnoses first, then the busiest.
  package var endpoints: [EndpointRecord] = []
  /// Endpoints beyond the limit.
  package var endpointsCut: UInt64 = 0
  /// nil where nothing was left out by a condition or a time range. With one, findings, hurt connections and endpoints are
  /// of what was kept; everything else counts what was analysed.
  package var selection: SelectionRecord?
  /// The outcome of each assertion, in the given order.
  package var assertions: [AssertionResult] = []

  package init(capture: CaptureRecord) {
    self.capture = capture
  }
}
