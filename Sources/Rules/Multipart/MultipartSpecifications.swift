import Events

extension Specification {
  static let multipartBoundary = Specification(
    "RFC 2046 §5.1.1", "https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1")
  static let formBoundary = Specification("RFC 7578 §4.1", "https://www.rfc-editor.org/rfc/rfc7578#section-4.1")
  static let formDisposition = Specification("RFC 7578 §4.2", "https://www.rfc-editor.org/rfc/rfc7578#section-4.2")
  static let formPartType = Specification("RFC 7578 §4.4", "https://www.rfc-editor.org/rfc/rfc7578#section-4.4")
  static let formTransferEncoding = Specification("RFC 7578 §4.7", "https://www.rfc-editor.org/rfc/rfc7578#section-4.7")
  static let formEncoding = Specification(
    "HTML: multipart form data",
    "https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data")
}
