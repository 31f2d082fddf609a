/// All rows of the family.
enum TCPRows {
  static let rows: [RuleRow] =
    ConnectRefusedRows.rows + OverlappingCopiesDifferRows.rows + ResetOutOfWindowRows.rows + endings + pauses
    + ConnectRows.rows + ChallengeAckRows.rows + ResetOfMessageRows.rows

  private static let endings: [RuleRow] =
    WriteAfterPeerFinRows.rows + ResetAfterFinRows.rows + ResetDiscardsResponseRows.rows + FinWithDataRows.rows
    + HalfCloseRows.rows
  private static let pauses: [RuleRow] =
    ZeroWindowRows.rows + RetransmissionGapRows.rows + DelayedAckStallRows.rows + KeepAliveRows.rows
    + CloseWaitRows.rows + SegmentBlackHoleRows.rows + PaceRows.rows + PathRows.rows + HostSilentRows.rows
}
