import Citation
import HTTPSemantics

/// Whether a stream is HTTP/1, recognised from its first bytes and never from a port.
package enum HTTP1Probe {
  package enum Answer: Hashable, Sendable {
    case certain(HTTP1Role)
    /// More bytes are needed; `leaning` says what it looks like so far.
    case unsure(leaning: HTTP1Role?)
    case not
  }

  /// A first line longer than this is not waited for.
  package static let limit = 16 * 1024

  /// Judges the first bytes of one direction. A request is certain with its whole first line: NNTP, RTSP and others
  /// share method names with HTTP. A status line is certain with its status.
  package static func look(at bytes: Span<UInt8>) -> Answer {
    var start = 0
    while start < bytes.count, bytes[start] == .carriageReturn || bytes[start] == .lineFeed, start < 8 { start += 1 }
    let rest = bytes.extracting(start..<bytes.count)
    guard rest.count > 0 else { return .unsure(leaning: nil) }
    switch StartLinePrefix.read(.response, rest) {
    case .certain: return response(rest)
    case .undecided: return .unsure(leaning: .response)
    case .impossible: return request(rest)
    }
  }

  private static func response(_ bytes: Span<UInt8>) -> Answer {
    if let end = lineFeed(in: bytes, 0..<min(bytes.count, limit)) {
      return StartLine.parse(.response, bytes, 0..<end + 1) == nil ? .not : .certain(.response)
    }
    // `HTTP/1.1 200` is enough.
    var index = 5
    var digits = 0
    while index < bytes.count, bytes[index].isDigit || bytes[index] == UInt8(ascii: ".") { index += 1 }
    while index < bytes.count, bytes[index].isBlank { index += 1 }
    while index < bytes.count, bytes[index].isDigit {
      index += 1
      digits += 1
    }
    if digits >= 3 { return .certain(.response) }
    return index < bytes.count || bytes.count >= limit ? .not : .unsure(leaning: .response)
  }

  private static func request(_ bytes: Span<UInt8>) -> Answer {
    let prefix = StartLinePrefix.read(.request, bytes)
    if case .impossible = prefix { return .not }
    guard let end = lineFeed(in: bytes, 0..<min(bytes.count, limit)) else {
      if bytes.count >= limit { return .not }
      let isKnown = if case .certain = prefix { true } else { false }
      return .unsure(leaning: isKnown ? .request : nil)
    }
    guard let line = StartLine.parse(.request, bytes, 0..<end + 1), !line.isHTTP2Preface else { return .not }
    guard case .request(let method, _, let target) = line.line else { return .not }
    // `GET key` is a line of other protocols too.
    if line.version == .simple, bytes[target.lowerBound] != UInt8(ascii: "/") { return .not }
    if line.version.major != 1, line.version != .simple, method == .other { return .not }
    return .certain(.request)
  }

  /// What a first line without its end is, when no more of it comes: a method with the beginning of a path, or the
  /// beginning of a status line. Less is anybody's.
  package static func unfinishedLine(in bytes: Span<UInt8>) -> HTTP1Role? {
    guard bytes.count >= 6, lineFeed(in: bytes, 0..<bytes.count) == nil else { return nil }
    guard case .unsure(let leaning?) = look(at: bytes) else { return nil }
    if leaning == .response { return bytes.count >= 8 ? .response : nil }
    guard let space = (0..<bytes.count).first(where: { bytes[$0] == .space }), space + 1 < bytes.count,
      bytes[space + 1] == UInt8(ascii: "/")
    else { return nil }
    return .request
  }

  /// The first whole start line in bytes from the middle of a stream.
  package static func startLine(in bytes: Span<UInt8>) -> (role: HTTP1Role, index: Int)? {
    var start = 0
    while let end = lineFeed(in: bytes, start..<bytes.count) {
      let line = bytes.extracting(start..<end + 1)
      for role in HTTP1Role.allCases where StartLineSearch.find(role, line, anywhere: false) != nil {
        return (role, start)
      }
      start = end + 1
    }
    return nil
  }
}
