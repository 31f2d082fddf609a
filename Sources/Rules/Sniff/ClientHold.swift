import Events
import HTTPSemantics
import Trace

/// How client libraries hold the beginning of a body back to guess its type: data, not code.
///
/// Counted after chunk decoding. Clients that never hold (curl, OkHttp, Node, Go, Java, Python) have no row.
struct ClientHold: Sendable {
  let family: String
  /// Body bytes after which the client hands over what it has.
  let bytes: UInt64
  /// Media types that are held; the empty string stands for none given.
  let types: Set<String>

  /// Apple's CFNetwork holds headers and body callbacks until 512 bytes; a declared `nosniff` ends it. Reported by a
  /// WebKit engineer in web-platform-tests issue 41037, and in Apple's developer forum, thread 64875.
  static let apple = ClientHold(family: "URLSession", bytes: 512, types: ["text/html", "text/plain", ""])

  /// Whether this client would wait with this response.
  func applies(to response: MessageHead) -> Bool {
    guard response.framing != .none else { return false }
    if let options = response.block.value("x-content-type-options"), options.lowercased().contains("nosniff") {
      return false
    }
    let type = response.block.value("content-type") ?? ""
    let essence = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    return types.contains(essence)
  }

  /// CFNetwork names itself and its kernel.
  static func isApple(_ request: MessageHead?) -> Bool {
    guard let agent = request?.block.value("user-agent") else { return false }
    return agent.contains("CFNetwork/") && agent.contains("Darwin/")
  }
}
