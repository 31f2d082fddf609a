import Citation
import Events
import HTTPSemantics

/// A request to speak WebSocket from here on, and what answered it.
///
/// Recognised by the Upgrade token, by a key, or by the fields of the drafts before RFC 6455: never by a port or a path. A
/// request whose Upgrade was taken out on the way still has its key.
struct Upgrade: Sendable {
  enum Era: Sendable { case standard, draft }

  let exchange: ExchangeRecord
  let request: Message
  let head: MessageHead
  let era: Era
  /// `Upgrade: websocket`, in whatever case.
  let hasToken: Bool

  init?(_ exchange: ExchangeRecord) {
    // Streams of HTTP/2 have a handshake of their own.
    guard exchange.key.stream == nil, let request = exchange.request, request.headReleased != nil,
      let head = request.head
    else { return nil }
    let block = head.block
    let hasToken = head.namesWebSocket
    let hasKey = block.first("sec-websocket-key") != nil
    let isDraft76 = block.first("sec-websocket-key1") != nil || block.first("sec-websocket-key2") != nil
    let isDraft = isDraft76 || block.first("sec-websocket-draft") != nil
    guard hasToken || hasKey || isDraft else { return nil }
    self.exchange = exchange
    self.request = request
    self.head = head
    self.hasToken = hasToken
    // Draft 75 had no key at all, and its own spelling of the token.
    let isDraft75 =
      !hasKey && block.first("sec-websocket-version") == nil && block.value("upgrade") == "WebSocket"
    era = isDraft || isDraft75 ? .draft : .standard
  }

  var block: HeaderBlock { head.block }
  var status: UInt16 { exchange.status.code }
  var response: Message? { exchange.response }

  /// The head of the 101.
  var acceptance: MessageHead? {
    guard let answer = exchange.response?.head, answer.status == .switchingProtocols else { return nil }
    return answer
  }

  /// It was answered, and not with 101.
  var isRefused: Bool { acceptance == nil && status >= 200 }

  /// The only key, where there is one and no more.
  var key: HeaderField? {
    let keys = block.all("sec-websocket-key")
    return keys.count == 1 ? keys[0] : nil
  }

  var namesUpgrade: Bool { block.contains("upgrade", in: "connection") }

  /// The request line, as evidence for what is not there.
  func line(_ note: String) -> [Evidence] { [Evidence.startLine(request, note)].compactMap { $0 } }

  /// A field of the request.
  func field(_ field: HeaderField, _ note: String) -> Evidence { .field(field, head, request.direction, note) }

  /// The status line of the response, as evidence for what is not there.
  func statusLine(_ note: String) -> [Evidence] {
    guard let response else { return [] }
    return [Evidence.startLine(response, note)].compactMap { $0 }
  }

  /// A field of the response.
  func answered(_ field: HeaderField, _ note: String) -> Evidence? {
    guard let response, let answer = response.head else { return nil }
    return .field(field, answer, response.direction, note)
  }
}

/// What one rule has to say of a handshake.
struct HandshakeFault: Sendable {
  /// As the end of a sentence.
  var what: String
  var evidence: [Evidence]
  var severity: Severity?

  init(_ what: String, _ evidence: [Evidence], severity: Severity? = nil) {
    self.what = what
    self.evidence = evidence
    self.severity = severity
  }
}

extension HeaderBlock {
  /// A value as it may stand in a sentence: not too long, and without control characters.
  func shown(_ field: HeaderField) -> String { HeaderBlock.shown(value(field)) }

  static func shown(_ text: String) -> String {
    let clean = String(text.unicodeScalars.prefix(64).map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) })
    return clean.unicodeScalars.count < text.unicodeScalars.count ? clean + "…" : clean
  }

  /// The elements of all lists of a name, without the empty ones.
  func tokens(_ lowercaseName: StaticString) -> [String] {
    elements(lowercaseName).filter { !$0.isEmpty }.map { text(of: $0) }
  }
}
