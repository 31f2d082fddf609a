import Citation

/// Clock of a document: nanoseconds since its first packet, whose time of day it gives.
struct DocumentClock {
  /// Of the first packet. Without a time it is 1970, and `isKnown` says that this is no date.
  let origin: Timestamp
  let isKnown: Bool

  init(_ document: DocumentNode) {
    let first = document["capture"]?.text("firstTime").flatMap(ClockTime.parse)
    origin = first ?? .zero
    isKnown = first != nil
  }

  func time(_ nanoseconds: Int64) -> Timestamp {
    let (sum, overflows) = origin.nanoseconds.addingReportingOverflow(nanoseconds)
    return Timestamp(nanoseconds: overflows ? origin.nanoseconds : sum)
  }
}
