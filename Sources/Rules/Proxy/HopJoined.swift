import Citation
import Events
import HTTPSemantics

/// One exchange on both sides of a proxy: what it buffered, and what it changed.
enum HopJoined: HopPairRule {
  static let info = RuleInfo(
    id: "proxy/hop-joined", severity: .warning,
    summary: "Both sides of a proxy are in the capture, and show what it does to this exchange.",
    explanation: """
      A capture on a proxy's host holds each request twice: as the client sent it, and as the proxy passed it on. Side \
      by side they show how long the proxy buffered each piece of the response, which fields it added, dropped or \
      respelled, and how the body was framed on either side. That the proxy held a stream, and not the origin, the \
      network or the client, is then certain.
      """,
    evidence: """
      The request on both connections, and of the response the piece that was held longest and the last one, on both. \
      Two exchanges are matched if they have the same method, target, status and body length, one lies inside the \
      other in time, and the server of one has the address of the other's client, or X-Forwarded-For names the client, or a \
      request of the same User-Agent is passed on at once and both end together; where two candidates fit, none is matched. A \
      prefix of the path may be dropped or added where User-Agent is passed on. A request may pass several proxies. \
      Time in which the client's window was closed, or packets to it or of the origin were lost, does not count as held. Of a request that \
      the proxy kept before it asked: its last packet, and the first of the proxy's own.
      """,
    fix: """
      Proxy: pass a streamed response on as it comes (nginx: proxy_buffering off, and no gzip for its type). Origin: send \
      X-Accel-Buffering: no where nginx is in front, and frame the body with chunks rather than by the close.
      """,
    specifications: [
      Specification("RFC 9110 §7.6", "https://www.rfc-editor.org/rfc/rfc9110#section-7.6")
    ],
    thresholds: [.hopHold, .hopPieces], causedBy: ["tcp/host-silent"], since: "0.1")

  static func judge(_ pair: HopPair, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = pair.outer.exchange.request, let passed = pair.inner.exchange.request,
      let response = pair.outer.exchange.response, let came = pair.inner.exchange.response
    else { return }
    let pieces = Self.pieces(response, came)
    // What could not be sent to the client waited for it, and not for the proxy.
    let blocked = Self.blocked(response)
    // Nor had the proxy what was lost behind this point, until it came again.
    let lost = came.silence[.retransmission]
    let least = context.thresholds[.hopHold]
    let held = pieces.filter { $0.held &- blocked &- lost >= least }
    let longest = Int64(held.count) >= context.thresholds[.hopPieces] ? held.max { $0.held < $1.held } : nil
    let waited = request.isComplete ? passed.first.time.since(request.last.time) : 0
    let course = longest.map(Course.held) ?? (waited >= least ? .late(waited) : .passed)
    var join = HopJoin(
      outer: pair.outer.leg, inner: pair.inner.leg, proxy: pair.proxy,
      pieces: pieces, changes: HopChanges(pair).words, begin: request.first, end: response.last)
    join.isCut = max(response.bursts.count, came.bursts.count) >= MessageRecord.burstLimit
    var finding = Finding(
      Self.info, severity: .note, subject: .connection(pair.outer.context.id),
      exchange: pair.outer.exchange.number, direction: .toClient, .joined(join, pair, blocked: blocked), cost: .none,
      fix: nil,
      evidence: [
        Evidence(.packet(request.first, .toServer), "the client asks the proxy"),
        Evidence(
          .packet(passed.first, .toServer), "the proxy asks the origin, on connection #\(pair.inner.context.number)"),
      ])
    switch course {
    case .held(let piece):
      finding.message = .held(join, held, piece)
      finding.cost = .delay(nanoseconds: piece.held)
      finding.fix = info.fix
      finding.evidence += Self.evidence(piece, join, came, response)
    case .late(let nanoseconds):
      finding.message = .late(join, pair, nanoseconds)
      finding.cost = .delay(nanoseconds: nanoseconds)
      finding.fix = lateFix
      finding.evidence[0] = Evidence(.packet(request.last, .toServer), "the client has asked the proxy")
    case .passed: break
    }
    if finding.isDiagnosis { finding.severity = .warning }
    finding.connection = pair.outer.context.number
    finding.hops = join
    finding.parties = FindingParties(client: pair.outer.context.client, server: pair.outer.context.server)
    report(finding)
  }

  /// What the proxy did: it held pieces of the response, or the request before it asked (it queued it, limited its rate, or
  /// had to connect), or passed both on.
  private enum Course {
    case held(HopJoin.Piece), late(Int64), passed
  }

  private static let lateFix = """
    Proxy: see what the request waited for in it: a queue for the origin (maxconn), a limit of its rate (limit_req), a \
    connection to be opened, another origin that was asked first and did not answer, or a body that is read whole before.
    """

