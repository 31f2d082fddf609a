// Written by .ci/index from the sources in Sources/Rules. Not to be edited.
import Events

/// All watchers of one connection.
struct ConnectionWatchers: Sendable {
  static var interests: EventKinds {
    CaptureConnectionWatchers.interests
      | CaseConnectionWatchers.interests
      | ChunkedConnectionWatchers.interests
      | GRPCConnectionWatchers.interests
      | HTTPConnectionWatchers.interests
      | HTTP2ConnectionWatchers.interests
      | MultipartConnectionWatchers.interests
      | SniffConnectionWatchers.interests
      | StreamConnectionWatchers.interests
      | TCPConnectionWatchers.interests
      | TLSConnectionWatchers.interests
      | WebSocketConnectionWatchers.interests
  }

  private var captureWatchers = CaptureConnectionWatchers()
  private var caseWatchers = CaseConnectionWatchers()
  private var chunkedWatchers = ChunkedConnectionWatchers()
  private var grpcWatchers = GRPCConnectionWatchers()
  private var httpWatchers = HTTPConnectionWatchers()
  private var hTTP2Watchers = HTTP2ConnectionWatchers()
  private var multipartWatchers = MultipartConnectionWatchers()
  private var sniffWatchers = SniffConnectionWatchers()
  private var streamWatchers = StreamConnectionWatchers()
  private var tcpWatchers = TCPConnectionWatchers()
  private var tlsWatchers = TLSConnectionWatchers()
  private var webSocketWatchers = WebSocketConnectionWatchers()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    captureWatchers.observe(exchange, in: context, report: report)
    caseWatchers.observe(exchange, in: context, report: report)
    chunkedWatchers.observe(exchange, in: context, report: report)
    grpcWatchers.observe(exchange, in: context, report: report)
    httpWatchers.observe(exchange, in: context, report: report)
    hTTP2Watchers.observe(exchange, in: context, report: report)
    multipartWatchers.observe(exchange, in: context, report: report)
    sniffWatchers.observe(exchange, in: context, report: report)
    streamWatchers.observe(exchange, in: context, report: report)
    tcpWatchers.observe(exchange, in: context, report: report)
    tlsWatchers.observe(exchange, in: context, report: report)
    webSocketWatchers.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !CaptureConnectionWatchers.interests.isDisjoint(with: kind) {
      captureWatchers.observe(event, in: context, report: report)
    }
    if !CaseConnectionWatchers.interests.isDisjoint(with: kind) {
      caseWatchers.observe(event, in: context, report: report)
    }
    if !ChunkedConnectionWatchers.interests.isDisjoint(with: kind) {
      chunkedWatchers.observe(event, in: context, report: report)
    }
    if !GRPCConnectionWatchers.interests.isDisjoint(with: kind) {
      grpcWatchers.observe(event, in: context, report: report)
    }
    if !HTTPConnectionWatchers.interests.isDisjoint(with: kind) {
      httpWatchers.observe(event, in: context, report: report)
    }
    if !HTTP2ConnectionWatchers.interests.isDisjoint(with: kind) {
      hTTP2Watchers.observe(event, in: context, report: report)
    }
    if !MultipartConnectionWatchers.interests.isDisjoint(with: kind) {
      multipartWatchers.observe(event, in: context, report: report)
    }
    if !SniffConnectionWatchers.interests.isDisjoint(with: kind) {
      sniffWatchers.observe(event, in: context, report: report)
    }
    if !StreamConnectionWatchers.interests.isDisjoint(with: kind) {
      streamWatchers.observe(event, in: context, report: report)
    }
    if !TCPConnectionWatchers.interests.isDisjoint(with: kind) {
      tcpWatchers.observe(event, in: context, report: report)
    }
    if !TLSConnectionWatchers.interests.isDisjoint(with: kind) {
      tlsWatchers.observe(event, in: context, report: report)
    }
    if !WebSocketConnectionWatchers.interests.isDisjoint(with: kind) {
      webSocketWatchers.observe(event, in: context, report: report)
    }
  }
}
