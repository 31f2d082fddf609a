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

  private struct Sign: Sendable {
    var application: String
    /// Of text without blanks, what it begins with and what it has. A quote inside a string would be escaped.
    var beginning = ""
    var parts: [String] = []
    var words: String
  }

  private static let signs = [
    Sign(application: "STOMP", beginning: "ERROR\n", words: "an ERROR frame of STOMP"),
    Sign(application: "STOMP", beginning: "ERROR\r\n", words: "an ERROR frame of STOMP"),
    Sign(application: "WAMP", beginning: "[3,{", words: "an ABORT of WAMP"),
    Sign(application: "WAMP", beginning: "[8,", parts: [",{"], words: "an ERROR of WAMP"),
    // Two digits begin many things.
    Sign(application: "Socket.IO", beginning: "44{", words: "a CONNECT_ERROR of Socket.IO"),
    Sign(application: "Socket.IO", beginning: "44\"", words: "an ERROR of Socket.IO"),
    Sign(application: "Socket.IO", beginning: "44/", words: "a CONNECT_ERROR of a namespace of Socket.IO"),
    Sign(application: "Phoenix", parts: ["\"phx_error\""], words: "phx_error of a Phoenix channel"),
    Sign(
      application: "Phoenix", parts: ["\"phx_reply\"", "\"status\":\"error\""],
      words: "a reply of a Phoenix channel with the status error"),
    Sign(application: "SignalR", beginning: "{\"type\":7,\"error\"", words: "a Close of SignalR with an error"),
    Sign(application: "SignalR", beginning: "{\"error\"", words: "a refused handshake of SignalR"),
    Sign(
      application: "Action Cable", parts: ["\"type\":\"reject_subscription\""],
      words: "a rejected subscription of Action Cable"),
    Sign(
      application: "Action Cable", beginning: "{\"type\":\"disconnect\",\"reason\":\"unauthorized\"",
      words: "a disconnect of Action Cable: unauthorized"),
    Sign(application: "XMPP", beginning: "<stream:error", words: "a stream error of XMPP"),
    Sign(application: "XMPP", beginning: "<failure", words: "a failure of XMPP"),
  ]
  /// By the first type, which is the message's: data may have types, too.
  private static let graphQL = [
    ("\"type\":\"connection_error\"", "connection_error"), ("\"type\":\"error\"", "an error message"),
  ]

  private static func words(_ opening: [UInt8], of application: String) -> String? {
    let compact = opening.filter { $0 != UInt8(ascii: " ") }
    func place(of text: String) -> Int? { compact.firstRange(of: Array(text.utf8))?.lowerBound }
    if SocketApplication.family(application) == "graphql" {
      guard let type = place(of: "\"type\":\"") else { return nil }
      return graphQL.first { compact[type...].starts(with: $0.0.utf8) }.map { "\($0.1) of \(application)" }
    }
    return signs.first { sign in
      sign.application == application && compact.starts(with: sign.beginning.utf8)
        && sign.parts.allSatisfy { place(of: $0) != nil }
    }?.words
  }

  /// A CONNACK of MQTT whose code is not 0.
  private static func binary(_ opening: [UInt8], of application: String) -> String? {
    guard application == "MQTT", opening.count >= 4, opening[0] == 0x20, opening[3] != 0 else { return nil }
    let name = connectCodes[opening[3]].map { " (\($0))" } ?? ""
    return "a CONNACK of MQTT with the code \(opening[3])\(name)"
  }

  /// Of MQTT 3.1.1 (§3.2.2.3), and from 128 on of MQTT 5 (§3.2.2.2).
  private static let connectCodes: [UInt8: String] = [
    1: "unacceptable protocol version", 2: "client identifier rejected", 3: "server unavailable",
    4: "bad user name or password", 5: "not authorized", 132: "unsupported protocol version",
    133: "client identifier not valid", 134: "bad user name or password", 135: "not authorized",
    136: "server unavailable", 137: "server busy", 138: "banned",
  ]
}
