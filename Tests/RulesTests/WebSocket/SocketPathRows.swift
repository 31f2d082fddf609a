import Citation
import Events
import Support

/// What segments make of frames, what hops make of them, and what was agreed of them.
enum SocketPathRows {
  private typealias S = SocketFrames
  private typealias W = WebSocketRows
  private static let agreed = W.agreed

  /// Stream bytes that a script sends in a direction, so that a copy finds its place.
  private static func sent(_ direction: Direction, in script: String) -> Int {
    WireScript(script).packets.filter { $0.direction == direction }.reduce(0) { $0 + $1.payload.count }
  }

  /// A frame of the client's, again at the place where it was sent first.
  private static func copies(_ count: Int, of frame: [UInt8], behind script: String, last: String) -> String {
    let place = sent(.toServer, in: script)
    return (1...count).map { "+\(1 << $0)s\n> \(S.word(frame)) @\(place) \($0 == count ? last : "")\n" }.joined()
  }

  private static let frame = S.frame(1, Array("hello".utf8), key: S.key)
  private static let talk = agreed + S.up(1, "hi") + S.down(1, "hi") + "> ACK\n"
  private static let resent = talk + "> \(S.word(frame)) ③\n"

  /// A frame of 2,000 bytes in two segments.
  private static func long(_ first: String = "③") -> String {
    let frame = S.frame(2, [UInt8](repeating: 7, count: 2_000), key: S.key)
    return "> \(S.word(Array(frame[..<1_008]))) \(first)\n> \(S.word(Array(frame[1_008...])))\n"
  }

  private static func burst(_ count: Int, every pause: String) -> String {
    (1...count).map { S.down(1, "hi", $0 == 1 ? "③" : $0 == count ? "④" : "") + "+\(pause)\n" }.joined()
  }

  private static func subprotocol(_ name: String, _ frames: String) -> String {
    let field = #"Sec-WebSocket-Protocol: \#(name)\r\n"#
    return handshake + W.ask(field) + W.switching(field) + frames + S.goodbye
  }

  private static func connection(
    _ port: Int, to server: String = "10.0.0.2:80", from client: String = "10.0.0.1", at start: String, _ body: String
  ) -> String {
    "== \(client):\(port) \(server) +\(start)\n" + handshake + body
  }

  private static func hops(_ second: UInt32) -> String {
    let keys: [UInt32] = [0x1111_2222, 0x3333_4444, 0x5555_6677]
    let outer = keys.enumerated().map { S.up(1, "hi", $0 == 2 ? "③" : "", key: $1) + "+10ms\n" }.joined()
    let inner = keys.enumerated().map { S.up(1, "hi", $0 == 2 ? "④" : "", key: $0 == 1 ? second : $1) + "+12ms\n" }
    return connection(40_000, at: "0ms", W.ask() + "+40ms\n" + W.switching() + outer + "> FIN\n< FIN\n")
      + connection(
        50_000, to: "10.0.0.3:80", from: "10.0.0.2", at: "10ms",
        W.ask(marker: "") + W.switching(marker: "") + "+40ms\n" + inner.joined() + "> FIN\n< FIN\n")
  }

  private static func stored(_ text: String) -> [UInt8] {
    let length = UInt8(text.utf8.count)
    return [0, length, 0, ~length, 0xFF] + Array(text.utf8) + [0]
  }

