import Events

extension Specification {
  /// A section of RFC 6455: `4.1`.
  static func webSocket(_ section: String) -> Specification {
    Specification("RFC 6455 §\(section)", "https://www.rfc-editor.org/rfc/rfc6455#section-\(section)")
  }

  /// A section of RFC 7692, compression of messages.
  static func deflate(_ section: String) -> Specification {
    Specification("RFC 7692 §\(section)", "https://www.rfc-editor.org/rfc/rfc7692#section-\(section)")
  }

  static func http(_ section: String) -> Specification {
    Specification("RFC 9110 §\(section)", "https://www.rfc-editor.org/rfc/rfc9110#section-\(section)")
  }

  static let webSocketDraft = Specification(
    "draft-ietf-hybi-thewebsocketprotocol-00",
    "https://datatracker.ietf.org/doc/html/draft-ietf-hybi-thewebsocketprotocol-00")
  static let webSocketAPI = Specification("WebSockets Standard", "https://websockets.spec.whatwg.org/")
}
