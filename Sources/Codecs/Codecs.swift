// Codecs undoes the content codings of HTTP bodies and the compression of WebSocket messages.
//
//   ContentCoding    the codings of a Content-Encoding field, and whether this program can undo them
//   ContentDecoder   one body through one to four codings
//   Inflate          the raw DEFLATE messages of permessage-deflate, with a context from message to message
//   DeflateReader    its decoder, the only one of our own, because it checks the distance of every reference
//   DecodingStage    one coding of a body: a library, a buffer, the bounds
//   Unpacker         the interface to zlib, brotli and zstd, each enabled by the trait of its name
//
// Bytes go in as they arrive and come out in pieces that live for one call: only the libraries' windows are kept.
// Input that cannot be decoded is a state with a reason, never an error, and no input makes more work than the bounds
// allow: a body of a few kilobytes can unpack to gigabytes.
// Without a library everything here still compiles and reports `.notBuiltIn`.

/// How much may come out of one message.
package struct DecodingBounds: Hashable, Sendable {
  /// Bytes out per byte in from which decoding stops; DEFLATE cannot do more than 1032.
  package var ratio: UInt64 = 1000
  /// The ratio is not looked at before so much came out: a page of spaces is no bomb.
  package var ratioFrom: UInt64 = 1 << 20
  /// No more than this is handed out; in a chain of codings, no more than this by each.
  package var output: UInt64 = 16 << 20

  package init() {}
}

/// The bound that decoding was stopped at.
package enum DecodingStop: Hashable, Sendable {
  case ratio, limit
}

/// What was wrong with compressed bytes.
package struct DecodingFailure: Hashable, Sendable, CustomStringConvertible {
  /// The name of the coding.
  package var coding: String
  /// In the words of its library.
  package var reason: String

  package init(coding: String, reason: String) {
    self.coding = coding
    self.reason = reason
  }

  package var description: String { "\(coding): \(reason)" }
}

/// Whether the compressed bytes were a whole stream.
package enum DecodingEnd: Hashable, Sendable {
  case complete
  /// There was not one byte, which clients take for an empty body.
  case empty
  /// The input ended before the stream did.
  case cut
  /// Decoding failed, was stopped or never began.
  case undecided
}
