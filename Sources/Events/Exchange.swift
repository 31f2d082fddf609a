import Citation
import HTTPSemantics

package enum ExchangeKind: String, Sendable, CaseIterable {
  case plain, chunked, sse, ndjson, grpc, websocket
}

/// A request and what answered it. Either may be missing.
///
/// Its two messages are references that it holds itself: whoever is lent an exchange is lent them, and counts nothing.
/// What else it holds stands behind one reference, and is copied when it is changed while others hold it: an exchange is
/// handed to every rule and report, and its copies were a tenth of a run.
package struct ExchangeRecord: Sendable {
  package var key: ExchangeKey
  package var request: Message?
  package var response: Message?
  /// Exactly one: an array is copied by a count, and not by a call through a table, as what is generic is.
  private var shared: [Parts]

  private struct Parts: Sendable {
    var interim: [Message] = []
    var interimCut: UInt64 = 0
    var end = ExchangeEnd()
    var isResponseMissing = false
    var isPairingUnsure = false
    var requestBytesAtResponse: UInt64?
    var interleaving = Interleaving()
    var isPushed = false
    var upgraded: MessageHead?
    @Rare var grpc: GRPCRecord?
    @Rare var credit: BothDirections<CreditRecord>?
  }

  package init(_ key: ExchangeKey) {
    self.key = key
    shared = [Parts()]
  }

  /// With the parts of another one, which both hold.
  package init(_ key: ExchangeKey, of other: ExchangeRecord) {
    self.key = key
    request = other.request
    response = other.response
    shared = other.shared
  }

  /// 1xx responses before the final one: the first `interimLimit` of them.
  package var interim: [Message] { shared[0].interim }
  /// Those behind them.
  package var interimCut: UInt64 { shared[0].interimCut }
  package static let interimLimit = 32

  package mutating func add(interim message: Message) {
    if shared[0].interim.count < Self.interimLimit {
      shared[0].interim.append(message)
    } else {
      shared[0].interimCut += 1
    }
  }

  package var end: ExchangeEnd {
    get { shared[0].end }
    _modify { yield &shared[0].end }
  }

  /// The capture lacks bytes where the response should be: that none is here says nothing.
  package var isResponseMissing: Bool {
    get { shared[0].isResponseMissing }
    set { shared[0].isResponseMissing = newValue }
  }

  /// The capture lacks bytes before this in which a request or a response may have been: the two may not belong together.
  package var isPairingUnsure: Bool {
    get { shared[0].isPairingUnsure }
    set { shared[0].isPairingUnsure = newValue }
  }

  /// How far the request's body was when the head of the final response came, where it was not over.
  package var requestBytesAtResponse: UInt64? {
    get { shared[0].requestBytesAtResponse }
    set { shared[0].requestBytesAtResponse = newValue }
  }

  /// How the two bodies took turns.
  package var interleaving: Interleaving {
    get { shared[0].interleaving }
    _modify { yield &shared[0].interleaving }
  }

  /// The server wrote the request itself, and promised to answer it.
  package var isPushed: Bool {
    get { shared[0].isPushed }
    set { shared[0].isPushed = newValue }
  }

  /// What it answers was asked in HTTP/1, before an upgrade: another exchange.
  package var upgraded: MessageHead? {
    get { shared[0].upgraded }
    set { shared[0].upgraded = newValue }
  }

  /// `grpc` is there: asked of every exchange, where a copy of it is large.
  package var isCall: Bool { !shared[0].$grpc.isEmpty }

  /// What it is as a call of gRPC.
  package var grpc: GRPCRecord? {
    get { shared[0].grpc }
    set { shared[0].grpc = newValue }
  }

  /// How flow control held it up, where it did.
  package var credit: BothDirections<CreditRecord>? {
    get { shared[0].credit }
    set { shared[0].credit = newValue }
  }

  /// What courses of windows hold: asked of every exchange.
  var courseBytes: Int { shared[0].$credit.isEmpty ? 0 : shared[0].$credit.value.courseBytes }

  /// From 1, in the order of requests on the connection.
  package var number: Int { key.number }

  /// From the complete request head to the first byte of the final response; nil where the capture holds them in the other
  /// order.
  package var wait: Int64? {
    guard let asked = request?.headReleased, let response, asked.number <= response.first.number else { return nil }
    return response.first.time.since(asked.time)
  }

  package var timeToFirstBody: Int64? {
    guard let asked = request?.headReleased, let body = response?.firstBody, asked.number <= body.number else {
      return nil
    }
    return body.time.since(asked.time)
  }

  package var total: Int64? {
    guard let request, let response else { return nil }
    return max(response.last.time.nanoseconds, request.last.time.nanoseconds) &- request.first.time.nanoseconds
  }

  package var first: PacketRef { request?.first ?? interim.first?.first ?? response?.first ?? .none }
  package var last: PacketRef {
    var last = request?.last ?? .none
    if let other = response?.last, other.number >= last.number { last = other }
    if let other = interim.last?.last, other.number >= last.number { last = other }
    return last
  }

  /// Nothing answered, as far as the capture can show.
  package var isUnanswered: Bool { response == nil && !isResponseMissing }

  /// It was going on when the capture began: the request and the head of the response are not in it.
  package var isJoined: Bool { response?.joined != nil }

  /// Answered by an error, or not at all.
  package var isFailed: Bool { isUnanswered || status.isError }

  /// Causes of silence of both bodies.
  package var silence: SilenceSums {
    var sums = request?.silence ?? SilenceSums()
    if let response, !response.silence.isEmpty { sums.add(response.silence) }
    return sums
  }

  package var status: Status { response?.head?.status ?? .none }
  /// What follows its 101 is WebSocket, or what its stream carries.
  package var opensWebSocket: Bool {
    if isSocketStream { return 200..<300 ~= (response?.head?.status.code ?? 0) }
    return response?.head?.opensWebSocket(askedBy: request) == true
  }
  /// It asks for a WebSocket in a stream of HTTP/2.
  package var isSocketStream: Bool { key.stream != nil && request?.head?.block.value(":protocol") == "websocket" }
  /// What kind of exchange it is, where figures of different kinds must not be mixed: a stream lasts as long as it
  /// is wanted, whatever the speed of responses.
  package var kind: ExchangeKind {
    if opensWebSocket { return .websocket }
    switch response?.itemKind {
    case .sse: return .sse
    case .ndjson: return .ndjson
    case .grpc: return .grpc
    case .chunked, nil: return (response?.joined ?? response?.framing) == .chunked ? .chunked : .plain
    }
  }
  package var method: String { request?.head?.methodText ?? "" }
  package var target: String { request?.head?.targetText ?? "" }
  /// The authority that the request names.
  package var host: String? { request?.head.flatMap { head in head.authority.map { head.block.value($0) } } }
  /// The User-Agent and Server fields.
  package var clientAgent: String? { request?.head?.block.value("user-agent") }
  package var serverAgent: String? { response?.head?.block.value("server") }

  /// Something in one of its messages could not be read.
  package var hasErrors: Bool {
    request?.record.errors.isEmpty == false || response?.record.errors.isEmpty == false
      || interim.contains { !$0.record.errors.isEmpty }
  }

  /// The messages that are there, in the order in which they begin to be sent.
  package var messages: Messages { Messages(self) }

  /// Further remarks: how a client's programming interface shows it, what is missing.
  package var notes: [String] {
    var notes: [String] = []
    if isResponseMissing { notes.append("the capture lacks the response") }
    if upgraded != nil { notes.append("its request came over HTTP/1.1, before the upgrade to HTTP/2") }
    if response?.framing == .chunked, let head = request?.head, ClientIdentity(head)?.family == .apple {
      notes.append("URLSession shows this response with Transfer-Encoding: Identity; on the wire it is chunked")
    }
    if interimCut > 0 { notes.append("\(interimCut) more interim responses were counted, and are not kept") }
    return notes
  }

  /// `POST /uplink → 500`, as sentences name it; a query may hold secrets, and is left out.
  package var title: String {
    if isJoined { return "(stream already open)" }
    let asked =
      (request?.head ?? upgraded).map(\.requestTitle)
      ?? (request == nil ? "(request not seen)" : "(unfinished request)")
    let answered =
      response?.head.map { $0.status.code > 0 ? String($0.status.code) : "reply" }
      ?? (isResponseMissing ? "response not captured" : "no response")
    return "\(asked) → \(answered)"
  }
}

