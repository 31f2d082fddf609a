/// A request method as far as messages depend on it. Its spelling is in the head's bytes.
package enum Method: UInt8, Hashable, Sendable, CaseIterable {
  case get, head, post, put, delete, connect, options, trace, patch, query
  /// Any other token.
  case other

  @inline(__always)
  package static func == (left: Method, right: Method) -> Bool { left.rawValue == right.rawValue }
  package static func != (left: Method, right: Method) -> Bool { !(left == right) }

  /// Methods are case-sensitive: `get` is not GET.
  package init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard range.count <= 7 else {
      self = .other
      return
    }
    var packed: UInt64 = 0
    for index in range { packed = packed << 8 | UInt64(bytes[index]) }
    switch packed {
    case 0x47_4554: self = .get
    case 0x4845_4144: self = .head
    case 0x504F_5354: self = .post
    case 0x50_5554: self = .put
    case 0x4445_4C45_5445: self = .delete
    case 0x43_4F4E_4E45_4354: self = .connect
    case 0x4F_5054_494F_4E53: self = .options
    case 0x54_5241_4345: self = .trace
    case 0x50_4154_4348: self = .patch
    case 0x51_5545_5259: self = .query
    default: self = .other
    }
  }

  /// Whether a name, in upper case, is in the IANA registry or in wide use beside it.
  package static func isKnown(_ name: String) -> Bool {
    switch name {
    case "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY", "ACL",
      "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK", "MERGE", "MKACTIVITY",
      "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PROPFIND", "PROPPATCH", "REBIND",
      "REPORT", "SEARCH", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF",
      "VERSION-CONTROL", "PURGE", "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE", "SOURCE":
      true
    default: false
    }
  }
}
