import Citation
// Comparison compares two captures: the same traffic at two points, or two runs of the same thing. It reads what the
// engine reported for each and determines only what differs; Rules turn differences into findings.
//
//   Recording           what is kept of one capture
//   ExchangeMatcher     matches exchanges of the two captures
//   RelationFinder      two points, or two runs
//   ClockFit            offset and drift between the two clocks
//   HeadDifferences BodyDifferences SocketDifferences ConnectionDifferences   what differs
//   HoldMeasure         when each piece was at both points
//   Verdicts            identical, altered, slower …
//   FindingTally SharedFailures   findings in one capture only, and one failure seen in both
//   Comparer            runs all of them in order
import Events

/// Options of a comparison.
package struct ComparisonOptions: Sendable {
  /// nil to detect it.
  package var relation: CaptureRelation.Kind?
  package var thresholds = Thresholds()

  package init() {}
}
