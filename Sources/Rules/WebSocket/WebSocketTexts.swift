/// Sentences that several rules say.
enum WebSocketTexts {
  /// Of a frame that breaks the protocol.
  static let closes = "A receiver has to end the connection for it, with Close 1002"

  /// Of a mask that is not random.
  static let guessable = """
    A mask that can be guessed lets a page choose the bytes that a browser writes to the network, which is how caches of \
    old proxies were poisoned.
    """

  /// Of an extension that was not agreed.
  static let fails = """
    The client must drop the connection: it would not know how to read what comes. Browsers close right behind the 101, and \
    the API shows 1006.
    """

  /// To who took the upgrade out of a request.
  static let forward = """
    Proxy: forward the upgrade explicitly (nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; \
    proxy_set_header Connection "upgrade"). Client: send Upgrade: websocket and Connection: Upgrade.
    """
}
