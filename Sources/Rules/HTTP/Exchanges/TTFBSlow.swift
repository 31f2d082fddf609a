import Citation
import Events
import HTTPSemantics

/// A response whose first byte was long in coming.
enum TTFBSlow: DisturbedExchangeRule {
  static let info = RuleInfo(
    id: "http/ttfb-slow", severity: .warning,
    summary: "The response took long to begin.",
    explanation: """
      The request was there, and the first byte of the response came much later than the network needs. The time went into \
      the server, or into something behind it. A long poll is meant to be like this.
      """,
    evidence: """
      The last packet of the request, and the first of the response; a 100 Continue between them is not counted. Without a \
      cost where the request names a wait, its path or its empty answer looks like a long poll, packets of either side \
      were lost meanwhile, or the answer is 408 or an error of the server, whose own finding says how long it took.
      """,
    fix: "Server: find what the time went into; send the head early if the body takes long.",
    specifications: [
      Specification("RFC 9110 §15.2", "https://www.rfc-editor.org/rfc/rfc9110#section-15.2")
    ],
    thresholds: [.firstByteWait, .firstByteRoundTrips],
    causedBy: [
      "sse/buffered", "stream/buffered-until-end", "stream/cut-at-known-timeout", "ws/hs-slow", "http/expect-stall",
      "proxy/hop-joined", "proxy/read-timeout", "proxy/stream-dropped", "http/reply-after-close",
      "grpc/deadline-exceeded", "http/one-at-a-time", "tcp/host-silent",
    ], since: "0.1")

  static func judge(_ disturbed: DisturbedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let exchange = disturbed.exchange
    guard let request = exchange.request, let response = exchange.response, request.isComplete,
      request.last.number < response.first.number, response.head != nil, !exchange.isAnsweredToNobody(in: context)
    else { return }
    let wait = response.first.time.since(request.last.time)
    // The first answer of a connection that was joined may be to a request that was not captured.
    guard wait > context.thresholds[.firstByteWait], request.isWhollyCaptured,
      !context.isMidstream || disturbed.before != nil && !exchange.isPairingUnsure,
      wait / max(1, context.thresholds[.firstByteRoundTrips]) > context.roundTrip.total
        ?? context.roundTrip.openingNanoseconds
    else { return }
    // A response that waited for the one before it was not slow itself.
    if let before = disturbed.before, before.last.number > request.last.number { return }
    // A poll may wait for news; one that ends in an error waited for nothing.
    let isPoll = exchange.looksLikePoll && (exchange.status.code < 400 || exchange.isPollOfEngine)
    // Where a server fails or gives up, that is told, with how long it took.
    let isMeant = isPoll || exchange.status.code == 408 || exchange.status.code >= 500
    let isNetworks =
      !disturbed.story.wasFree(from: request.last, to: response.first)
      || disturbed.story.answersWereLost(from: request.last, to: response.first)
    let roundTrip = context.roundTrip.total.map { "; a round trip takes \(Wording.duration($0))" } ?? ""
    report(
      Finding(
        Self.info, severity: isMeant || isNetworks ? .note : nil, subject: .connection(context.id),
        exchange: exchange.number, direction: .toClient,
        "\(exchange.title): the response began \(Wording.duration(wait)) after the request was complete\(roundTrip).",
        cost: isMeant || isNetworks ? .none : .delay(nanoseconds: wait &- (context.roundTrip.total ?? 0)),
        fix: info.fix,
        evidence: [
          Evidence(.packet(request.last, request.direction), "the request is complete"),
          Evidence(.packet(response.first, response.direction), "the response begins"),
        ]))
  }
}

extension ExchangeRecord {
  /// Words of targets that are held: whole ones, for a waitlist is none. A timeout alone only says when the server gives
  /// up (Prometheus, Kubernetes), but Matrix has one beside its sync.
  private static let pollWords: Set<String> = [
    "poll", "polling", "longpoll", "longpolling", "wait", "subscribe", "notify", "notification", "notifications",
    "changes", "updates", "comet", "cometd", "signalr", "listen", "watch", "stream", "downlink", "bind", "bosh",
  ]

