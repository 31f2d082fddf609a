import Events
import HTTPSemantics

/// What is remarkable about a message or, all its messages taken together, about an exchange. Found once, so that a rule is
/// only asked where there may be something to judge. A rule that needs another one adds it here.
struct ExchangeFacts: OptionSet, Sendable {
  let rawValue: UInt64

  /// A response with a head.
  static let response = ExchangeFacts(rawValue: 1 << 0)
  /// Bytes of a body.
  static let body = ExchangeFacts(rawValue: 1 << 1)
  /// A parser accepted something malformed.
  static let leniences = ExchangeFacts(rawValue: 1 << 2)
  /// Something could not be read.
  static let errors = ExchangeFacts(rawValue: 1 << 3)
  /// A transfer coding, or a body that reads as chunks.
  static let chunks = ExchangeFacts(rawValue: 1 << 4)
  /// A response that is read item by item: events, or lines.
  static let stream = ExchangeFacts(rawValue: 1 << 5)
  /// A response that came in at least two bursts.
  static let drip = ExchangeFacts(rawValue: 1 << 6)
  /// A response whose content is coded.
  static let coded = ExchangeFacts(rawValue: 1 << 7)
  /// A response that refuses or has no content: 204, 4xx, 5xx.
  static let denial = ExchangeFacts(rawValue: 1 << 8)
  /// A head of HTTP/2.
  static let http2 = ExchangeFacts(rawValue: 1 << 9)
  /// A request that asks before it sends its body.
  static let expectation = ExchangeFacts(rawValue: 1 << 10)
  /// Two fields that may have one name.
  static let repeats = ExchangeFacts(rawValue: 1 << 11)
  /// A body that ends with its connection.
  static let untilClose = ExchangeFacts(rawValue: 1 << 12)
  /// A call of gRPC over HTTP/2, by its type, not from a web page.
  static let grpc = ExchangeFacts(rawValue: 1 << 13)
  /// A head or trailers of HTTP/2 in which not all is as it nearly always is; see HeaderBlock.isPlain.
  static let oddSection = ExchangeFacts(rawValue: 1 << 14)
  /// A response that is read item by item because its type says so, and one that is although its type does not.
  static let declaredItems = ExchangeFacts(rawValue: 1 << 15)
  static let undeclaredItems = ExchangeFacts(rawValue: 1 << 16)
  /// A stream of events by its type, answered 200.
  static let events = ExchangeFacts(rawValue: 1 << 17)
  /// One with something else in it than data, comments, names and ids.
  static let remarkableEvents = ExchangeFacts(rawValue: 1 << 18)
  /// A call of gRPC, over whatever version. Of the exchange only.
  static let call = ExchangeFacts(rawValue: 1 << 19)
  /// Fields of these names; see FieldNames.
  static let hopByHop = ExchangeFacts(.hopByHop)
  static let upgrade = ExchangeFacts(.upgrade)
  static let tokens = ExchangeFacts(.tokens)
  static let accelerator = ExchangeFacts(.accelerator)
  static let via = ExchangeFacts(.via)
  static let contentType = ExchangeFacts(.contentType)
  static let contentEncoding = ExchangeFacts(.contentEncoding)
  static let cookie = ExchangeFacts(.cookie)

  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  private init(_ names: FieldNames) {
    self.init(rawValue: UInt64(names.rawValue) << 32)
  }

  static var none: ExchangeFacts { ExchangeFacts(rawValue: 0) }

  // Asked for every message and every group of rules: those of SetAlgebra, and its empty literal, go through witness
  // tables.

  @inline(__always)
  mutating func add(_ facts: ExchangeFacts) { self = ExchangeFacts(rawValue: rawValue | facts.rawValue) }

  @inline(__always)
  func has(_ needs: ExchangeFacts) -> Bool { rawValue & needs.rawValue == needs.rawValue }

  /// What any message has; all that an interim response has.
  init(of message: Message) {
    var facts = Self.none
    if message.bodyBytes > 0 { facts.add(.body) }
    // How a body is framed whose head is not known is a good guess; what does not fit accuses neither side.
    if message.joined == nil {
      if !message.leniences.isEmpty { facts.add(.leniences) }
      if !message.errors.isEmpty { facts.add(.errors) }
    }
    if message.isChunked || message.hasInnerChunks || message.head?.block.first("transfer-encoding") != nil {
      facts.add(.chunks)
    }
    if let head = message.head {
      if head.reason == .endOfStream {
        facts.add(.http2)
        if !message.hasPlainSections(head) { facts.add(.oddSection) }
        if head.block.grpcType == .plain { facts.add(.grpc) }
      }
      if head.framing == .close { facts.add(.untilClose) }
      if head.block.mayRepeat { facts.add(.repeats) }
      facts.add(ExchangeFacts(head.block.known))
    }
    self = facts
  }

  init(request: Message) {
    self.init(of: request)
    if request.bodyBytes > 0, request.head?.block.first("expect") != nil { add(.expectation) }
  }

  init(response: Message) {
    self.init(of: response)
    guard response.head != nil else { return }
    add(.response)
    if response.isReadByItem { addItems(of: response) }
    if response.isDrip { add(.drip) }
    if response.isCoded { add(.coded) }
    let code = response.status.code
    if code >= 400 || code == 204 { add(.denial) }
  }
}

extension ExchangeFacts {
  /// Of a response that is read item by item. In its place: a copy of what is known of items is large.
  private mutating func addItems(of response: Message) {
    add(.stream)
    let (kind, isDeclared) = (response.itemKind, response.record.$stream.value.isDeclared)
    if kind != .grpc { add(isDeclared ? .declaredItems : .undeclaredItems) }
    guard kind == .sse, isDeclared, response.status.code == 200 else { return }
    add(.events)
    if response.record.$stream.value.isRemarkable { add(.remarkableEvents) }
  }
}

extension Message {
  fileprivate func hasPlainSections(_ head: MessageHead) -> Bool {
    var place = SectionPlace.response
    if case .request = head.line { place = .request }
    return head.block.isPlain(in: place) && trailers?.isPlain(in: .trailers) != false
  }
}
