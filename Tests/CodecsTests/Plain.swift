import Codecs
import Support

/// What the tests compress.
enum Plain {
  /// The same text as in `BrotliSamples.table`.
  static let table: [UInt8] = (0..<40).flatMap { Array("{\"item\":\($0),\"square\":\($0 * $0)}\n".utf8) }

  static let events: [[UInt8]] = [Array("data: one\n\n".utf8), Array("data: two\n\n".utf8)]

  /// Bytes that compress to about a quarter, so that no bound but that of the output is near.
  static func long(_ count: Int) -> [UInt8] {
    var random = SplitMix64(seed: 15)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 64)
    while bytes.count < count {
      bytes += random.bytes(16)
      bytes += [UInt8](repeating: 0x20, count: 48)
    }
    return Array(bytes.prefix(count))
  }
}

/// What a decoder made of a body.
struct Decoded: Equatable {
  var bytes: [UInt8] = []
  var state = ContentDecoder.State.running
  var end = DecodingEnd.undecided
  var bytesIn: UInt64 = 0
  var trailing: UInt64 = 0
  var streams: UInt64 = 0
}

/// Feeds `pieces` one after the other and finishes.
func decode(_ coding: String, _ pieces: [ArraySlice<UInt8>], bounds: DecodingBounds = DecodingBounds()) -> Decoded {
  let decoder = ContentDecoder(coding, bounds: bounds)
  var result = Decoded()
  for piece in pieces {
    decoder.decode(piece.span) { part in part.withUnsafeBufferPointer { result.bytes += $0 } }
  }
  result.state = decoder.state
  result.bytesIn = decoder.bytesIn
  result.trailing = decoder.trailingBytes
  result.streams = decoder.streams
  result.end = decoder.finish()
  return result
}

func decode(_ coding: String, _ body: [UInt8], bounds: DecodingBounds = DecodingBounds()) -> Decoded {
  decode(coding, [body[...]], bounds: bounds)
}

/// `body` in two pieces at every place, and byte by byte.
func cuts(of body: [UInt8]) -> [[ArraySlice<UInt8>]] {
  (1..<body.count).map { [body[..<$0], body[$0...]] } + [body.indices.map { body[$0...$0] }]
}

/// What a whole, well-formed body comes to.
func whole(_ plain: [UInt8], from packed: Int, streams: UInt64 = 1) -> Decoded {
  Decoded(
    bytes: plain, state: .finished, end: .complete, bytesIn: UInt64(packed), trailing: 0, streams: streams)
}
