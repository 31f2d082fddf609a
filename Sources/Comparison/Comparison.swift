import Citation
// Comparison holds two captures against each other: the same traffic at two points, or two runs of the same thing. It
// reads what the engine told of each, and judges nothing but what differs; findings are made of that by Rules.
//
//   Recording           what is kept of one capture
//   ExchangeMatcher     which exchange of one belongs to which of the other
//   RelationFinder      two points, or two runs
//   ClockFit            the clock of one on that of the other
//   HeadDifferences BodyDifferences SocketDifferences ConnectionDifferences   what differs
//   HoldMeasure         when each piece was at both points
//   Verdicts            the words for it
//   FindingTally SharedFailures   findings of one capture alone, and failures that are one
//   Comparer            all of them in their order
import Events

/// How a comparison is asked for.
package struct ComparisonOptions: Sendable {
  /// nil where the captures are to tell.
  package var relation: CaptureRelation.Kind?
  package var thresholds = Thresholds()

  package init() {}
}
