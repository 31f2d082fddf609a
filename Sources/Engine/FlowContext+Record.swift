import Events

extension FlowContext {
  /// What is known of a connection that is over.
  convenience init(_ record: ConnectionRecord, _ thresholds: Thresholds) {
    var closing = Ending()
    closing.by =
      switch record.end.by {
      case .client: .toServer
      case .server: .toClient
      case .both, .none: nil
      }
    closing.at = record.end.packet
    closing.firstEnd = record.end.first
    closing.isReset = record.end.kind == .reset && record.end.first == record.end.packet
    closing.isOneSided = record.isOneSided
    self.init(
      id: record.id, client: record.client, server: record.server, firstPacket: record.firstPacket,
      isMidstream: record.isMidstream, roundTrip: record.roundTrip, closing: closing, opening: record.opening,
      isSecure: record.isSecure, number: record.number,
      serverName: record.serverName.map { ServerName($0, answer: record.namedBy) }, thresholds: thresholds)
  }
}
