import Citation

/// Decodes the content codings of one HTTP body while it arrives.
///
/// It keeps the libraries' windows, and releases them when the body is complete or cannot be decoded further. A failure
/// does not affect the message: the state describes what is known of the content.
///
/// A class, because it owns C state: a reference says that there is one. Whoever keeps it in a value sees to it that no
/// copy of the value uses it, too (see ContentReader). `@unchecked Sendable`, because it is only ever touched through the
/// connection that owns it, and one lane at a time owns the connection; nothing here is shared between two decoders.
package final class ContentDecoder: @unchecked Sendable {
  /// Codings that are undone one after the other; real messages have one, at most two.
  package static let chainLimit = 4

  package enum State: Hashable, Sendable {
    case running
    /// Every coding's stream has ended. Another gzip member or zstd frame makes it run again.
    case finished
    case failed(DecodingFailure)
    case stopped(DecodingStop)
    /// Known, but this program was built without its library.
    case notBuiltIn(ContentCoding)
    /// The name as received, at most 32 bytes of it.
    case unknownCoding([UInt8])
    /// More codings in a row than are undone.
    case tooManyCodings(Int)
  }

  package private(set) var state = State.running
  /// Bytes of the body that were taken while they could be decoded, without those after the stream's end.
  package private(set) var bytesIn: UInt64 = 0
  /// Bytes of the content that were handed out. What did not grow with a piece of input held no flush.
  package private(set) var bytesOut: UInt64 = 0
  /// Bytes that follow the end of the compressed stream, in the layer that has them.
  package private(set) var trailingBytes: UInt64 = 0
  /// gzip members or zstd frames of the outermost coding that ended.
  package private(set) var streams: UInt64 = 0
  /// The coding deflate lacked its zlib wrapper (RFC 9110 §8.4.1.2), which some clients refuse.
  package private(set) var isRawDeflate = false
  /// In the order they are undone, without identity.
  package private(set) var codings: [ContentCoding] = []

  private var stages: [DecodingStage] = []
  private var isOver = false

  /// A decoder for the value of a Content-Encoding field: names in the order they were applied, separated by commas.
  package init(contentEncoding value: Span<UInt8>, bounds: DecodingBounds = DecodingBounds()) {
    var names = 0
    var end = value.count
    // The last name is the outermost coding.
    while end > 0 {
      var start = end
      while start > 0, value[start - 1] != UInt8(ascii: ",") { start -= 1 }
      let name = ContentDecoder.trimmed(value, start..<end)
      end = start - 1
      guard !name.isEmpty else { continue }
      guard let coding = ContentCoding(named: value.extracting(name)) else {
        refuse(.unknownCoding(name.prefix(32).map { value[$0] }))
        continue
      }
      guard coding != .identity else { continue }
      names += 1
      if names <= ContentDecoder.chainLimit { codings.append(coding) }
      if !coding.isBuiltIn { refuse(.notBuiltIn(coding)) }
    }
    if names > ContentDecoder.chainLimit { refuse(.tooManyCodings(names)) }
    guard state == .running else { return }
    for coding in codings { stages.append(DecodingStage(coding, after: stages.first, bounds)) }
  }

  /// A decoder for one coding.
  package convenience init(_ coding: String, bounds: DecodingBounds = DecodingBounds()) {
    self.init(contentEncoding: Array(coding.utf8).span, bounds: bounds)
  }

  /// What the libraries hold.
  package var heldBytes: Int { stages.reduce(0) { $0 + $1.heldBytes } }

  /// Takes the next bytes of the body and hands the content they make to `output`, piece by piece. The pieces' sizes
  /// mean nothing, and each is only there during its call.
  package func decode(_ input: Span<UInt8>, into output: (Span<UInt8>) -> Void) {
    guard !isOver, state == .running || state == .finished, !input.isEmpty else { return }
    if codings.isEmpty {
      bytesIn += UInt64(input.count)
      bytesOut += UInt64(input.count)
      return output(input)
    }
    let halt = feed(input, to: 0, output)
    note()
    switch halt {
    case .failed(let failure)?: end(.failed(failure))
    case .stopped(let stop)?: end(.stopped(stop))
    case nil: state = stages.allSatisfy(\.isComplete) ? .finished : .running
    }
  }

  /// The body is complete: returns whether the compressed stream was, and releases everything. Only the first call does.
  package func finish() -> DecodingEnd {
    guard !isOver else { return .undecided }
    defer {
      isOver = true
      stages = []
    }
    switch state {
    case .finished: return .complete
    case .running where codings.isEmpty: return bytesIn == 0 ? .empty : .complete
    case .running: return stages.first?.isUntouched == true ? .empty : .cut
    case .failed, .stopped, .notBuiltIn, .unknownCoding, .tooManyCodings: return .undecided
    }
  }

  private func feed(_ input: Span<UInt8>, to index: Int, _ output: (Span<UInt8>) -> Void) -> DecodingStage.Halt? {
    guard index < stages.count else {
      bytesOut += UInt64(input.count)
      output(input)
      return nil
    }
    return stages[index].feed(input) { feed($0, to: index + 1, output) }
  }
}

extension ContentDecoder {
  private func note() {
    guard let outermost = stages.first else { return }
    bytesIn = outermost.bytesIn
    streams = outermost.ends
    trailingBytes = stages.reduce(0) { $0 + $1.trailingBytes }
    isRawDeflate = stages.contains(where: \.isRawDeflate)
  }

  private func end(_ verdict: State) {
    state = verdict
    stages = []
  }

  /// The outermost coding that cannot be undone is the one to name.
  private func refuse(_ verdict: State) {
    if state == .running { state = verdict }
  }

  private static func trimmed(_ value: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isBlank(value[start]) { start += 1 }
    while start < end, isBlank(value[end - 1]) { end -= 1 }
    return start..<end
  }
}
