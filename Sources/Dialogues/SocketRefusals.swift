import Citation
import Events
import WebSocketSemantics

/// Messages with which a server refuses what its client asked, in the words of the protocol inside the WebSocket.
///
/// Looked for among the first messages, whose beginnings are kept.
struct SocketRefusals: Sendable {
  private(set) var found: WebSocketRecord.Refusal?

  mutating func note(_ message: WebSocketMessage, of application: String) {
    guard !message.opening.isEmpty,
      let words = message.opcode == .text
        ? Self.words(message.opening, of: application) : Self.binary(message.opening, of: application)
    else { return }
    if found == nil {
      found = .init(words: words, packet: message.span.first)
    } else {
      found?.count += 1
    }
  }

  private enum Sign: Sendable {
    case begins(String)
    case has(String)
  }

  /// In text without blanks.
  private static let signs: [(application: String, sign: Sign, words: String)] = [
    ("STOMP", .begins("ERROR\n"), "an ERROR frame of STOMP"),
    ("STOMP", .begins("ERROR\r\n"), "an ERROR frame of STOMP"),
    ("WAMP", .begins("[3,"), "an ABORT of WAMP"),
    ("WAMP", .begins("[8,"), "an ERROR of WAMP"),
    ("Socket.IO", .begins("44"), "a CONNECT_ERROR of Socket.IO"),
    ("Phoenix", .has("\"phx_error\""), "phx_error of a Phoenix channel"),
    ("SignalR", .begins("{\"type\":7,\"error\""), "a Close of SignalR with an error"),
    ("SignalR", .begins("{\"error\""), "a refused handshake of SignalR"),
    ("Action Cable", .has("\"type\":\"reject_subscription\""), "a rejected subscription of Action Cable"),
    ("Action Cable", .has("\"reason\":\"unauthorized\""), "a disconnect of Action Cable: unauthorized"),
    ("XMPP", .begins("<stream:error"), "a stream error of XMPP"),
    ("XMPP", .begins("<failure"), "a failure of XMPP"),
  ]
  private static let graphQL: [(type: String, words: String)] = [
    ("connection_error\"", "connection_error"), ("error\"", "an error message"),
  ]

  private static func words(_ opening: [UInt8], of application: String) -> String? {
    let compact = opening.filter { $0 != UInt8(ascii: " ") }
    func has(_ text: String) -> Bool { compact.firstRange(of: Array(text.utf8)) != nil }
    if application.lowercased().hasPrefix("graphql") {
      // The first type is the message's; data may have types, too.
      guard let type = compact.firstRange(of: Array("\"type\":\"".utf8))?.upperBound else { return nil }
      let found = graphQL.first { compact[type...].starts(with: $0.type.utf8) }
      return found.map { "\($0.words) of \(application)" }
    }
    // A reply has its status behind the names of its channel.
    if application == "Phoenix", has("\"phx_reply\""), has("\"status\":\"error\"") {
      return "a reply of a Phoenix channel with the status error"
    }
    let sign = signs.first { one in
      guard one.application == application else { return false }
      switch one.sign {
      case .begins(let text): return compact.starts(with: text.utf8)
      case .has(let text): return has(text)
      }
    }
    return sign?.words
  }

  /// A CONNACK of MQTT whose code is not 0.
  private static func binary(_ opening: [UInt8], of application: String) -> String? {
    guard application == "MQTT", opening.count >= 4, opening[0] == 0x20, opening[3] != 0 else { return nil }
    return "a CONNACK of MQTT with the code \(opening[3])"
  }
}