  /// The bursts of the origin's body, each with the packet that brought its last byte to the client.
  private static func pieces(_ outer: Message, _ inner: Message) -> [HopJoin.Piece] {
    let isWhole = outer.end?.isCaptured == true && inner.end?.isCaptured == true
    guard isWhole, outer.bodyBytes == inner.bodyBytes, outer.content == nil || inner.content != nil else {
      // Recoded, or not all of it captured, its bytes cannot be compared with the origin's; but none can have come before
      // the first, and where that may be missing, before the head.
      let begin = outer.end?.isCaptured == true ? outer.firstBody : outer.first
      guard outer.bursts.count == 1, let first = begin else { return [] }
      return inner.bursts.map {
        HopJoin.Piece(bytes: $0.bytes, inner: $0.packet, outer: $0.packet.number < first.number ? first : $0.packet)
      }
    }
    return inner.bursts.compactMap { burst in
      guard let passed = outer.bursts.first(where: { $0.bytes >= burst.bytes }) else { return nil }
      return HopJoin.Piece(bytes: burst.bytes, inner: burst.packet, outer: passed.packet)
    }
  }

  /// How long the way to the client, or the client itself, took nothing more of the body.
  private static func blocked(_ response: Message) -> Int64 {
    let causes: [StreamPause.Cause] = [
      .zeroWindow, .receiverLimited, .congestionLimited, .retransmission, .streamWindow, .connectionWindow,
    ]
    return response.silence.total(of: causes)
  }

  private static func evidence(
    _ longest: HopJoin.Piece, _ join: HopJoin, _ came: Message, _ response: Message
  ) -> [Evidence] {
    let pieces = join.pieces
    var evidence: [Evidence] = []
    if came.content == nil, let coding = Evidence.field("content-encoding", of: response, "compressed by the proxy") {
      evidence.append(coding)
    } else if let head = came.head, head.framing == .close {
      evidence.append(
        Evidence(
          .packet(head.span.first, .toClient), "the origin's body ends with the connection: no length, no chunks"))
    }
    let name = longest == pieces.first ? "first piece" : "piece that was held longest"
    evidence.append(Evidence(.packet(longest.inner, .toClient), "the \(name) is at the proxy"))
    evidence.append(
      Evidence(.packet(longest.outer, .toClient), "and with the client, \(Wording.duration(longest.held)) later"))
    if let last = pieces.last, last != longest {
      evidence.append(
        Evidence(
          .packet(last.inner, .toClient),
          join.isCut ? "the last of these pieces is at the proxy" : "the last piece is at the proxy"))
      if last.outer != longest.outer {
        evidence.append(Evidence(.packet(last.outer, .toClient), "and with the client"))
      }
    }
    return evidence
  }

}

extension Threshold {
  static let hopHold = Threshold(
    "proxy.hold", .nanoseconds, 500_000_000, "pieces of a body that a hop delays by this much are held")
  static let hopPieces = Threshold("proxy.held-pieces", .count, 2, "pieces of a body that were held")
}

extension FindingMessage {
  fileprivate static func held(_ join: HopJoin, _ held: [HopJoin.Piece], _ longest: HopJoin.Piece) -> Self {
    let together = held.allSatisfy { $0.outer == longest.outer }
    return """
      \(join.named) held \(Wording.count(UInt64(held.count), "piece")) for up to \
      \(Wording.duration(longest.held))\(join.isCut ? ", of the first \(join.pieces.count)" : "")\(together ? "; the client got all of them together, in #\(longest.outer.number)" : "").
      """
  }

  fileprivate static func late(_ join: HopJoin, _ pair: HopPair, _ waited: Int64) -> Self {
    """
    \(pair.outer.exchange.title): \(join.proxy) had the request for \(Wording.duration(waited)) before it asked \
    \(pair.inner.context.server), on connection #\(join.inner.connection).
    """
  }

  fileprivate static func joined(_ join: HopJoin, _ pair: HopPair, blocked: Int64) -> Self {
    let changed =
      join.changes.isEmpty ? "changed nothing of the head" : "made changes (\(join.changes.joined(separator: "; ")))"
    let why = blocked > 0 ? ", for \(Wording.duration(blocked)) of which the client's side took no more" : ""
    let what = join.isCut ? "its first \(join.pieces.count) pieces" : "it"
    let held = join.pieces.map(\.held).max().map { " and held \(what) for \(Wording.duration($0)) at most\(why)" } ?? ""
    return """
      \(pair.outer.exchange.title): connection #\(join.inner.connection) carries the same exchange to the origin. \
      \(join.named) \(changed)\(held).
      """
  }
}

extension HopJoin {
  /// At the beginning of a sentence. A product keeps its spelling.
  fileprivate var named: String { proxy.hasPrefix("the ") ? proxy.atSentenceStart : proxy }
}
