import Citation
import Events
import HTTPSemantics

extension HSStrippedByProxy {
  /// Across two captures: a handshake of WebSocket whose other capture lacks what makes it one. Between two points the proxy
  /// took it out; of two runs, the proxy in front of the failing one did, or its client.
  static func judge(_ pair: ComparedPair, _ terms: ComparisonTerms, report: (Finding) -> Void) {
    guard let a = pair.a.record.request?.head, let b = pair.b.record.request?.head else { return }
    let asks = BothSides(a: a.isWebSocketRequest, b: b.isWebSocketRequest)
    guard asks.a != asks.b else { return }
    let bad: CompareSide = asks.a ? .b : .a
    guard let request = pair[bad].record.request, let head = request.head, let good = pair[bad.other].record.request,
      head.block.first("sec-websocket-key") != nil || head.block.first("sec-websocket-version") != nil,
      pair[bad].record.isFailed
    else { return }
    var lost: [String] = []
    if head.block.first("upgrade") == nil { lost.append("Upgrade is gone") }
    if !head.block.contains("upgrade", in: "connection") { lost.append("Connection does not name it") }
    if head.version < .http11 { lost.append("it is HTTP/\(head.version)") }
    let evidence = [
      Evidence.startLine(good, "asks for WebSocket")?.from(bad.other),
      Evidence.field("upgrade", of: good, "with Upgrade")?.from(bad.other),
      Evidence.startLine(request, lost.joined(separator: ", "))?.from(bad),
      Evidence.field("connection", of: request, "and this is left")?.from(bad),
      Evidence.status(pair[bad].record.response, "refused")?.from(bad),
    ]
    report(
      pair.finding(
        info, confidence: pair.passage == nil && !head.isForwarded ? .medium : .high, of: bad,
        .toServer,
        "\(pair.title): in \(bad.name) the handshake came without what makes it one: \(lost.joined(separator: ", ")).",
        cost: .failed(.exchange), fix: info.fix, evidence: evidence.compactMap { $0 }))
  }
}

extension MessageHead {
  /// A handshake that a server can answer with 101.
  fileprivate var isWebSocketRequest: Bool { asksUpgrade && namesWebSocket && version >= .http11 }
}
