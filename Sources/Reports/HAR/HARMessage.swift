import Citation

/// A request or a response of the archive, as far as both are alike. Without one everything is unknown.
struct HARMessage {
  private let node: DocumentNode?
  private let headers: [(name: String, value: String)]
  private let isRedacted: Bool
  private let headBytes: Int64?

  init(_ node: DocumentNode?, isRedacted: Bool, headBytes: Int64?) {
    self.node = node
    self.isRedacted = isRedacted
    self.headBytes = node == nil ? nil : headBytes.flatMap { $0 > 0 ? $0 : nil }
    headers = HARMessage.pairs(node, "headers")
  }

  private static func pairs(_ node: DocumentNode?, _ key: String) -> [(name: String, value: String)] {
    (node?.elements(key) ?? []).compactMap { pair in
      let parts = pair.elements
      guard parts.count == 2, let name = parts[0].text, let value = parts[1].text else { return nil }
      return (name, value)
    }
  }

  /// Of a field; the name in lower case.
  func value(of name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

  private var bodyBytes: Int64? { node?.integer("bodyBytes").map { max(0, $0) } }

  /// Version and fields.
  func lines(to json: inout JSONWriter) {
    let version = node?.text("version") ?? ""
    json.field("httpVersion", version.isEmpty || version.contains("/") ? version : "HTTP/\(version)")
    list("headers", headers, to: &json)
    let trailers = HARMessage.pairs(node, "trailers")
    if !trailers.isEmpty { list("_trailers", trailers, to: &json) }
  }

  private func list(_ name: FieldName, _ pairs: [(name: String, value: String)], to json: inout JSONWriter) {
    json.array(name) { list in
      for pair in pairs {
        list.object { json in
          json.field("name", pair.name)
          json.field("value", pair.value)
        }
      }
    }
  }

  func sizes(to json: inout JSONWriter) {
    json.field("headersSize", headBytes ?? -1)
    json.field("bodySize", bodyBytes ?? -1)
  }

  /// Head and body on the wire, without what frames the chunks.
  var transferSize: Int64 {
    (headBytes ?? 0).addingReportingOverflow(bodyBytes ?? 0).partialValue
  }

  // MARK: Bodies

  func content(_ mimeType: String, to json: inout JSONWriter) {
    json.object("content") { json in
      let decoded = node?.integer("contentBytes").map { max(0, $0) }
      let size = decoded ?? bodyBytes ?? 0
      json.field("size", size)
      if let decoded, let bodyBytes { json.field("compression", decoded - bodyBytes) }
      json.field("mimeType", mimeType.isEmpty ? "x-unknown" : mimeType)
      if size > 0 { json.field("comment", "The body is not included.") }
    }
  }

  /// The names of parts are known, their content is not.
  func postData(to json: inout JSONWriter) {
    guard let bodyBytes, bodyBytes > 0 else { return }
    json.object("postData") { json in
      json.field("mimeType", value(of: "content-type") ?? "")
      json.array("params") { list in
        for part in node?.elements("parts") ?? [] {
          list.object { json in
            json.field("name", part.text("name") ?? "")
            json.field("fileName", part.text("filename"))
            json.field("contentType", part.text("type"))
          }
        }
      }
      json.field("text", "")
      json.field("comment", "The body is not included.")
    }
  }

  static func mimeType(_ response: DocumentNode?) -> String {
    let type = HARMessage(response, isRedacted: true, headBytes: nil).value(of: "content-type") ?? ""
    return type.prefix { $0 != ";" }.trimmed.lowercased()
  }

  /// The resource type in Chrome's terms: from the request if it declares it, else from the type of the response.
  static func resourceType(_ request: DocumentNode?, _ mimeType: String) -> String {
    let form = HARMessage(request, isRedacted: true, headBytes: nil)
    if request?.text("method") == "OPTIONS", form.value(of: "access-control-request-method") != nil {
      return "preflight"
    }
    switch form.value(of: "sec-fetch-dest") {
    case "document", "iframe", "frame": return "document"
    case "style": return "stylesheet"
    case "script", "worker", "sharedworker", "serviceworker": return "script"
    case "image": return "image"
    case "font": return "font"
    case "audio", "video": return "media"
    case "track": return "texttrack"
    case "manifest": return "manifest"
    case "empty": return form.value(of: "x-requested-with") == nil ? "fetch" : "xhr"
    default: break
    }
    switch mimeType.prefix(while: { $0 != "/" }) {
    case "image": return "image"
    case "audio", "video": return "media"
    case "font": return "font"
    default: break
    }
    switch mimeType {
    case "text/html", "application/xhtml+xml": return "document"
    case "text/css": return "stylesheet"
    case "text/javascript", "application/javascript", "application/x-javascript": return "script"
    case "text/vtt": return "texttrack"
    case "application/manifest+json": return "manifest"
    case _ where mimeType.hasSuffix("json"): return "fetch"
    default: return "other"
    }
  }

  // MARK: Cookies

  /// Taken apart only where nothing is redacted: otherwise there is but one length and hash for all of them.
  func cookies(_ read: ([(name: String, value: String)]) -> [Cookie], to json: inout JSONWriter) {
    json.array("cookies") { list in
      guard !isRedacted else { return }
      for cookie in read(headers) {
        list.object { json in
          json.field("name", cookie.name)
          json.field("value", cookie.value)
          json.field("path", cookie.path)
          json.field("domain", cookie.domain)
          if cookie.isHTTPOnly { json.field("httpOnly", true) }
          if cookie.isSecure { json.field("secure", true) }
          json.field("sameSite", cookie.sameSite)
        }
      }
    }
  }

  struct Cookie: Equatable {
    var name: String
    var value: String
    var path: String?
    var domain: String?
    var isHTTPOnly = false
    var isSecure = false
    var sameSite: String?

    /// A name, '=' and a value; nil without the '='.
    fileprivate init?(_ pair: Substring) {
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      name = pair[..<equals].trimmed
      value = pair[pair.index(after: equals)...].trimmed
    }
  }

  static func requestCookies(_ headers: [(name: String, value: String)]) -> [Cookie] {
    headers.filter { $0.name.lowercased() == "cookie" }.flatMap { header in
      header.value.split(separator: ";").compactMap { Cookie($0) }
    }
  }

  static func responseCookies(_ headers: [(name: String, value: String)]) -> [Cookie] {
    headers.filter { $0.name.lowercased() == "set-cookie" }.compactMap { header in
      let parts = header.value.split(separator: ";")
      guard let first = parts.first, var cookie = Cookie(first) else { return nil }
      for part in parts.dropFirst() {
        let equals = part.firstIndex(of: "=")
        let value = equals.map { part[part.index(after: $0)...].trimmed } ?? ""
        switch part[..<(equals ?? part.endIndex)].trimmed.lowercased() {
        case "path": cookie.path = value
        case "domain": cookie.domain = value
        case "httponly": cookie.isHTTPOnly = true
        case "secure": cookie.isSecure = true
        case "samesite": cookie.sameSite = value
        default: break
        }
      }
      return cookie
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...last])
  }
}
