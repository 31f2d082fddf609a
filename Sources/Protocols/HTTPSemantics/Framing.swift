import Citation

/// How the end of a body is known (RFC 9112 §6.3).
package enum Framing: UInt8, Hashable, Sendable, CaseIterable {
  /// There is no body.
  case none
  case length, chunked
  /// It ends with the connection.
  case close
  /// It ends with its stream: from HTTP/2 on.
  case stream
  /// No HTTP follows on this connection.
  case tunnel

  // Written out in this and other types that each exchange compares: the synthesised one is called through a table.
  @inline(__always)
  package static func == (left: Framing, right: Framing) -> Bool { left.rawValue == right.rawValue }
  package static func != (left: Framing, right: Framing) -> Bool { !(left == right) }
}

/// Why a body is framed as it is.
package enum FramingReason: UInt8, Hashable, Sendable, CaseIterable {
  /// 1xx, 204 and 304 have no body.
  case status
  /// The request was HEAD.
  case headRequest
  /// CONNECT: a request has no body, and what follows a 2xx is a tunnel.
  case connect
  /// 101: another protocol follows.
  case upgrade
  case contentLength
  /// Several Content-Length values that differ: the first is taken.
  case conflictingLengths
  /// Chunked is the last coding.
  case transferEncoding
  /// A request names chunked before another coding: read as chunked, because that is all that can be read.
  case chunkedNotLast
  /// A response names codings, and chunked is not the last of them.
  case codingWithoutChunked
  /// A request names codings without chunked: its end cannot be known.
  case undecidable
  /// A request without framing fields.
  case noFields
  /// A response without framing fields.
  case untilClose
  /// HTTP/0.9.
  case simple
  /// Frames say where the message ends, from HTTP/2 on.
  case endOfStream
}

/// A head: start line, fields, and how its body ends.
///
/// A class, because tokens, events, records and every rule take it into their hands: as a struct of its size, a tenth of
/// a run of small exchanges went into copies.
package final class MessageHead: Hashable, Sendable {
  package enum StartLine: Hashable, Sendable {
    /// Ranges are places in the block.
    case request(method: Method, name: Range<Int>, target: Range<Int>)
    case response(status: Status, reason: Range<Int>)
  }

  package let line: StartLine
  package let version: HTTPVersion
  package let block: HeaderBlock
  /// The first byte of the start line to the last of the empty line.
  package let span: ByteSpan
  /// The packet that made the whole head readable: this is when it was complete.
  package let released: PacketRef
  package let framing: Framing
  package let reason: FramingReason
  /// The body's length with `framing == .length`. A value too large for it is held at the maximum.
  package let contentLength: UInt64
  /// False when a response had to be framed without knowing its request.
  package let isRequestKnown: Bool
  /// The sender says that it will use the connection again.
  package let isPersistent: Bool
  /// `Connection: upgrade` with an Upgrade field.
  package let asksUpgrade: Bool

  package init(
    line: StartLine, version: HTTPVersion, block: HeaderBlock, span: ByteSpan, released: PacketRef,
    framing: Framing = .none, reason: FramingReason = .noFields, contentLength: UInt64 = 0, isRequestKnown: Bool = true,
    isPersistent: Bool = true, asksUpgrade: Bool = false
  ) {
    self.line = line
    self.version = version
    self.block = block
    self.span = span
    self.released = released
    self.framing = framing
    self.reason = reason
    self.contentLength = contentLength
    self.isRequestKnown = isRequestKnown
    self.isPersistent = isPersistent
    self.asksUpgrade = asksUpgrade
  }

  package static func == (left: MessageHead, right: MessageHead) -> Bool {
    left.line == right.line && left.version == right.version && left.block == right.block && left.span == right.span
      && left.released == right.released && left.framing == right.framing && left.reason == right.reason
      && left.contentLength == right.contentLength && left.isRequestKnown == right.isRequestKnown
      && left.isPersistent == right.isPersistent && left.asksUpgrade == right.asksUpgrade
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(span.range)
    hasher.combine(block)
  }

  package var status: Status {
    if case .response(let status, _) = line { status } else { .none }
  }

  package var method: Method {
    if case .request(let method, _, _) = line { method } else { .other }
  }

  /// 1xx other than 101.
  package var isInterim: Bool { status.isInterim }

  package var methodText: String {
    if case .request(_, let name, _) = line { block.text(of: name) } else { "" }
  }

  package var targetText: String {
    if case .request(_, _, let target) = line { block.text(of: target) } else { "" }
  }

  package var reasonText: String {
    if case .response(_, let reason) = line { block.text(of: reason) } else { "" }
  }

  /// Whom the request is for: the Host field or, from HTTP/2 on, what stands before it.
  package var authority: HeaderField? {
    version.major < 2 ? block.first("host") : block.first(":authority") ?? block.first("host")
  }

  package var targetForm: RequestTarget {
    guard case .request(_, _, let target) = line else { return .other }
    let bytes = block.bytes
    return RequestTarget(bytes.span, target)
  }
}
