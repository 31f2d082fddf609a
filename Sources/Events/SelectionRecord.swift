/// The selection of a run, as written, and how much it left out.
package struct SelectionRecord: Sendable, Equatable {
  package var condition: String?
  package var from: String?
  package var to: String?
  package var exchangesLeftOut: UInt64 = 0
  package var connectionsLeftOut: UInt64 = 0
  package var findingsLeftOut: UInt64 = 0

  package init() {}
}
