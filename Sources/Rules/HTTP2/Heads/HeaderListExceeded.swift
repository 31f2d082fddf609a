import Citation
import Events
import HTTP2Semantics
import HTTPSemantics

/// More fields than the receiver takes.
struct HeaderListExceeded: ConnectionRule {
  static let info = RuleInfo(
    id: "h2/header-list-exceeded", severity: .warning,
    summary: "A head is larger than its receiver said it takes.",
    explanation: """
      SETTINGS_MAX_HEADER_LIST_SIZE counts names, values and 32 bytes a field. Receivers answer 431 or 400 to more, or \
      reset the stream. Mostly cookies or tokens have grown.
      """,
    evidence: "The SETTINGS, and the head.",
    fix: "Sender: smaller cookies and tokens. Receiver: a higher limit where its clients need it.",
    specifications: [.settings], since: "0.1")

  static var interests: EventKinds { .http2 }

  private struct Limit: Sendable {
    var bytes: UInt32
    var announced: PacketRef
    /// Its acknowledgement; it does not count before.
    var counts: UInt64?
  }

  /// Of what each side sends; the newest last.
  private var limits = BothDirections<[Limit]>(repeating: [])
  private static let limit = 8

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .http2Frame(let frame, let direction, _) = event, frame.type == .settings else { return }
    if frame.isAcknowledgement {
      if let at = limits[direction].firstIndex(where: { $0.counts == nil }) {
        limits[direction][at].counts = frame.released.number
      }
    } else if let bytes = frame.headerListLimit, limits[direction.opposite].count < Self.limit {
      limits[direction.opposite].append(Limit(bytes: bytes, announced: frame.released))
    }
  }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.key.stream != nil else { return }
    for message in exchange.messages { judge(message, exchange, context, report) }
  }

  private func judge(
    _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard let head = message.head, let seen = message.headReleased?.number,
      let limit = limits[message.direction].last(where: { ($0.counts ?? .max) < seen })
    else { return }
    let size = head.block.fields.reduce(0) { $0 + $1.name.count + $1.value.count + 32 }
    guard size > Int(limit.bytes) else { return }
    let isRequest = exchange.isRequest(message)
    let isRefused =
      isRequest && [400, 431].contains(exchange.status.code)
      || exchange.end.resetCode != nil && exchange.end.closing?.by == message.direction.opposite
    report(
      Finding(
        Self.info, severity: isRefused ? .error : .warning, subject: .connection(context.id),
        exchange: exchange.number, direction: message.direction,
        "\(exchange.title): a head of \(Wording.bytes(UInt64(size))); the receiver takes \(Wording.bytes(UInt64(limit.bytes))).",
        cost: isRefused ? .failed(.exchange) : .none, fix: Self.info.fix,
        evidence: [
          Evidence(.packet(limit.announced, message.direction.opposite), "MAX_HEADER_LIST_SIZE"),
          Evidence(.bytes(head.span, message.direction), "the head"),
        ]))
  }
}

extension HTTP2Frame {
  // See errorCode.
  @inline(never)
  fileprivate var headerListLimit: UInt32? {
    guard case .settings(let settings) = payload else { return nil }
    return settings.last { $0.id == HTTP2Setting.maxHeaderListSize }?.value
  }
}
