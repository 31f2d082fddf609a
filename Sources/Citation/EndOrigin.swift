/// Whether the FIN or RST that ended a connection looks like its sender's other packets.
package struct EndOrigin: Hashable, Sendable {
  package var timeToLive: UInt8
  /// That of the sender's newest packet before.
  package var usualTimeToLive: UInt8
  /// The IPv4 identification, and that of the newest packet before; nil where there is none.
  package var identification: UInt16?
  package var lastIdentification: UInt16?
  /// No packet of the sender that is remembered had this time to live.
  package var hasOtherTimeToLive: Bool
  /// It stands behind bytes of its sender that the capture does not show: there was more than is known.
  package var isAhead = false

  package init(
    timeToLive: UInt8, usualTimeToLive: UInt8, identification: UInt16?, lastIdentification: UInt16?,
    hasOtherTimeToLive: Bool
  ) {
    self.timeToLive = timeToLive
    self.usualTimeToLive = usualTimeToLive
    self.identification = identification
    self.lastIdentification = lastIdentification
    self.hasOtherTimeToLive = hasOtherTimeToLive
  }

  /// The identification does not continue the sender's series: it is behind, or far ahead.
  package var isOutOfSeries: Bool {
    guard let identification, let lastIdentification else { return false }
    return identification &- lastIdentification > 1_024
  }
}
