import Citation
import Events

/// What a sample has beside the fields of what it belongs to.
enum SampleField: Int, CaseIterable {
  case bytes, direction, event, binary, code, by

  /// Apart from the ids of other fields.
  private static let base = 1_000

  var id: Int { Self.base + rawValue }
  init?(id: Int) { self.init(rawValue: id - Self.base) }

  var field: Field {
    switch self {
    case .bytes: Field("bytes", id: id, .size)
    case .direction: Field("direction", id: id, .text, words: ["toServer", "toClient"])
    case .event: Field("event", id: id, .text)
    case .binary: Field("binary", id: id, .flag)
    case .code: Field("code", id: id, .number)
    case .by: Field("by", id: id, .text, words: ["client", "server"])
    }
  }

  var meaning: String {
    switch self {
    case .bytes: "size of the message, event, line or chunk; for a gap, of the one that ends it."
    case .direction: "toServer or toClient."
    case .event: "the event's name; message if it has none."
    case .binary: "the message is not text."
    case .code:
      "of the first Close; 1005 if it has none, 1006 if the connection ended without a Close. Of h2.reset: the error code."
    case .by: "the side that sent the first Close, or the reset."
    }
  }
}

/// One value, and where it was found.
struct Sample {
  var value: Int64 = 1
  var packet: UInt64
  var exchange = 0
  /// Of pieces of streams and closes.
  var direction: Direction?
  var bytes: UInt64 = 0
  var label = ""
  var isBinary = false
  var code: UInt32?
  /// Of several values, their distribution; `value` is the largest then.
  @Rare var spread: ExponentialHistogram?
}

/// A sample with all that it belongs to.
struct SampleSubject: Subject {
  let sample: Sample
  let whole: SelectionSubject

  var origin: Timestamp { whole.origin }

  func answer(_ field: Int) -> Answer {
    guard let own = SampleField(id: field) else { return whole.answer(field) }
    switch own {
    case .bytes: return sample.direction == nil ? .absent : .bytes(sample.bytes)
    case .direction: return sample.direction.map { .text($0 == .toServer ? "toServer" : "toClient") } ?? .absent
    case .event: return .text(sample.label.isEmpty ? "message" : sample.label)
    case .binary: return .flag(sample.isBinary)
    case .code: return sample.code.map { .number(Double($0)) } ?? .absent
    case .by: return sample.direction.map { .text($0 == .toServer ? "client" : "server") } ?? .absent
    }
  }
}
