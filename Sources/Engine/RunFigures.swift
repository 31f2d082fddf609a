import Citation
import Events

/// What is counted over a run: of connections, exchanges and findings as they are told.
struct RunFigures: Sendable {
  /// Joined connections that are remembered.
  private static let hopLimit = 10_000

  private(set) var summary = Summary(capture: CaptureRecord(file: ""))
  /// Those that a diagnosis names, by number.
  private var hurt: Set<Int> = []
  private var vantages: [Vantage: UInt64] = [:]

  mutating func count(_ exchange: ExchangeRecord) {
    summary.exchanges += 1
    let isStream = exchange.response?.isReadByItem == true
    if isStream, exchange.response?.itemKind == .sse { summary.eventStreams += 1 }
    if isStream || exchange.request?.isReadByItem == true { summary.streams += 1 }
  }

  mutating func count(_ finding: Finding) {
    guard finding.isDiagnosis else {
      summary.lint += 1
      return
    }
    if let number = finding.connection { hurt.insert(number) }
    hurt.formUnion(finding.alsoOn)
    summary.findings[finding.severity, default: 0] += 1
  }

  /// Two connections of a proxy, which a finding joins.
  mutating func note(_ hops: HopJoin) {
    if summary.hops.count < Self.hopLimit { summary.hops[hops.inner.connection] = hops.outer.connection }
  }

  mutating func count(_ record: ConnectionRecord) {
    summary.connections += 1
    summary.webSockets += UInt64(record.sockets.count)
    summary.streams += UInt64(record.sockets.count)
    if !record.$tls.isEmpty {
      switch record.$tls.value.opening {
      // Up to where records are missing: that is said of the capture.
      case .opened, .lost: break
      case .incomplete:
        summary.shutTLS += 1
        summary.incompleteTLS += 1
      default: summary.shutTLS += 1
      }
    }
    if record.isMidstream { summary.midstream += 1 }
    if record.isOneSided { summary.oneSided += 1 }
    if record.missingBytes > 0 { summary.withMissingBytes += 1 }
    summary.missingBytes &+= record.missingBytes
    summary.retransmittedBytes &+= record.sides.toServer.retransmittedBytes &+ record.sides.toClient.retransmittedBytes
    summary.streamBytes &+= record.sides.toServer.bytes &+ record.sides.toClient.bytes
    if let vantage = record.roundTrip.vantage {
      vantages[vantage, default: 0] &+= record.sides.toServer.packets &+ record.sides.toClient.packets
    }
  }

  /// Where most packets were captured, if the handshakes agree by a wide margin.
  var vantage: Vantage? {
    let total = vantages.values.reduce(0, &+)
    return vantages.keys.sorted().first { vantages[$0, default: 0] * 10 > total * 9 }
  }

  /// The figures so far.
  func summary(of capture: CaptureRecord) -> Summary {
    var summary = summary
    summary.capture = capture
    summary.hurt = UInt64(hurt.count)
    return summary
  }
}