extension ExchangeRecord {
  /// Request, interim responses, response, as far as they are there: a walk, because as an array they were allocated for
  /// every rule that asks.
  package struct Messages: Sequence, IteratorProtocol, Sendable {
    private var request: Message?
    private let interim: [Message]
    private var told = 0
    private var response: Message?

    fileprivate init(_ exchange: ExchangeRecord) {
      request = exchange.request
      interim = exchange.interim
      response = exchange.response
    }

    package mutating func next() -> Message? {
      if let request = request.take() { return request }
      if told < interim.count {
        defer { told += 1 }
        return interim[told]
      }
      return response.take()
    }
  }
}

/// How a request's body and the response's took turns on the wire, while both were being sent.
package struct Interleaving: Sendable, Equatable {
  /// Runs of request body after response body began, and runs of response body between and after those.
  package var requestRuns = 0
  package var responseRuns = 0
  /// The first response body byte with request body still to come, and the last byte of either with the other before it.
  package var first: PacketRef?
  package var last: PacketRef?

  package init() {}

  package var nanoseconds: Int64 {
    guard let first, let last else { return 0 }
    return last.time.since(first.time)
  }
}

extension MessageHead {
  /// A response that switches to WebSocket, as its request asked; where that was not captured, the answer says so itself.
  package func opensWebSocket(askedBy request: Message?) -> Bool {
    status == .switchingProtocols && request.map { $0.head?.asksForWebSocket == true } ?? acceptsWebSocket
  }

  /// `GET /path?…`, without a user's name in an address and other secrets.
  package var requestTitle: String {
    // By bytes: characters cost twenty times as much, and a title stands in every finding.
    let target = targetText
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      return "\(SecretScan.leftOut(of: methodText)) \(SecretScan.leftOut(of: target))"
    }
    return "\(SecretScan.leftOut(of: methodText)) \(SecretScan.leftOut(of: String(target[..<mark])))?…"
  }
}
