import TLSProtection
import TLSSemantics
import Trace

/// The secrets that records of one direction may be under, in the order in which they come into force: early data, the
/// handshake, application data.
///
/// No record says which. Each is tried under the secret that opened the one before, and then under the later ones: a
/// secret that opens a record retires those before it, because none comes back.
struct RecordOpeners: Sendable {
  /// Records that a hole may have swallowed.
  private static let lostLimit: UInt64 = 256

  private var openers: [RecordOpener] = []
  private(set) var hasOpened = false
  /// Records may be missing before the next one.
  private var hasHole = false

  var isEmpty: Bool { openers.isEmpty }

  mutating func add(_ opener: RecordOpener) { openers.append(opener) }

  /// Other secrets from here on: a handshake in the middle of the connection.
  mutating func replace(by opener: RecordOpener) { openers = [opener] }

  mutating func noteHole() { hasHole = true }

  /// The plaintext is in the room. `lost` says how many records must have been between this one and the one before.
  enum Outcome {
    case opened(type: TLSContentType, count: Int, lost: UInt64)
    case failed
  }

  mutating func open(_ record: TLSRecord, _ fragment: Span<UInt8>, into room: inout [UInt8]) -> Outcome {
    let limit = hasHole ? Self.lostLimit : 0
    for place in openers.indices {
      let start = openers[place].sequence
      for lost in 0...limit {
        openers[place].sequence = start &+ lost
        let opened = openers[place].open(
          type: record.type.rawValue, version: record.version.rawValue, fragment: fragment, into: &room)
        guard case .opened(let type, let count) = opened else { continue }
        openers.removeFirst(place)
        hasOpened = true
        hasHole = false
        return .opened(type: TLSContentType(rawValue: type), count: count, lost: lost)
      }
      openers[place].sequence = start
    }
    return .failed
  }

  /// The sender goes on with the next secret.
  mutating func updateKeys() {
    if !openers.isEmpty { openers[0].updateKeys() }
  }
}
