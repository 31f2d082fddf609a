import Citation
import Codecs
import Events
import HTTPSemantics

/// Undoes the content coding of one body while it arrives, and keeps what became of it. Nothing of the content is kept.
///
/// It owns its decoder alone. That has state in C which copies of the reader would share, and each would feed it: a
/// reader that finds a copy of itself reads nothing more, and says that it does not know.
struct ContentReader: Sendable {
  private var decoder: ContentDecoder
  private var record: ContentRecord
  private var hasHole = false
  private var lastPacket = PacketRef.none
  private var trouble: PacketRef?

  /// nil when the head names no coding.
  init?(_ head: MessageHead) {
    guard head.framing != .none, head.framing != .tunnel, let first = head.block.first("content-encoding") else {
      return nil
    }
    var names = [UInt8](head.block.bytes[first.value])
    for field in head.block.all("content-encoding").dropFirst() {
      names.append(UInt8(ascii: ","))
      names.append(contentsOf: head.block.bytes[field.value])
    }
    decoder = ContentDecoder(contentEncoding: names.span)
    guard !decoder.codings.isEmpty || decoder.state != .running else { return nil }
    record = ContentRecord(codings: text(of: names))
  }

  var heldBytes: Int { decoder.heldBytes }

  /// It is a coding that this program knows.
  var isReadable: Bool { decoder.state == .running }
  /// All that has come could be decoded.
  var isDecoded: Bool { !hasHole && (decoder.state == .running || decoder.state == .finished) }

  /// Hands the content on, in pieces whose sizes mean nothing.
  mutating func read(_ bytes: Span<UInt8>, in packet: PacketRef, into output: (Span<UInt8>) -> Void) {
    guard !hasHole, trouble == nil, isAlone() else { return }
    decoder.decode(bytes, into: output)
    switch decoder.state {
    case .failed, .stopped: trouble = packet
    default: break
    }
  }

  private mutating func isAlone() -> Bool {
    if !isKnownUniquelyReferenced(&decoder) { hasHole = true }
    return !hasHole
  }

  /// What follows a hole cannot be decoded.
  mutating func skip() {
    guard !hasHole else { return }
    hasHole = true
    if isKnownUniquelyReferenced(&decoder) { _ = decoder.finish() }
  }

  /// What became of it. `isWhole` when the body has its end.
  mutating func finish(isWhole: Bool) -> ContentRecord {
    let state = decoder.state
    record.isRawDeflate = decoder.isRawDeflate
    record.trailingBytes = decoder.trailingBytes
    record.bytes = decoder.bytesOut
    let ratio = decoder.bytesOut / max(1, decoder.bytesIn)
    switch (state, decoder.finish()) {
    case (.failed(let failure), _): record.outcome = .broken(failure.description, trouble ?? .none)
    case (.stopped(.ratio), _): record.outcome = .inflationStopped(ratio: ratio, trouble ?? .none)
    case (.stopped(.limit), _): record.outcome = .limitReached
    case (.notBuiltIn(let coding), _): record.outcome = .notDecoded("built without \(coding.name)")
    case (.unknownCoding(let name), _): record.outcome = .notDecoded("coding \(text(of: name)) is not supported")
    case (.tooManyCodings(let count), _): record.outcome = .notDecoded("\(count) codings in a row")
    case _ where hasHole: record.outcome = .undecided
    case (_, .complete), (_, .empty): record.outcome = isWhole ? .decoded : .undecided
    case (_, .cut): record.outcome = isWhole ? .cut : .undecided
    case (_, .undecided): record.outcome = .undecided
    }
    return record
  }
}
