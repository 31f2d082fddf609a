import Citation
import Events
import HTTPSemantics
import WebSocketSemantics

/// What is spoken inside a WebSocket connection: by the subprotocol that was agreed, by the path, and by how the first
/// messages begin, in this order.
struct SocketApplication: Sendable {
  private(set) var name: String?
  /// What is spoken instead of what was agreed.
  private(set) var other: WebSocketRecord.OtherApplication?
  private var refusals = SocketRefusals()
  var refusal: WebSocketRecord.Refusal? { refusals.found }
  private(set) var promise: WebSocketRecord.Promise?
  private var promises = 0
  private let isAgreed: Bool
  private var looks = 0
  /// Messages that are looked at.
  private static let limit = 4

  init(subprotocol: String?, path: String) {
    let agreed = subprotocol.flatMap { Self.named($0.lowercased()) }
    isAgreed = agreed != nil
    name = agreed ?? Self.placed(path)
  }

  mutating func note(_ message: WebSocketMessage, isServers: Bool) {
    recognize(message)
    if promises < Self.limit {
      promises += 1
      promise = promise ?? SocketPromise.read(message, isServers: isServers)
    }
    if isServers, let name { refusals.note(message, of: name) }
  }

  private mutating func recognize(_ message: WebSocketMessage) {
    guard name == nil || isAgreed, looks < Self.limit else { return }
    looks += 1
    guard let spoken = message.opcode == .text ? Self.spoken(message.opening) : Self.binary(message.opening) else {
      return
    }
    guard isAgreed, let name else { return name = spoken }
    // Two digits begin many things.
    if other == nil, spoken != "Socket.IO", Self.family(spoken) != Self.family(name) {
      other = .init(name: spoken, direction: message.direction, packet: message.span.first)
    }
  }

  /// Both protocols for GraphQL begin alike.
  static func family(_ name: String) -> String {
    name.lowercased().hasPrefix("graphql") ? "graphql" : name
  }

  // MARK: By the subprotocol

  private static let tokens: [(prefix: String, name: String)] = [
    ("graphql-transport-ws", "graphql-transport-ws"), ("graphql-ws", "graphql-ws (subscriptions-transport-ws)"),
    ("v10.stomp", "STOMP"), ("v11.stomp", "STOMP"), ("v12.stomp", "STOMP"), ("mqtt", "MQTT"), ("wamp.2.", "WAMP"),
    ("actioncable-", "Action Cable"), ("ocpp", "OCPP"), ("janus-protocol", "Janus"), ("xmpp", "XMPP"), ("sip", "SIP"),
    ("vite-hmr", "Vite HMR"), ("binary", "RFB (noVNC)"), ("json-rpc", "JSON-RPC"), ("jsonrpc", "JSON-RPC"),
  ]

  private static func named(_ subprotocol: String) -> String? {
    tokens.first { subprotocol.hasPrefix($0.prefix) }?.name
  }

  // MARK: By the path

  /// By bytes: to look for a string in another one takes 20,000 instructions.
  private static func placed(_ path: String) -> String? {
    let halves = path.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let place = halves.first else { return nil }
    let parts = place.split(separator: UInt8(ascii: "/"))
    let parameters = halves.count > 1 ? halves[1].split(separator: UInt8(ascii: "&")) : []
    func has(_ beginning: String) -> Bool { parameters.contains { $0.starts(with: beginning.utf8) } }
    if has("transport=websocket"), has("EIO=") {
      return place.firstRange(of: Array("socket.io".utf8)) != nil ? "Socket.IO" : "Engine.IO"
    }
    guard parts.last?.elementsEqual("websocket".utf8) == true else { return nil }
    if has("vsn="), place.suffix(10).elementsEqual("/websocket".utf8) { return "Phoenix" }
    guard parts.count >= 3 else { return nil }
    let server = parts[parts.count - 3]
    return server.count == 3 && server.allSatisfy({ $0 &- 0x30 < 10 }) ? "SockJS" : nil
  }

  // MARK: By how messages begin

  private static let openings: [(opening: String, name: String)] = [
    ("0{\"sid\"", "Engine.IO"), ("40", "Socket.IO"), ("42[", "Socket.IO"), ("2probe", "Engine.IO"),
    ("{\"type\":\"connection_init\"", "GraphQL"), ("{\"type\":\"connection_ack\"", "GraphQL"),
    ("{\"protocol\":\"json\",\"version\":", "SignalR"), ("{\"protocol\":\"messagepack\",\"version\":", "SignalR"),
    ("CONNECT\n", "STOMP"), ("CONNECTED\n", "STOMP"), ("STOMP\n", "STOMP"), ("{\"jsonrpc\":\"2.0\"", "JSON-RPC"),
    ("[1,\"", "WAMP"), ("{\"type\":\"welcome\"", "Action Cable"), ("{\"command\":\"subscribe\"", "Action Cable"),
    ("<open", "XMPP"), ("a[\"", "SockJS"),
  ]

  private static func spoken(_ opening: [UInt8]) -> String? {
    let compact = opening.filter { $0 != UInt8(ascii: " ") }
    if let found = openings.first(where: { compact.starts(with: $0.opening.utf8) }) { return found.name }
    guard compact.first == UInt8(ascii: "[") || compact.first == UInt8(ascii: "{") else { return nil }
    let words = ["\"phx_join\"", "\"phoenix\",\"heartbeat\""]
    return words.contains { compact.firstRange(of: Array($0.utf8)) != nil } ? "Phoenix" : nil
  }

  private static func binary(_ opening: [UInt8]) -> String? {
    if MQTTConnect.name(in: opening) != nil { return "MQTT" }
    return opening.starts(with: Array("RFB 00".utf8)) ? "RFB (noVNC)" : nil
  }
}
