import Citation
import Events
import HTTPSemantics

/// A streamed upload that a proxy ended as soon as the answer began.
enum PrematureRequestTerminator: ExchangeRule, ComparisonRule {
  static let info = RuleInfo(
    id: "proxy/premature-request-terminator", severity: .error, confidence: .medium,
    summary: "A proxy ended the upload as soon as the response began.",
    explanation: """
      The request's last chunk came right after the first bytes of the response, and the response went on. A client \
      that streams both ways has no reason to stop there; some CDNs and proxies do: they regard a request as over once \
      it is answered, and write the last chunk themselves. The server sees a complete, short upload. The client goes \
      on sending into a proxy that drops what it gets, and no log shows an error.
      """,
    evidence: """
      The last data of the upload, the first byte of the response, the last chunk, and the response's further body. \
      Seen on the server's side of the proxy; a capture of both sides proves it, because the client sent more. An \
      upload that was written at once and had just ended looks the same, and is not reported: the chunks have to have \
      come with pauses, or to have stopped before the response, or the request shows that a proxy sent it, which is \
      the weakest sign. Chunks with pauses in a request that names no proxy may be a client's that stops when it has \
      its answer: that costs nothing.
      """,
    fix: """
      Proxy: pass both bodies at the same time, or keep such paths away from it. Client and server: use one request for \
      each direction, or WebSocket.
      """,
    specifications: [
      Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1"),
      Specification("RFC 9110 §7.5", "https://www.rfc-editor.org/rfc/rfc9110#section-7.5"),
    ],
    thresholds: [.terminatorAfterResponse, .responseGoesOn, .uploadQuiet, .uploadPace], since: "0.1")

  /// Fewer chunks have no pace.
  private static let pacedChunks: UInt64 = 3

  static var needs: ExchangeFacts { [.chunks, .body] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let chunks = request.chunks, let terminator = chunks.terminator?.first,
      let response = exchange.response, terminator.number > response.first.number
    else { return }
    let answered = response.first
    let late = terminator.time.since(answered.time)
    let roundTrips = 3 &* (context.roundTrip.total ?? 0)
    guard late <= max(context.thresholds[.terminatorAfterResponse], roundTrips), let last = request.lastBody,
      last.number < answered.number, let body = response.lastBody,
      body.time.since(terminator.time) >= context.thresholds[.responseGoesOn], request.isWhollyCaptured,
      response.isWhollyCaptured, !exchange.status.isError
    else { return }
    // A client that closes its side is done.
    if let end = exchange.end.sides[request.direction], end.packet.number < body.number { return }
    guard let sign = sign(request, chunks, last, answered, context) else { return }
    let isForwarded = request.head?.isForwarded ?? false
    // With pauses the upload shows that it came as it was made, and not that it was to go on.
    let isClients = sign == .paced && !isForwarded
    report(
      Finding(
        Self.info, severity: isClients ? .warning : nil, confidence: sign == .forwarded || isClients ? .low : nil,
        subject: .connection(context.id),
        exchange: exchange.number, direction: request.direction,
        .ended(exchange, chunks.count, late, goesOn: body.time.since(terminator.time)),
        cost: isClients ? .none : .failed(.exchange),
        fix: info.fix,
        evidence: [
          Evidence(.packet(last, request.direction), "the last data of the upload"),
          Evidence(.packet(answered, response.direction), "the response begins"),
          Evidence(.packet(terminator, request.direction), "the last chunk, \(Wording.duration(late)) later"),
          Evidence(.packet(body, response.direction), "the response's body goes on to here"),
        ]))
  }

  /// With both sides to prove it: the client sent more than the server got, and what the server got has its end.
  static func judge(_ pair: ComparedPair, _ terms: ComparisonTerms, report: (Finding) -> Void) {
    guard let passage = pair.passage, !passage.isSameConnection,
      let sent = pair[passage.outer].record.request, let got = pair[passage.outer.other].record.request,
      let terminator = got.chunks?.terminator?.first, got.isComplete, sent.isWhollyCaptured,
      sent.bodyBytes > got.bodyBytes, let lastSent = sent.lastBody
    else { return }
    let inner = passage.outer.other
    let answered = pair[inner].record.response?.first
    var evidence = [
      Evidence(.packet(lastSent, .toServer), "the client's last data, \(Wording.bytes(sent.bodyBytes)) in all")
        .from(passage.outer),
      Evidence(.packet(terminator, .toServer), "the proxy's last chunk, after \(Wording.bytes(got.bodyBytes))")
        .from(inner),
    ]
    if let answered { evidence.append(Evidence(.packet(answered, .toClient), "the answer began").from(inner)) }
    let after = answered.flatMap { answered -> Int64? in
      terminator.number > answered.number ? terminator.time.since(answered.time) : nil
    }
    let when = after.map { ", \(Wording.duration($0)) after the answer had begun" } ?? ""
    report(
      pair.finding(
        info, confidence: .high, of: inner, .toServer,
        """
        \(pair.title): the client sent \(Wording.bytes(sent.bodyBytes)) in \
        \(Wording.count(sent.chunks?.count ?? 0, "chunk")), and the server got \(Wording.bytes(got.bodyBytes)) with a last \
        chunk that the proxy wrote\(when).
        """,
        cost: .lost(bytes: sent.bodyBytes - got.bodyBytes),
        fix: info.fix, evidence: evidence))
  }

  private enum Sign { case paced, stopped, forwarded }

  /// Why the end is not the client's.
  private static func sign(
    _ request: Message, _ chunks: ChunkRecord, _ last: PacketRef, _ answered: PacketRef, _ context: FlowContext
  ) -> Sign? {
    if answered.time.since(last.time) >= context.thresholds[.uploadQuiet] { return .stopped }
    if chunks.count >= Self.pacedChunks, let first = request.firstBody {
      let pace = last.time.since(first.time) / Int64(clamping: chunks.count - 1)
      return pace >= context.thresholds[.uploadPace] ? .paced : nil
    }
    // An upload that came together with its head was over when it was sent.
    guard let asked = request.head, asked.isForwarded, let head = request.headReleased,
      last.time.since(head.time) >= context.thresholds[.uploadPace]
    else { return nil }
    return .forwarded
  }
}

extension Threshold {
  static let terminatorAfterResponse = Threshold(
    "proxy.terminator-after-response", .nanoseconds, 250_000_000,
    "a last chunk this soon after the response began, or within three round trips, was caused by it")
  static let responseGoesOn = Threshold(
    "proxy.response-goes-on", .nanoseconds, 200_000_000, "a response body that goes on this long was not over")
  static let uploadQuiet = Threshold(
    "proxy.upload-quiet", .nanoseconds, 1_000_000_000, "an upload silent this long was not about to end")
  static let uploadPace = Threshold(
    "proxy.upload-pace", .nanoseconds, 100_000_000, "chunks this far apart are written as they come about")
}

extension FindingMessage {
  fileprivate static func ended(
    _ exchange: ExchangeRecord, _ chunks: UInt64, _ late: Int64, goesOn: Int64
  ) -> Self {
    """
    \(exchange.title): the upload ended after \(Wording.count(chunks, "chunk")), \(Wording.duration(late)) after the response \
    had begun; the response went on for \(Wording.duration(goesOn)).
    """
  }
}
