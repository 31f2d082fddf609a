import Events
import HTTPSemantics
import Trace
import WebSocketSemantics

// What a request and its 101 make of a connection (RFC 6455 §4, RFC 7692 §7.1).
extension WebSocketOpening {
  /// nil unless the response switches to WebSocket, and the request asked for it.
  init?(_ exchange: ExchangeRecord, _ response: Message, requests direction: Direction) {
    guard let answer = response.head, answer.status.code == 101, let request = exchange.request,
      let asked = request.head,
      asked.asksForWebSocket
    else { return nil }
    self.init()
    self.exchange = exchange.number
    self.response = response.first
    released = response.headReleased
    key = asked.block.first("sec-websocket-key").map { Array(asked.block.bytes[$0.value]) } ?? []
    subprotocol = answer.block.value("sec-websocket-protocol")
    extensions = answer.block.value("sec-websocket-extensions")
    deflate = answer.deflateTerms(client: direction)
    client = direction
  }
}

extension MessageHead {
  /// Whether it asks for WebSocket, of whatever version.
  var asksForWebSocket: Bool {
    block.contains("websocket", in: "upgrade") || block.first("sec-websocket-key") != nil
      || block.first("sec-websocket-key1") != nil
  }

  /// The terms of the first permessage-deflate that a response names, for each sender. What is no valid parameter is
  /// left out here, and found by rules.
  fileprivate func deflateTerms(client: Direction) -> BothDirections<DeflateTerms>? {
    let bytes = block.bytes
    for element in block.elements("sec-websocket-extensions") {
      let parts = FieldList.split(bytes.span, element, at: UInt8(ascii: ";"))
      guard block.reads("permessage-deflate", at: parts[0]) else { continue }
      var terms = BothDirections(repeating: DeflateTerms())
      for part in parts.dropFirst() {
        let halves = FieldList.split(bytes.span, part, at: UInt8(ascii: "="))
        let bits = halves.count > 1 ? Self.windowBits(FieldList.unquoted(bytes.span, halves[1])) : nil
        if block.reads("server_no_context_takeover", at: halves[0]) {
          terms[client.opposite].forgetsContext = true
        } else if block.reads("client_no_context_takeover", at: halves[0]) {
          terms[client].forgetsContext = true
        } else if block.reads("server_max_window_bits", at: halves[0]), let bits {
          terms[client.opposite].windowBits = bits
        } else if block.reads("client_max_window_bits", at: halves[0]), let bits {
          terms[client].windowBits = bits
        }
      }
      return terms
    }
    return nil
  }

  private static func windowBits(_ digits: [UInt8]) -> Int? {
    guard !digits.isEmpty, digits.count <= 2, digits.allSatisfy(\.isDigit) else { return nil }
    let bits = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return 8...15 ~= bits ? bits : nil
  }
}
