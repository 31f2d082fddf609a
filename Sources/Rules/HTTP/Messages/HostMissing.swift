import Citation
import Events
import HTTPSemantics

/// A request without a Host that could be one.
enum HostMissing: ExchangeRule {
  static let info = RuleInfo(
    id: "http/host-missing", severity: .error,
    summary: "A request has no Host field, more than one, or one that is no host.",
    explanation: """
      Since HTTP/1.1 every request names its site, and a server has to answer 400 where it does not, or does so twice. \
      Servers that hold one site only answer all the same, so the mistake shows when a proxy or a second site is \
      added. Two of them, or one with a path or blanks in it, let a filter and the server see different sites.
      """,
    evidence: "The request line, or the fields. HTTP/1.0 needs no Host; an empty one is legal.",
    fix: "Client: send exactly one Host with the name, and the port unless it is the standard one.",
    specifications: [
      Specification("RFC 9112 §3.2", "https://www.rfc-editor.org/rfc/rfc9112#section-3.2"),
      Specification("RFC 9110 §7.2", "https://www.rfc-editor.org/rfc/rfc9110#section-7.2"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { [] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, request.headReleased != nil, let head = request.head,
      head.version >= .http11, !head.block.lacksFields
    else { return }
    // Nearly every request has one, with nothing odd in it.
    if !head.block.mayRepeat, let host = head.block.first("host"), Self.oddByte(in: head.block, host.value) == nil {
      return
    }
    let hosts = head.block.all("host")
    let what: String
    var evidence: [Evidence]
    if hosts.count == 1 {
      guard let odd = Self.oddByte(in: head.block, hosts[0].value) else { return }
      what = "the Host field has \(odd) in it, which no host has"
      evidence = [.field(hosts[0], head, request.direction, "no host, or more than one")]
    } else if hosts.isEmpty {
      what = "the request has no Host field"
      evidence = [Evidence(.packet(head.span.first, request.direction), "a head without Host")]
    } else {
      what = "the request has \(hosts.count) Host fields"
      evidence = hosts.prefix(2).map { .field($0, head, request.direction, "one of \(hosts.count)") }
    }
    let isRefused = exchange.status.code == 400
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
        "\(exchange.title): \(what).", cost: isRefused ? .failed(.exchange) : .none,
        fix: info.fix,
        // Two Host fields are reported under their repetition.
        causedBy: hosts.count > 1 ? DuplicateSingleton.info.id : nil, evidence: evidence))
  }

  /// What cannot stand in `host:port` (RFC 3986 §3.2.2), as words.
  private static func oddByte(in block: HeaderBlock, _ value: Range<Int>) -> String? {
    let held = block.bytes
    let bytes = held.span
    for index in value.clamped(to: 0..<bytes.count) {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
        continue
      case _ where "-._~%!$&'()*+,;=:[]".utf8.contains(byte): continue
      case .space, .horizontalTab: return "a space"
      case 0x21..<0x7F: return "\"\(Character(Unicode.Scalar(byte)))\""
      default: return "a byte outside ASCII, or a control character"
      }
    }
    return nil
  }
}
