import Events
import HTTP1

// What HTTP/1's tokens say of a message between its head and its end, in the words that all versions share.
extension MessageBuilder {
  /// What belongs to no open message is handed back.
  mutating func take(_ token: HTTP1Token) -> Stray? {
    switch token {
    case .partialHead(let head): takePart(head)
    case .lastChunk(let line): take(last: line)
    case .trailers(let block): take(trailers: block)
    case .lenience(let lenience): return take(lenience)
    case .framingError(let error):
      if error.kind == .chunkDataMismatch { take(mismatch: error) }
      return take(error)
    case .gap: miss()
    case .resync(_, let skipped): resume(skipped)
    case .messageStart, .head, .body, .messageEnd, .chunkSize, .chunkEnd, .tunnel, .opaque: break
    }
    return nil
  }
}
