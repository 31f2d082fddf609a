import Events

/// Every figure that rules compare with, in one table.
extension Threshold {
  static let clientHold = Threshold(
    "sniff.hold", .nanoseconds, 1_000_000_000, "a body held this long is worth a finding")

  static let tinyChunkCount = Threshold("chunked.tinyCount", .count, 50, "chunks of one body, most of them tiny")
  static let tinyChunkOverhead = Threshold(
    "chunked.tinyOverhead", .percent, 20, "share of size lines and line ends in a body on the wire")
  static let splitChunkCount = Threshold("chunked.splitCount", .count, 4, "chunks of one body written in pieces")
  static let splitChunkShare = Threshold("chunked.splitShare", .percent, 50, "share of chunks written in pieces")
  static let nagleStalls = Threshold(
    "chunked.nagleStalls", .count, 3, "writes on a connection that waited for a delayed acknowledgement")
  static let terminatorWait = Threshold(
    "chunked.terminatorWait", .nanoseconds, 500_000_000, "from the last chunk's line to the empty line after it")
  static let terminatorLate = Threshold(
    "chunked.terminatorLate", .nanoseconds, 200_000_000, "from the last data to the last chunk")
  static let emptyUpload = Threshold(
    "chunked.emptyUpload", .nanoseconds, 50_000_000, "an upload that ends this soon after it began")
  static let stalledUpload = Threshold(
    "chunked.stalledUpload", .nanoseconds, 10_000_000_000, "silence of an upload before its connection ended")
  static let earlyRefusal = Threshold(
    "chunked.earlyRefusal", .nanoseconds, 20_000_000, "more than a round trip from a request's head to its refusal")
  static let splitEvent = Threshold(
    "chunked.splitEvent", .nanoseconds, 100_000_000, "a pause between two chunks of one event")

  static let all: [Threshold] = [
    clientHold, tinyChunkCount, tinyChunkOverhead, splitChunkCount, splitChunkShare, nagleStalls, terminatorWait,
    terminatorLate, emptyUpload, stalledUpload, earlyRefusal, splitEvent,
  ]
}
