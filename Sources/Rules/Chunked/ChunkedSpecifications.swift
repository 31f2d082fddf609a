import Events

extension Specification {
  static let chunkedCoding = Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1")
  static let chunkExtensions = Specification("RFC 9112 §7.1.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1.1")
  static let transferCodings = Specification("RFC 9112 §7", "https://www.rfc-editor.org/rfc/rfc9112#section-7")
  static let transferEncoding = Specification("RFC 9112 §6.1", "https://www.rfc-editor.org/rfc/rfc9112#section-6.1")
  static let bodyLength = Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3")
  static let incompleteMessages = Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8")
}
