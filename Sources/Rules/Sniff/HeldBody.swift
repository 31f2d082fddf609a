import Citation
import Events
import HTTPSemantics

/// A response whose first bytes are on the wire while a client of some family waits for more of them.
struct HeldBody: Sendable {
  let exchange: ExchangeRecord
  let response: Message
  let head: MessageHead
  let hold: ClientHold
  let limit: UInt64
  /// The first byte of the body, and what ended the wait.
  let first: PacketRef
  let end: HoldEnd

  /// nil when the client does not wait with this response, or less than `threshold`. What is cheap is asked first.
  init?(_ exchange: ExchangeRecord, _ hold: ClientHold, atLeast threshold: Int64) {
    guard let response = exchange.response, let first = response.firstBody, let limit = hold.bytes,
      let end = exchange.holdEnd(limit), end.packet.time.since(first.time) >= threshold,
      let head = response.head, head.isRequestKnown,
      hold.applies(to: head, opening: response.opening, path: String(exchange.target.prefix { $0 != "?" }))
    else { return nil }
    self.exchange = exchange
    self.response = response
    self.head = head
    self.hold = hold
    self.limit = limit
    self.first = first
    self.end = end
  }

  /// The client, as far as it identifies itself.
  var client: ClientIdentity? { exchange.request?.head.flatMap { ClientIdentity($0) } }

  var nanoseconds: Int64 { end.packet.time.since(first.time) }

  /// The client ended the connection while it waited.
  func isGivenUp(_ context: FlowContext) -> Bool {
    guard case .connectionEnd(let how, let side) = end.cause else { return false }
    return (how == .reset ? context.closing(of: exchange).by : side) == response.direction.opposite
  }

  func cost(_ context: FlowContext) -> Cost {
    isGivenUp(context) ? .failed(.exchange) : .delay(nanoseconds: nanoseconds)
  }

  func confidence(_ usual: Confidence, _ context: FlowContext) -> Confidence {
    context.isMidstream ? .low : usual
  }

  /// That Apple's clients hold text/plain is known from reports alone.
  var appleConfidence: Confidence { head.block.contentType?.essence == "text/plain" ? .low : .medium }

  // MARK: Words

  /// `a text/html body`, `an untyped body`
  var body: String {
    let essence = head.block.contentType?.essence ?? ""
    return ClientHold.isUnknown(essence) ? "an untyped body" : "a \(essence) body"
  }

  private var interval: String { Wording.duration(nanoseconds) }
  private var amount: String { "\(Wording.number(end.bytes)) of \(Wording.bytes(limit))" }

  /// How the wait ended, as the end of a sentence.
  func outcome(_ context: FlowContext) -> String {
    switch end.cause {
    case .reached: "that byte came \(interval) after the first"
    case .bodyEnd: "there were only \(amount), and the end of the body \(interval) after the first byte released them"
    case .connectionEnd where isGivenUp(context):
      "with \(amount) there, the client gave up \(interval) after the first"
    case .connectionEnd:
      "there were only \(amount), and \(interval) after the first byte the connection ended"
    case .captureEnd: "there were only \(amount) when the capture ended, \(interval) after the first"
    }
  }

  // MARK: Evidence

  var agent: [Evidence] {
    guard let request = exchange.request, let head = request.head else { return [] }
    let name = ClientIdentity(head)?.name
    if let agent = head.block.first("user-agent") {
      return [.field(agent, head, request.direction, name.map { "the client: \($0)" } ?? "the client")]
    }
    guard let name, let coding = head.block.first("transfer-encoding") else { return [] }
    return [.field(coding, head, request.direction, "no User-Agent, and this spelling: \(name), by all appearances")]
  }

  /// The type, and that nothing forbids to guess another.
  var type: Evidence {
    let note = head.block.first("x-content-type-options") == nil ? "no X-Content-Type-Options" : "no nosniff"
    guard let type = head.block.first("content-type") else {
      return Evidence(.packet(head.span.first, response.direction), "no Content-Type, and \(note)")
    }
    return .field(type, head, response.direction, "and \(note)")
  }

  /// Where the wait began, unless the type is in the same packet, and where it ended.
  func course(_ context: FlowContext) -> [Evidence] {
    var evidence: [Evidence] = []
    if first.number != head.span.first.number {
      evidence.append(Evidence(.packet(first, response.direction), "carries body byte 1"))
    }
    let since = "\(interval) after byte 1 in #\(first.number)"
    let note =
      switch end.cause {
      case .reached: "carries body byte \(Wording.number(limit)), \(since)"
      case .bodyEnd: "the end of the body at \(amount), \(since)"
      case .connectionEnd(let how, _):
        "\(how == .reset ? "RST" : "FIN") from \(isGivenUp(context) ? "the client" : "the server") at \(amount), \(since)"
      case .captureEnd: "the connection's last packet in the capture, \(since)"
      }
    var side: Direction? = response.direction
    if case .connectionEnd(let how, let direction) = end.cause {
      side = how == .reset ? context.closing(of: exchange).by : direction
    }
    if end.cause == .captureEnd { side = nil }
    evidence.append(Evidence(.packet(end.packet, side), note))
    return evidence
  }
}

extension Threshold {
  static let clientHold = Threshold(
    "sniff.hold", .nanoseconds, 1_000_000_000, "a body held this long is worth a finding")
}
