import Events
import HTTPSemantics
import Trace

/// One client of one server name, as far as a capture can tell: behind one address there may be several.
struct Asker: Hashable, Sendable {
  var address: IPAddress
  var agent: String
  /// The Host field, or the server's address where there is none.
  var authority: String

  init(_ head: MessageHead, _ context: FlowContext) {
    address = context.client.address
    agent = head.block.value("user-agent") ?? ""
    authority = (head.block.value("host") ?? context.server.description).lowercased()
  }
}

extension MessageHead {
  /// The target's path, without query.
  var path: String {
    var target = Substring(targetText)
    if targetForm == .absolute, let colon = target.firstIndex(of: ":") {
      // Behind `://` and the authority.
      let rest = target[colon...].dropFirst(3)
      target = rest.firstIndex { $0 == "/" }.map { rest[$0...] } ?? "/"
    }
    return String(target.prefix { $0 != "?" && $0 != "#" })
  }
}

extension Finding {
  /// A finding of the whole capture, told where one connection shows it.
  func on(_ connection: Int) -> Finding {
    var finding = self
    finding.connection = connection
    return finding
  }
}
