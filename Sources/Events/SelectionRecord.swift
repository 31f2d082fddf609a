/// What was asked for of a run, as it was written, and how much was left out because of it.
package struct SelectionRecord: Sendable, Equatable {
  package var condition: String?
  package var from: String?
  package var to: String?
  package var exchangesLeftOut: UInt64 = 0
  package var connectionsLeftOut: UInt64 = 0
  package var findingsLeftOut: UInt64 = 0

  package init() {}
}