  /// Messages of one kind, each compressed alone.
  private static func alone(_ texts: [String], _ terms: String) -> String {
    let field = #"Sec-WebSocket-Extensions: permessage-deflate\#(terms)\r\n"#
    let frames = texts.enumerated().map { index, text in
      S.down(
        1, "", index == 0 ? "③" : index == texts.count - 1 ? "④" : "", reserved: 4,
        // A stored block needs no compressor: what matters is what could have been.
        bytes: stored(text))
    }
    return handshake + W.ask(#"Sec-WebSocket-Extensions: permessage-deflate\r\n"#) + W.switching(field)
      + frames.joined() + S.goodbye
  }

  private static let alike = (0..<24).map { #"{"type":"tick","symbol":"AAPL","sequence":\#($0 + 1000)}"# }
  private static let unlike: [String] = {
    var random = SplitMix64(seed: 7)
    return (0..<24).map { _ in
      String(decoding: random.bytes(40).map { 33 + $0 % 90 }, as: UTF8.self)
    }
  }()

  static let rows: [RuleRow] = [
    .fires(
      "ws/half-open", "Three copies, and nobody.", resent + copies(3, of: frame, behind: talk, last: "④"),
      at: [3, 4], .toServer, cost: .failed(.connection), says: "11 B were never acknowledged"),
    .silent("ws/half-open", "One copy, and the capture ends.", resent + copies(1, of: frame, behind: talk, last: "")),
    .silent(
      "ws/half-open", "It was acknowledged in the end.",
      resent + copies(3, of: frame, behind: talk, last: "") + "< ACK\n" + S.goodbye),
    .fires(
      "ws/split-frame-misread", "An echo of the first part, and the end.",
      agreed + long() + S.down(2, "", "④", bytes: [UInt8](repeating: 7, count: 1_000)) + "< FIN ⑤\n> FIN\n",
      at: [3, 4, 5], .toClient, cost: .failed(.connection), says: "2,000 B, 1,000 B of it"),
    .silent(
      "ws/split-frame-misread", "An echo of all of it.",
      agreed + long("") + S.down(2, bytes: [UInt8](repeating: 7, count: 2_000)) + "< FIN\n> FIN\n"),
    .silent(
      "ws/split-frame-misread", "An answer of that length, and it goes on.",
      agreed + long("") + S.down(2, bytes: [UInt8](repeating: 7, count: 1_000)) + S.up(1, "hi") + "+1s\n" + S.goodbye),
    .fires(
      "ws/segment-per-frame", "Sixty within a moment.", agreed + burst(60, every: "1ms") + S.goodbye, at: [3, 4],
      .toClient, count: 59,
      says: "59 small frames"),
    .silent(
      "ws/segment-per-frame", "Each answers one of the other side.",
      agreed + (0..<60).map { _ in S.up(1, "hi") + S.down(1, "hi") }.joined() + S.goodbye),
    .silent("ws/segment-per-frame", "Forty.", agreed + burst(40, every: "1ms") + S.goodbye),
    .silent("ws/segment-per-frame", "Sixty, slowly.", agreed + burst(60, every: "9ms") + S.goodbye),
    .fires(
      "ws/app-mismatch", "STOMP was agreed, JSON-RPC is spoken.",
      subprotocol("v12.stomp", S.up(1, #"{"jsonrpc":"2.0","method":"a"}"#, "③")), at: [2, 3], .toServer,
      says: "speaks JSON-RPC"),
    .silent("ws/app-mismatch", "STOMP.", subprotocol("v12.stomp", S.up(1, "CONNECT\nhost:h\n\n\u{0}"))),
    .silent(
      "ws/app-mismatch", "Both protocols for GraphQL begin alike.",
      subprotocol("graphql-transport-ws", S.up(1, #"{"type":"connection_init"}"#))),
    .silent("ws/app-mismatch", "A name that nobody knows.", subprotocol("x", S.up(1, #"{"jsonrpc":"2.0"}"#))),
    .fires(
      "ws/app-error", "The broker refuses the destination, twice.",
      subprotocol("v12.stomp", S.down(1, "ERROR\nmessage:no\n\n\u{0}", "③") + S.down(1, "ERROR\nmessage:no\n\n\u{0}")),
      at: [3], .toClient, cost: .failed(.exchange), count: 2, says: "an ERROR frame of STOMP, 2 times"),
    .fires(
      "ws/app-error", "A subscription of GraphQL ends in an error, with blanks in its JSON.",
      subprotocol("graphql-transport-ws", S.down(1, #"{"id": "1", "type": "error", "payload": []}"#, "③")), at: [3],
      .toClient, cost: .failed(.exchange), says: "an error message of graphql-transport-ws"),
    .fires(
      "ws/app-error", "The realm does not exist.",
      subprotocol("wamp.2.json", S.up(1, #"[1,"x",{}]"#) + S.down(1, #"[3,{},"wamp.error.no_such_realm"]"#, "③")),
      at: [3],
      .toClient, cost: .failed(.exchange), says: "an ABORT of WAMP"),
    .fires(
      "ws/app-error", "MQTT answers with a code.",
      subprotocol("mqtt", S.down(2, "", "③", bytes: [0x20, 2, 0, 5])), at: [3], .toClient, cost: .failed(.exchange),
      says: "a CONNACK of MQTT with the code 5"),
    .silent("ws/app-error", "Numbers look like Socket.IO.", agreed + S.down(1, "40") + S.down(1, "44") + S.goodbye),
    .silent(
      "ws/app-error", "The client says ERROR.", subprotocol("v12.stomp", S.up(1, "ERROR\n\n\u{0}"))),
    .silent(
      "ws/app-error", "An answer has a word like it.",
      subprotocol("graphql-transport-ws", S.down(1, #"{"id":"1","type":"next","payload":{"data":{"type":"error"}}}"#))),
    .silent("ws/app-error", "MQTT accepts.", subprotocol("mqtt", S.down(2, bytes: [0x20, 2, 0, 0]))),
    .silent("ws/app-error", "Nobody knows what is spoken.", subprotocol("x", S.down(1, #"{"type":"error"}"#))),
    .fires(
      "ws/proxy-hop-frames", "The same masks.", hops(0x3333_4444), at: [3, 4], .toServer,
      says: "first 3 frames have the same masks"),
    .silent("ws/proxy-hop-frames", "One of them is another.", hops(0x3333_4445)),
    .silent("ws/pmd-no-takeover-cost", "The window is kept.", alone(alike, "")),
    .silent("ws/pmd-no-takeover-cost", "Nothing repeats.", alone(unlike, "; server_no_context_takeover")),
  ]

  /// It needs a compressor.
  static let compressed: [RuleRow] = [
    .fires(
      "ws/pmd-no-takeover-cost", "JSON of one kind.", alone(alike, "; server_no_context_takeover"), at: [3, 4],
      .toClient, says: "compresses each message alone")
  ]
}
