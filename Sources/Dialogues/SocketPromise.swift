import Citation
import Events
import WebSocketSemantics

/// How long a side may be silent, as the first message of MQTT or of Engine.IO says.
enum SocketPromise {
  static func read(_ message: WebSocketMessage, isServers: Bool) -> WebSocketRecord.Promise? {
    let words: String
    let nanoseconds: Int64
    if isServers {
      guard message.opcode == .text, let patience = engine(message.opening) else { return nil }
      (words, nanoseconds) = ("Engine.IO: pingInterval and pingTimeout", patience)
    } else {
      guard message.opcode != .text, let seconds = MQTTConnect.keepAlive(in: message.opening) else { return nil }
      // A broker waits for one and a half of it (MQTT 5.0 §3.1.2.10).
      (words, nanoseconds) = ("MQTT: one and a half Keep Alive of \(seconds) s", seconds * 1_500_000_000)
    }
    return .init(by: message.direction, nanoseconds: nanoseconds, words: words, packet: message.span.first)
  }

  /// `0{"sid":"…","pingInterval":25000,"pingTimeout":20000}`: milliseconds. A client leaves where the server, which asks
  /// every interval, was not heard for both.
  private static func engine(_ opening: [UInt8]) -> Int64? {
    guard opening.starts(with: "0{".utf8), let interval = number(after: "\"pingInterval\":", in: opening),
      let timeout = number(after: "\"pingTimeout\":", in: opening)
    else { return nil }
    return (interval + timeout) * 1_000_000
  }

  private static func number(after name: String, in opening: [UInt8]) -> Int64? {
    guard let place = opening.firstRange(of: Array(name.utf8)) else { return nil }
    let digits = opening[place.upperBound...].prefix { $0 &- 0x30 < 10 }
    // What stands at the end of what is kept may go on.
    guard (1...8).contains(digits.count), digits.endIndex < opening.count else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}
