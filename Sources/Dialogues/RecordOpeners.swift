import Citation
import TLSProtection
import TLSSemantics

/// The secrets that records of one direction may be under, in the order in which they come into force: early data, the
/// handshake, application data; before TLS 1.3 one for all from Finished on.
///
/// No record says which. Each is tried under the secret that opened the one before, and then under the later ones: a
/// secret that opens a record retires those before it, because none comes back. Behind a hole each is tried under the
/// numbers that follow, too, and with the key update that the hole may have swallowed.
struct RecordOpeners: Sendable {
  /// What a secret is for.
  enum Epoch: Sendable { case early, handshake, application, all }

  private struct Candidate: Sendable {
    var epoch: Epoch
    var opener: RecordOpener
  }

  /// Records that a hole may have swallowed.
  private static let lostLimit: UInt64 = 256

  private var candidates: [Candidate] = []
  private(set) var hasOpened = false
  /// Whether the first of the candidates opened the record before; of an earlier handshake it was another.
  private var isInForce = false
  /// Records may be missing before the next one.
  private(set) var hasHole = false

  var isEmpty: Bool { candidates.isEmpty }
  /// What the record before was under.
  var epoch: Epoch? { isInForce ? candidates.first?.epoch : nil }
  /// There is none that comes after the one in force.
  var isLast: Bool { candidates.count == 1 }
  /// The one for application data is among them.
  var hasApplication: Bool { candidates.last.map { $0.epoch == .application || $0.epoch == .all } ?? false }
  /// A record that does not open for what is missing before it is all that the next one needs.
  var isChained: Bool { candidates.first?.opener.isChained ?? false }

  mutating func add(_ opener: RecordOpener, _ epoch: Epoch) {
    candidates.append(Candidate(epoch: epoch, opener: opener))
  }

  /// Other secrets from here on: a handshake before TLS 1.3, perhaps in the middle of the connection.
  mutating func replace(by opener: RecordOpener?) {
    candidates = opener.map { [Candidate(epoch: .all, opener: $0)] } ?? []
    isInForce = false
  }

  mutating func noteHole() { hasHole = true }

  /// The plaintext is in the room.
  enum Outcome {
    /// `lost` says how many records under the same secret must have been before this one; `follows`, that the secret
    /// opened one of those, so that they are all behind that one.
    case opened(type: TLSContentType, count: Int, lost: UInt64, follows: Bool)
    case failed
  }

  mutating func open(_ record: TLSRecord, _ fragment: Span<UInt8>, into room: inout [UInt8]) -> Outcome {
    for place in candidates.indices {
      guard let found = attempt(&candidates[place].opener, record, fragment, into: &room) else { continue }
      let follows = isInForce && place == 0
      candidates.removeFirst(place)
      return opened(found, lost: found.lost, follows: follows)
    }
    guard hasHole, isInForce else { return .failed }
    var next = candidates[0].opener
    if next.updateKeys(), let found = attempt(&next, record, fragment, into: &room) {
      candidates[0].opener = next
      return opened(found, lost: found.lost &+ 1, follows: false)
    }
    if isChained { candidates[0].opener.skip() }
    return .failed
  }

  private typealias Found = (type: UInt8, count: Int, lost: UInt64)

  private func attempt(
    _ opener: inout RecordOpener, _ record: TLSRecord, _ fragment: Span<UInt8>, into room: inout [UInt8]
  ) -> Found? {
    let start = opener.sequence
    for lost in 0...(hasHole ? Self.lostLimit : 0) {
      opener.sequence = start &+ lost
      let opened = opener.open(
        type: record.type.rawValue, version: record.version.rawValue, fragment: fragment, into: &room)
      if case .opened(let type, let count) = opened { return (type, count, lost) }
    }
    opener.sequence = start
    return nil
  }

  private mutating func opened(_ found: Found, lost: UInt64, follows: Bool) -> Outcome {
    hasOpened = true
    isInForce = true
    hasHole = false
    return .opened(type: TLSContentType(rawValue: found.type), count: found.count, lost: lost, follows: follows)
  }

  /// The sender goes on with the next secret.
  mutating func updateKeys() {
    if isInForce { candidates[0].opener.updateKeys() }
  }
}
