import Events

/// The state of all rules of one connection, made at the first event that any of them asked for.
package struct ConnectionRules: Sendable {
  package static let interests: EventKinds = [
    TCPRules.interests, MissingBytes.interests, ChunkedRules.interests, HTTPRules.interests, SniffRules.interests,
    CaseRules.interests, MultipartRules.interests, SSERules.interests, StreamRules.interests, ProxyRules.interests,
    WebSocketRules.interests, TLSRules.interests,
  ]

  private var tcp = TCPRules()
  private var missingBytes = MissingBytes()
  private var chunked = ChunkedRules()
  private var http = HTTPRules()
  private let sniff = SniffRules()
  private var letterCase = CaseRules()
  private var multipart = MultipartRules()
  private var stream = StreamRules()
  private let proxy = ProxyRules()
  private let sse = SSERules()
  /// One, made at the first request for WebSocket; it is large, and most connections are none.
  private var webSocket: [WebSocketRules] = []
  /// The same, made at the first record of TLS.
  private var tls: [TLSRules] = []

  package init() {}

  package mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    let thresholds = context.thresholds
    let report = { (finding: Finding) in report(finding.compared(with: thresholds)) }
    if !TCPRules.interests.isDisjoint(with: kind) { tcp.observe(event, in: context, report: report) }
    if !ChunkedRules.interests.isDisjoint(with: kind) { chunked.observe(event, in: context, report: report) }
    if !HTTPRules.interests.isDisjoint(with: kind) { http.observe(event, in: context, report: report) }
    if !SniffRules.interests.isDisjoint(with: kind) { sniff.observe(event, in: context, report: report) }
    if !CaseRules.interests.isDisjoint(with: kind) { letterCase.observe(event, in: context, report: report) }
    if !MultipartRules.interests.isDisjoint(with: kind) { multipart.observe(event, in: context, report: report) }
    if !StreamRules.interests.isDisjoint(with: kind) { stream.observe(event, in: context, report: report) }
    if !ProxyRules.interests.isDisjoint(with: kind) { proxy.observe(event, in: context, report: report) }
    if !SSERules.interests.isDisjoint(with: kind) { sse.observe(event, in: context, report: report) }
    if !WebSocketRules.interests.isDisjoint(with: kind) {
      WebSocketRules.observe(event, &webSocket, in: context, report: report)
    }
    if !TLSRules.interests.isDisjoint(with: kind) {
      TLSRules.observe(event, &tls, in: context, report: report)
    }
    if !MissingBytes.interests.isDisjoint(with: kind) { missingBytes.observe(event, in: context, report: report) }
  }
}

/// The rules over the capture as a whole. They see exchanges in the merger's order, and the capture when it is read;
/// what they keep is bounded.
package struct CaptureRules: Sendable {
  private var truncated = TruncatedCapture()
  private var http = HTTPCaptureRules()
  private var proxy = ProxyCaptureRules()
  private var direct = DirectRules()
  private var tcp = TCPCaptureRules()
  private var multipart = MultipartCaptureRules()
  private var poll = PollRules()
  private var silence = SilenceCaptureRules()
  private var pairing = Pairing()
  private var sse = SSECaptureRules()
  private var webSocket = WebSocketCaptureRules()
  private var tls = TLSCaptureRules()
  /// The values in force, which are the same for every connection. What is told at the end has no connection to ask.
  private let thresholds: Thresholds

  package init(_ thresholds: Thresholds = Thresholds()) {
    self.thresholds = thresholds
  }

  package mutating func observe(_ event: Event, in context: FlowContext?, report: (Finding) -> Void) {
    let thresholds = thresholds
    let report = { (finding: Finding) in report(finding.compared(with: thresholds)) }
    if case .exchange(let exchange) = event {
      if let context { observe(exchange, in: context, report: report) }
      return
    }
    http.observe(event, thresholds, in: context, report: report)
    direct.observe(event, thresholds, in: context, report: report)
    tcp.observe(event, thresholds, in: context, report: report)
    poll.observe(event, thresholds, report: report)
    sse.observe(event, thresholds, report: report)
    webSocket.observe(event, thresholds, in: context, report: report)
    tls.observe(event, thresholds, in: context, report: report)
    truncated.observe(event, in: context, report: report)
    if case .captureEnded(let capture) = event { pairing.finish(capture, thresholds, report: report) }
  }

  private mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    silence.observe(exchange, in: context, report: report)
    // A head that never became complete says nothing about what was asked.
    guard let request = exchange.request, request.headReleased != nil, let head = request.head else { return }
    let key = RequestKey(head, context)
    http.observe(exchange, request, head, key, in: context) {
      direct.review($0, exchange, head, in: context, report: report)
    }
    proxy.observe(exchange, key, in: context, report: report)
    direct.observe(exchange, request, head, key, in: context, report: report)
    multipart.observe(exchange, request, head, key, in: context, report: report)
    poll.observe(exchange, key, in: context)
    pairing.observe(exchange, request, head, key, in: context)
    sse.observe(exchange, request, head, key, in: context)
    webSocket.observe(exchange, key, in: context, report: report)
  }

  /// Uplinks and downlinks that belong together, both ways; known when the capture is read.
  package var pairs: [HopJoin.Leg: HopJoin.Leg] { pairing.pairs }

  /// What the findings before it make of a finding of one connection.
  package mutating func review(_ finding: inout Finding) {
    silence.review(&finding)
    webSocket.review(&finding)
  }
}

extension Finding {
  /// With the values that were in force.
  fileprivate func compared(with values: Thresholds) -> Finding {
    guard !thresholds.isEmpty, values.areChanged else { return self }
    var finding = self
    for threshold in thresholds.keys { finding.thresholds[threshold] = values[threshold] }
    return finding
  }
}
