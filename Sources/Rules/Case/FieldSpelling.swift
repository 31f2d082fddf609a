import HTTPSemantics

/// How the name of a field is written. Names are compared without case, so this is never wrong; but some spellings are
/// so odd that a program that compares bytes fails on them.
///
/// One convention through the whole name is as good as another: `content-type`, `Content-Type`, `Content-type`. Names
/// that are registered in a spelling of their own (ETag) are in a table; private names may have capitals anywhere.
enum FieldSpelling {
  /// Whether a spelling follows no convention. The usual ones are recognised in a single pass over the bytes.
  static func isOdd(_ name: ArraySlice<UInt8>) -> Bool {
    guard !isConventional(name), name.allSatisfy(\.isTokenCharacter) else { return false }
    let lowercase = text(of: name.map(\.lowercased))
    if let own = ownSpellings[lowercase] { return !name.elementsEqual(own.utf8) }
    if isCommon(lowercase) { return true }
    return mixesConventions(name)
  }

  /// Whether the whole head is written in capitals, as UPnP devices do it: then no name of it stands out.
  static func isCapitals(_ block: HeaderBlock) -> Bool {
    block.fields.allSatisfy { field in block.bytes[field.name].allSatisfy { $0 &- 0x61 >= 26 } }
  }

  /// All lower case, each part capitalised, or only the first.
  private static func isConventional(_ name: ArraySlice<UInt8>) -> Bool {
    var isLower = true
    var isTitle = true
    var isSentence = true
    var isPartStart = true
    for (index, byte) in name.enumerated() {
      let isCapital = byte &- 0x41 < 26
      let isSmall = byte &- 0x61 < 26
      if isCapital {
        isLower = false
        if index > 0 { isSentence = false }
        if !isPartStart { isTitle = false }
      } else if isSmall {
        if index == 0 { isSentence = false }
        if isPartStart { isTitle = false }
      }
      isPartStart = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    return isLower || isTitle || isSentence
  }

  /// A small first part before one in capitals: `x-CUSTOM-id`. What vendors do with capitals inside a part (`CF-RAY`,
  /// `X-AspNet-Version`, `apiKey`) is theirs.
  private static func mixesConventions(_ name: ArraySlice<UInt8>) -> Bool {
    let parts = name.split(separator: UInt8(ascii: "-"))
    guard let first = parts.first?.first, first &- 0x61 < 26 else { return false }
    return parts.dropFirst().contains { ($0.first ?? 0) &- 0x41 < 26 }
  }

  /// Names whose registered spelling is not that of each part capitalised.
  private static let ownSpellings: [String: String] = Dictionary(
    [
      "A-IM", "Accept-CH", "ALPN", "AMP-Cache-Transform", "C-PEP", "C-PEP-Info", "CDN-Cache-Control", "CDN-Loop",
      "CalDAV-Timezones", "Content-DPR", "Content-ID", "Content-MD5", "Critical-CH", "DASL", "DAV", "DNT", "DPR",
      "DPoP",
      "DPoP-Nonce", "DTS", "ECT", "EDIINT-Features", "ETag", "Expect-CT", "GetProfile", "HTTP2-Settings", "IM",
      "Last-Event-ID", "MIME-Version",
      "NEL", "OData-EntityId", "OData-Isolation", "OData-MaxVersion", "OData-Version", "OSCORE", "OSLC-Core-Version",
      "P3P",
      "PEP", "PICS-Label", "RTT", "SLUG", "SOAPAction", "Sec-CH-UA", "Sec-CH-UA-Arch", "Sec-CH-UA-Bitness",
      "Sec-CH-UA-Full-Version", "Sec-CH-UA-Full-Version-List", "Sec-CH-UA-Mobile", "Sec-CH-UA-Model",
      "Sec-CH-UA-Platform", "Sec-CH-UA-Platform-Version", "Sec-GPC", "Sec-WebSocket-Accept", "Sec-WebSocket-Extensions",
      "Sec-WebSocket-Key", "Sec-WebSocket-Key1", "Sec-WebSocket-Key2", "Sec-WebSocket-Origin", "Sec-WebSocket-Protocol",
      "Sec-WebSocket-Version", "SourceMap", "TCN", "TE", "TTL", "UA-CPU", "URI", "WWW-Authenticate",
      "WebSocket-Location",
      "WebSocket-Origin", "WebSocket-Protocol", "X-ATT-DeviceId", "X-CSRF-Token", "X-CSRFToken",
      "X-DNS-Prefetch-Control",
      "X-HTTP-Method-Override", "X-UA-Compatible", "X-UIDH", "X-WebKit-CSP", "X-XSRF-TOKEN", "X-XSS-Protection",
    ].map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

  /// Names that are always written in the usual way.
  private static func isCommon(_ lowercase: String) -> Bool {
    switch lowercase {
    case "accept", "accept-charset", "accept-encoding", "accept-language", "accept-ranges",
      "access-control-allow-credentials", "access-control-allow-headers", "access-control-allow-methods",
      "access-control-allow-origin", "access-control-expose-headers", "access-control-max-age",
      "access-control-request-headers", "access-control-request-method", "age", "allow", "alt-svc", "authorization",
      "cache-control", "connection", "content-disposition", "content-encoding", "content-language", "content-length",
      "content-location", "content-range", "content-security-policy", "content-type", "cookie", "date", "expect",
      "expires", "forwarded", "from", "host", "if-match", "if-modified-since", "if-none-match", "if-range",
      "if-unmodified-since", "keep-alive", "last-modified", "link", "location", "max-forwards",
      "origin",
      "pragma", "proxy-authenticate", "proxy-authorization", "proxy-connection", "range", "referer", "referrer-policy",
      "retry-after", "server", "set-cookie", "strict-transport-security", "trailer", "transfer-encoding", "upgrade",
      "upgrade-insecure-requests", "user-agent", "vary", "via", "warning", "x-accel-buffering",
      "x-content-type-options",
      "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-frame-options", "x-powered-by",
      "x-requested-with":
      true
    default: false
    }
  }
}