  /// A poll of Engine.IO, whose server releases it with 400 when the session ends.
  fileprivate var isPollOfEngine: Bool {
    guard status.code == 400, let head = request?.head, case .request(_, _, let target) = head.line else {
      return false
    }
    return head.block.contains(anyOf: ["transport=polling"], in: target)
  }

  /// A request that the server may be meant to hold: it names a wait, its target has a word of those, or the answer has
  /// nothing new.
  var looksLikePoll: Bool {
    if status.code == 204 || status.code == 304 { return true }
    guard let head = request?.head else { return false }
    if let wish = head.block.first("prefer"), head.block.contains(anyOf: ["wait="], in: wish.value) { return true }
    guard case .request(_, _, let target) = head.line else { return false }
    // Blocking reloads of low-latency HLS.
    if head.block.contains(anyOf: ["_hls_msn=", "_hls_part="], in: target) { return true }
    if isReceive(head, target) { return true }
    let words = Self.words(of: head.block.text(of: target))
    if Self.isSignalR(head.block.text(of: target)) { return true }
    return words.contains { Self.pollWords.contains($0) }
      || Self.pollPairs.contains { words.contains($0.0) && words.contains($0.1) }
  }

  /// Matrix, runners of GitLab and GitHub, Pub/Sub and the runtime of Lambda.
  private static let pollPairs = [
    ("sync", "timeout"), ("jobs", "request"), ("messages", "session"), ("message", "session"),
    ("subscriptions", "pull"), ("invocation", "next"),
  ]

  /// The channel on which clients of Bayeux (CometD, Faye) wait, of whatever path.
  private static let bayeux = Array("\"/meta/connect\"".utf8)

  /// A queue that says how long it waits: SQS, in its two protocols, and Nacos; and Bayeux.
  private func isReceive(_ head: MessageHead, _ target: Range<Int>) -> Bool {
    if head.block.first("long-pulling-timeout") != nil { return true }
    if let opening = request?.opening, opening.contains(Self.bayeux) { return true }
    if let action = head.block.first("x-amz-target"), head.block.contains(anyOf: [".receivemessage"], in: action.value)
    {
      return true
    }
    return head.block.contains(anyOf: ["waittimeseconds="], in: target)
      || request?.opening.starts(with: "Action=ReceiveMessage".utf8) == true
  }

  /// `/chat?id=…&_=1700000000000`: SignalR's long polling, of whatever path, with the token of the connection and the time.
  private static func isSignalR(_ target: String) -> Bool {
    guard let query = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).last, query.starts(with: "id=".utf8)
    else { return false }
    let parts = query.dropFirst(3).split(separator: UInt8(ascii: "&"))
    guard parts.count == 2, parts[0].count >= 16, parts[1].starts(with: "_=".utf8) else { return false }
    return parts[1].dropFirst(2).allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// `getUpdates?offset=4` has the words get, updates, offset and 4.
  private static func words(of target: String) -> [String] {
    var words: [String] = []
    var word = ""
    for byte in target.utf8 {
      let isCapital = 0x41...0x5A ~= byte
      let isLetter = isCapital || 0x61...0x7A ~= byte || 0x30...0x39 ~= byte
      if !isLetter || isCapital && word.utf8.last.map({ 0x61...0x7A ~= $0 }) == true {
        words.append(word.lowercased())
        word = ""
      }
      if isLetter { word.unicodeScalars.append(Unicode.Scalar(byte)) }
    }
    return words + [word.lowercased()]
  }
}

extension Threshold {
  static let firstByteWait = Threshold(
    "http.first-byte-wait", .nanoseconds, 1_000_000_000, "a response that begins this late is slow")
  static let firstByteRoundTrips = Threshold(
    "http.first-byte-round-trips", .count, 10, "and it took more than so many round trips")
}
