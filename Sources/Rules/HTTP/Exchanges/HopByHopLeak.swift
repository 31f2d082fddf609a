import Citation
import Events
import HTTPSemantics

/// Fields that concern one connection only, and do not say so; or fields for all recipients that claim to be such.
enum HopByHopLeak: MessageRule {
  static let info = RuleInfo(
    id: "http/hop-by-hop-leak", severity: .warning,
    summary: "A field for one connection only is not named in Connection, or a field for all is.",
    explanation: """
      Keep-Alive, TE, Upgrade and Proxy-Connection speak to the next hop, and Connection names them so that a proxy \
      takes them out. Unnamed ones are forwarded past the hop that they were meant for: a server sees another hop's \
      Keep-Alive or an Upgrade that it cannot follow. Conversely, a field named in Connection is removed by the next \
      proxy: Content-Length or Cache-Control then never arrive.
      """,
    evidence: """
      The field as it stands. TE: trailers, and Proxy-Connection to a proxy (an absolute target, or CONNECT), are left \
      alone: they are common and do no harm. A private field that Connection names is what Connection is for.
      """,
    fix: """
      Sender: name the field in Connection, or leave it out. A proxy that forwarded it: remove it (nginx: \
      proxy_set_header Proxy-Connection ""; and the like for others).
      """,
    specifications: [
      Specification("RFC 9110 §7.6.1", "https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1"),
      Specification("RFC 9110 §7.8", "https://www.rfc-editor.org/rfc/rfc9110#section-7.8"),
      Specification("RFC 9110 §10.1.4", "https://www.rfc-editor.org/rfc/rfc9110#section-10.1.4"),
    ],
    since: "0.1")

  /// Intended for all recipients; Connection must not name them.
  private static let endToEnd: [StaticString] = [
    "authorization", "cache-control", "content-encoding", "content-length", "content-type", "cookie", "date", "etag",
    "expires", "host", "location", "set-cookie", "user-agent",
  ]

  static var needs: ExchangeFacts { .hopByHop }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let head = message.head else { return }
    for field in head.block.fields {
      // By the first letter: K, P, T or U.
      guard let first = field.name.first else { continue }
      switch head.block.bytes[first].lowercased {
      case UInt8(ascii: "c"): judgeConnection(field, head, message, exchange, context, report)
      case UInt8(ascii: "k"), UInt8(ascii: "p"), UInt8(ascii: "t"), UInt8(ascii: "u"):
        judgeUnnamed(field, head, message, exchange, context, report)
      default: break
      }
    }
  }

  private static func judgeUnnamed(
    _ field: HeaderField, _ head: MessageHead, _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    let block = head.block
    let name: StaticString
    if block.isNamed("keep-alive", field) {
      name = "keep-alive"
    } else if block.isNamed("upgrade", field) {
      name = "upgrade"
    } else if block.isNamed("te", field), block.value(field).lowercased() != "trailers" {
      name = "te"
    } else if block.isNamed("proxy-connection", field), exchange.isRequest(message),
      head.targetForm == .origin
    {
      name = "proxy-connection"
    } else {
      return
    }
    // Of a head that was cut, Connection may stand in the rest.
    guard message.headReleased != nil, !block.contains(name, in: "connection") else { return }
    report(
      finding(
        field, head, message, exchange, context,
        "\(exchange.title): \(block.name(field)) in what \(Wording.sender(message.direction)) sent concerns one connection only, and Connection does not name it.",
        note: "not named in Connection: a proxy forwards it"))
  }

  private static func judgeConnection(
    _ field: HeaderField, _ head: MessageHead, _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    guard head.block.isNamed("connection", field) else { return }
    let held = head.block.bytes
    let bytes = held.span
    for element in FieldList.elements(bytes, field.value) where !element.isEmpty {
      guard Self.endToEnd.contains(where: { matches(bytes, element, $0) }) else { continue }
      let name = head.block.text(of: element)
      report(
        finding(
          field, head, message, exchange, context,
          "\(exchange.title): Connection names \(name), so the next proxy removes that field, which is meant for all recipients.",
          note: "names a field for all recipients", fix: "Sender: take \(name) out of Connection."))
    }
  }

  private static func finding(
    _ field: HeaderField, _ head: MessageHead, _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ text: String, note: String, fix: String? = nil
  ) -> Finding {
    Finding(
      Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      FindingMessage(text), cost: .none, fix: fix ?? info.fix,
      evidence: [.field(field, head, message.direction, note)])
  }
}
