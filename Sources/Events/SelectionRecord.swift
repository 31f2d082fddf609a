/// The selection of a run, as written, and how much it left out.
package struct SelectionRecord: Sendable, Equatable {
  package var condition: String?
  package var from: String?
  package var to: String?
  package var exchangesLeftOut: UInt64 = 0
  package var connectionsLeftOut: UInt64 = 0
  package var findingsLeftOut: UInt64 = 0
  /// Exchanges that were kept, and began before the capture or went on at its end.
  package var exchangesBeyond: UInt64 = 0

  package init() {}
}
