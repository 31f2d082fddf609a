import Citation
import Events
import HTTPSemantics
import WebSocketSemantics

// What a request and its 101 make of a connection (RFC 6455 §4, RFC 7692 §7.1).
extension WebSocketOpening {
  /// nil unless the response switches to WebSocket.
  init?(_ exchange: ExchangeRecord, _ response: Message, requests direction: Direction) {
    guard let answer = response.head, answer.opensWebSocket(askedBy: exchange.request) else { return nil }
    self.init()
    exchangeKey = exchange.key
    self.response = response.first
    released = response.headReleased
    if let asked = exchange.request?.head {
      key = asked.block.first("sec-websocket-key").map { Array(asked.block.bytes[$0.value]) } ?? []
      version = asked.block.value("sec-websocket-version")
    }
    subprotocol = answer.block.value("sec-websocket-protocol")
    extensions = answer.block.value("sec-websocket-extensions")
    deflate = answer.deflateTerms(client: direction)
    client = direction
  }

  /// The same of a stream of HTTP/2, where neither key nor Upgrade is needed (RFC 8441 §5).
  init(
    _ exchange: ExchangeKey, _ asked: MessageHead, _ answer: MessageHead, _ first: PacketRef,
    requests direction: Direction
  ) {
    self.init()
    exchangeKey = exchange
    response = first
    released = answer.released
    version = asked.block.value("sec-websocket-version")
    subprotocol = answer.block.value("sec-websocket-protocol")
    extensions = answer.block.value("sec-websocket-extensions")
    deflate = answer.deflateTerms(client: direction)
    client = direction
  }
}

extension MessageHead {
  /// The terms of the first permessage-deflate that a response names, for each sender. What is no valid parameter is
  /// left out here, and found by rules.
  fileprivate func deflateTerms(client: Direction) -> BothDirections<DeflateTerms>? {
    guard let element = ExtensionList(block).elements.first(where: \.isDeflate) else { return nil }
    // Written out: a closure that put the names of parameters together, and one half of the result replaced afterwards,
    // gave the server the client's terms once optimized (Swift 6.3.1). Tests/EndToEnd/optimized looks for such faults.
    let ofClient = DeflateTerms(
      windowBits: element.parameter("client_max_window_bits")?.windowBits ?? 15,
      forgetsContext: element.parameter("client_no_context_takeover") != nil)
    let ofServer = DeflateTerms(
      windowBits: element.parameter("server_max_window_bits")?.windowBits ?? 15,
      forgetsContext: element.parameter("server_no_context_takeover") != nil)
    return client == .toServer
      ? BothDirections(toServer: ofClient, toClient: ofServer)
      : BothDirections(toServer: ofServer, toClient: ofClient)
  }
}
