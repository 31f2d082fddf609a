import Events

extension Specification {
  static let lineEnds = Specification("RFC 9112 §2.2", "https://www.rfc-editor.org/rfc/rfc9112#section-2.2")
  static let smuggling = Specification("RFC 9112 §11.2", "https://www.rfc-editor.org/rfc/rfc9112#section-11.2")
  static let contentLength = Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6")
}
