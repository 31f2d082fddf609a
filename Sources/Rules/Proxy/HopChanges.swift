import Citation
import Events
import HTTPSemantics

/// What a proxy changed in a request's head and in how bodies are framed, in words. Values are not shown.
struct HopChanges {
  private static let limit = 6

  let words: [String]

  init(_ pair: HopPair) {
    var words: [String] = []
    if let asked = pair.outer.exchange.request, let passed = pair.inner.exchange.request, let outer = asked.head,
      let inner = passed.head
    {
      if outer.path != inner.path { words.append("the path \(outer.path.prefix(40)) to \(inner.path.prefix(40))") }
      if outer.version != inner.version { words.append("HTTP/\(outer.version) to HTTP/\(inner.version)") }
      if outer.framing != inner.framing {
        words.append("the upload's framing (\(outer.framing.words) to \(inner.framing.words))")
      }
      words += Self.fields(outer.block, inner.block)
    }
    if let outer = pair.outer.exchange.response?.head, let inner = pair.inner.exchange.response?.head {
      if outer.framing != inner.framing {
        words.append("the response's framing (\(inner.framing.words) to \(outer.framing.words))")
      }
      if let coding = outer.block.value("content-encoding"), inner.block.first("content-encoding") == nil {
        words.append("the response's coding (\(coding.prefix(16)))")
      }
    }
    self.words = words.count > Self.limit ? words.prefix(Self.limit) + ["and more"] : words
  }

  private static func fields(_ outer: HeaderBlock, _ inner: HeaderBlock) -> [String] {
    let before = outer.names.filter { !$0.hasPrefix(":") }
    let after = inner.names.filter { !$0.hasPrefix(":") }
    let added = after.filter { name in !before.contains { $0.lowercased() == name.lowercased() } }
    let dropped = before.filter { name in !after.contains { $0.lowercased() == name.lowercased() } }
    var words: [String] = []
    if !added.isEmpty { words.append("fields added: \(list(added))") }
    if !dropped.isEmpty { words.append("fields dropped: \(list(dropped))") }
    return words
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and more" : "")
  }
}

extension HeaderBlock {
  var names: [String] { fields.map { name($0) } }
}

extension Framing {
  var words: String {
    switch self {
    case .none: "no body"
    case .length: "Content-Length"
    case .chunked: "chunked"
    case .close: "up to the close"
    case .tunnel: "tunnel"
    case .stream: "up to the end of its stream"
    }
  }
}
