import HTTPSemantics

extension MessageHead {
  /// The first of the fields that proxies add to the requests they pass on.
  var forwardingField: HeaderField? {
    for name: StaticString in ["via", "x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-proto"] {
      if let field = block.first(name) { return field }
    }
    return nil
  }

  /// Its own fields say that a proxy sent it.
  var isForwarded: Bool { forwardingField != nil }
}
