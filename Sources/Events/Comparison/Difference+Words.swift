import Citation

extension Difference {
  /// What differs, for a sentence; values of fields are not reported, because they may be secrets.
  package var words: String {
    let (one, other) = (a ?? "nothing", b ?? "nothing")
    switch kind {
    case .codingCase: return "Transfer-Encoding is \"\(one)\" in A and \"\(other)\" in B"
    case .method: return "the method is \(one) in A and \(other) in B"
    case .target: return "the target differs"
    case .version: return "the \(part.rawValue) is \(one) in A and \(other) in B"
    case .status: return "the response is \(one) in A and \(other) in B"
    case .framing: return "the body of the \(part.rawValue) is framed by \(one) in A and \(other) in B"
    case .fieldCase: return "a name is spelled \"\(one)\" in A and \"\(other)\" in B"
    case .fieldValue: return "\(name) differs in value"
    case .fieldAdded: return "\(name) is in B only"
    case .fieldRemoved: return "\(name) is in A only"
    case .fieldOrder: return "fields are in another order, from \(one) and \(other) on"
    case .contentCoding:
      return "the content coding of the body is \(a ?? "none") in A and \(b ?? "none") in B"
    case .trailers: return "trailers differ"
    case .chunks: return "the \(part.rawValue) is cut into \(one) in A and \(other) in B"
    case .content: return contentWords
    case .end: return "\(subject) is \(one) in A and \(other) in B"
    case .interim: return "before the response came \(one) in A and \(other) in B"
    case .messages: return "\(name) sent \(one) in A and \(other) in B"
    case .fragments: return "\(name) sent \(one) in A and \(other) in B"
    case .masks: return "frames are masked with other keys"
    case .close: return "\(name) sent \(one) in A and \(other) in B"
    case .tls: return "TLS: \(name.isEmpty ? "" : "\(name) ")\(one) in A and \(other) in B"
    }
  }

  private var subject: String { part == .connection ? "the connection" : "the \(part.rawValue)" }

  private var contentWords: String {
    let (one, other) = (a ?? "nothing", b ?? "nothing")
    if part == .webSocket { return "\(name) sent in A \(one), and in B \(other)" }
    if part == .connection { return "other bytes of \(name)" }
    guard let from, let to else { return "the \(part.rawValue) has \(one) in A and \(other) in B" }
    let place =
      to == from + 1
      ? "at byte \(Wording.number(from))" : "between bytes \(Wording.number(from)) and \(Wording.number(to))"
    return "the bytes of the \(part.rawValue) first differ \(place)"
  }
}

extension ComparisonVerdict {
  /// `buffered upload`, `truncated`
  package var words: String {
    guard let direction else { return word.rawValue }
    return "\(direction == .toServer ? "upload" : "download") \(word.rawValue)"
  }
}
