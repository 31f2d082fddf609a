// Whether heads ask for WebSocket and switch to it (RFC 6455 §4).
extension MessageHead {
  /// `Upgrade: websocket`, in whatever case.
  package var namesWebSocket: Bool { block.contains("websocket", in: "upgrade") }

  /// It offers to go on with HTTP/2, or agrees on it.
  package var namesHTTP2: Bool { block.contains("h2c", in: "upgrade") }

  /// It asks for WebSocket, of whatever version: a request whose Upgrade was taken out on the way still has its key.
  package var asksForWebSocket: Bool {
    namesWebSocket || block.first("sec-websocket-key") != nil || block.first("sec-websocket-key1") != nil
  }

  /// A 101 to WebSocket, by what is in it alone: where the request was not captured.
  package var acceptsWebSocket: Bool {
    namesWebSocket && block.first("sec-websocket-accept") != nil
  }
}
