import Citation
// HTTP1 reads one direction of an HTTP/1.x connection (RFC 9112) and locates its parts: HTTP1Parser turns stream
// bytes into HTTP1Tokens, HTTP1Probe recognises HTTP/1 by content.
//
// It is no validator and no server. It tolerates every deviation it can and names it (Lenience); after an error that it
// cannot (FramingError) it searches once for the next message. It keeps the bytes of the current head, and never a body.
// It does not pair requests with responses: the dialogue does, and announces each request to the parser of the response
// side (`expect`), because a response cannot be framed without its request.
//
// Its tokens are the same at every cut of the input.
import HTTPSemantics

/// Which side of the conversation a stream is.
package enum HTTP1Role: UInt8, Hashable, Sendable, CaseIterable {
  case request, response
}

/// What a parser emits, in stream order.
package enum HTTP1Token: Hashable, Sendable {
  /// The first byte of a message, as soon as its bytes could be nothing else.
  case messageStart(at: UInt64, PacketRef)
  indirect case head(MessageHead)
  /// What had arrived of a head that never became complete; a messageEnd follows. Its framing means nothing.
  indirect case partialHead(MessageHead)
  /// Body bytes of the chunk being consumed, chunk framing removed; `bodyOffset` counts from the body's start.
  /// Adjacent ones mean the same as one. A reply of HTTP/0.9, and a response whose request was not seen, may name a few
  /// bytes before the consumed chunk.
  case body(range: Range<UInt64>, bodyOffset: UInt64)
  case chunkSize(ChunkSizeLine)
  case chunkEnd(Chunk)
  /// The line of size zero.
  case lastChunk(ChunkSizeLine)
  indirect case trailers(HeaderBlock)
  case messageEnd(MessageEnd)
  /// No more HTTP in this direction: the rest, from this offset on, is for another parser. The offset may lie before
  /// the chunk being consumed when some bytes were held to decide it.
  case tunnel(from: UInt64, Tunnel)
  case lenience(Lenience)
  case framingError(FramingError)
  /// Reading goes on at this offset; `skipped` bytes before it belong to nothing.
  case resync(at: UInt64, skipped: UInt64)
  /// Given up: nothing more is read from this offset on.
  case opaque(from: UInt64)
  case gap(Range<UInt64>)

  package enum Tunnel: UInt8, Hashable, Sendable {
    /// 101, or 2xx to CONNECT; or the dialogue said so.
    case agreed
    /// A request asked for it, and what follows it is not HTTP.
    case presumed
    /// The preface of HTTP/2 begins there.
    case http2Preface
  }
}

/// What a response parser must know of a request.
package struct RequestContext: Hashable, Sendable {
  package var method: Method
  package var version: HTTPVersion

  package init(method: Method, version: HTTPVersion = .http11) {
    self.method = method
    self.version = version
  }

  package init(_ head: MessageHead) {
    self.init(method: head.method, version: head.version)
  }
}

/// Requests whose responses are still to come, oldest first.
///
/// At most `limit`: further ones are not kept, and their responses are framed as if nothing were known of the request,
/// which their heads say.
struct RequestQueue: Sendable {
  static let limit = 4096

  private var items: [RequestContext] = []
  private var start = 0

  var count: Int { items.count - start }
  var first: RequestContext? { start < items.count ? items[start] : nil }

  mutating func append(_ request: RequestContext) {
    guard count < RequestQueue.limit else { return }
    items.append(request)
  }

  mutating func removeFirst() {
    guard start < items.count else { return }
    start += 1
    if start == items.count || start >= RequestQueue.limit {
      items.removeFirst(start)
      start = 0
    }
  }
}
