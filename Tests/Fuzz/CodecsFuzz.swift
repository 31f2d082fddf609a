// Fuzzes the decoders: they must not trap, leak, or pass their bounds, and must say the same however the input is cut.
//
// The first byte chooses the codings and the length of the pieces; the rest is the body, or messages of one byte that
// says their length (above 0x7F: without context) and so many bytes. Where zlib reads a body as bare DEFLATE, the
// reader of messages is compared with it.
import Codecs

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCodecs(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let piece = Int(control >> 4) + 1
  if control & 7 == 7 {
    let bits = control & 8 == 0 ? 15 : 8
    let whole = converse(bytes, windowBits: bits, piece: .max)
    precondition(whole == converse(bytes, windowBits: bits, piece: piece), "the messages depend on the cut")
    return 0
  }
  let fields = ["gzip", "deflate", "br", "zstd", "gzip, gzip", "br, gzip", "deflate, zstd"]
  let field = fields[Int(control & 7)]
  let whole = decode(bytes, field, piece: .max)
  let cut = decode(bytes, field, piece: piece)
  precondition(whole.kind == cut.kind, "the verdict depends on the cut")
  if whole.kind < 2 { precondition(whole == cut, "the content depends on the cut") }
  if field == "deflate", whole.isRaw { compare(bytes, with: whole) }
  return 0
}

/// What zlib makes of a body, the reader of messages does, and it goes on where zlib sees an end.
private func compare(_ bytes: [UInt8], with whole: Outcome) {
  var unbound = DecodingBounds()
  unbound.ratioFrom = .max
  unbound.output = bounds.output
  let inflate = Inflate(bounds: unbound)
  var outcome = Outcome()
  inflate.beginMessage(keepingContext: true)
  inflate.decode(bytes.span) { outcome.add($0, upTo: whole.bytesOut) }
  switch whole.kind {
  case 0:
    // zlib has not seen yet what the other saw, or neither has.
    precondition(outcome.bytesOut == whole.bytesOut || inflate.state != .running)
  case 1: precondition(outcome.hash == whole.hash && inflate.finalBlocks > 0)
  case 2: precondition(inflate.state != .running)
  default: break
  }
  if outcome.bytesOut == whole.bytesOut { precondition(outcome.hash == whole.hash) }
}

private struct Outcome: Equatable {
  /// 0 is running, 1 finished, others are verdicts.
  var kind = 0
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  var bytesOut: UInt64 = 0
  var trailing: UInt64 = 0
  var streams: UInt64 = 0
  var end = DecodingEnd.undecided
  var isRaw = false
  var tooFar: FarReference?

  mutating func add(_ part: Span<UInt8>, upTo limit: UInt64 = .max) {
    let count = Int(min(UInt64(part.count), limit - bytesOut))
    for index in 0..<count { hash = (hash ^ UInt64(part[index])) &* 0x100_0000_01B3 }
    bytesOut += UInt64(count)
  }
}

private var bounds: DecodingBounds {
  var bounds = DecodingBounds()
  bounds.output = 1 << 18
  bounds.ratioFrom = 1 << 16
  return bounds
}

private func decode(_ bytes: [UInt8], _ field: String, piece: Int) -> Outcome {
  let decoder = ContentDecoder(field, bounds: bounds)
  var outcome = Outcome()
  var start = 0
  while start < bytes.count {
    let end = start + min(piece, bytes.count - start)
    decoder.decode(bytes.span.extracting(start..<end)) { outcome.add($0) }
    start = end
  }
  precondition(outcome.bytesOut == decoder.bytesOut && outcome.bytesOut <= bounds.output)
  precondition(decoder.bytesIn + decoder.trailingBytes <= UInt64(bytes.count) || field.contains(","))
  switch decoder.state {
  case .running: outcome.kind = 0
  case .finished: outcome.kind = 1
  case .failed: outcome.kind = 2
  case .stopped(.ratio): outcome.kind = 3
  case .stopped(.limit): outcome.kind = 4
  case .notBuiltIn, .unknownCoding, .tooManyCodings: outcome.kind = 5
  }
  outcome.trailing = decoder.trailingBytes
  outcome.streams = decoder.streams
  outcome.isRaw = decoder.isRawDeflate
  outcome.end = decoder.finish()
  return outcome
}

/// One outcome for each message.
private func converse(_ bytes: [UInt8], windowBits: Int, piece: Int) -> [Outcome] {
  let inflate = Inflate(windowBits: windowBits, bounds: bounds)
  var outcomes: [Outcome] = []
  var position = 0
  while position < bytes.count {
    let control = bytes[position]
    let end = min(position + 1 + Int(control & 0x7F), bytes.count)
    var start = position + 1
    position = end
    var outcome = Outcome()
    inflate.beginMessage(keepingContext: control < 0x80)
    while start < end {
      let stop = start + min(piece, end - start)
      inflate.decode(bytes.span.extracting(start..<stop)) { outcome.add($0) }
      start = stop
    }
    outcome.end = inflate.endMessage { outcome.add($0) }
    precondition(outcome.bytesOut == inflate.bytesOut && outcome.bytesOut <= bounds.output)
    switch inflate.state {
    case .running: outcome.trailing = inflate.bytesIn
    case .failed: outcome.kind = 2
    case .stopped(.ratio): outcome.kind = 3
    case .stopped(.limit): outcome.kind = 4
    }
    outcome.streams = inflate.finalBlocks
    outcome.tooFar = inflate.tooFar
    if let far = outcome.tooFar { precondition(far.distance > far.limit && far.limit <= 1 << windowBits) }
    outcomes.append(outcome)
  }
  return outcomes
}
