import Citation

@testable import Queries

/// A subject with one field of each kind, and one whose future is not known.
struct Thing: Subject {
  static let vocabulary = Vocabulary([
    Field("count", id: 0, .number), Field("wait", id: 1, .duration), Field("bytes", id: 2, .size),
    Field("status", id: 3, .status), Field("path", id: 4, .text), Field("kind", id: 5, .text, words: ["sse", "plain"]),
    Field("start", id: 6, .time), Field("hurt", id: 7, .flag), Field("names", id: 8, .text),
    Field("later", id: 9, .number), Field("later.flag", id: 10, .flag), Field("never", id: 11, .number),
    Field("never.flag", id: 12, .flag),
  ])

  /// 2023-11-14T22:13:20Z
  let origin = Timestamp(nanoseconds: 1_700_000_000_000_000_000)

  func answer(_ field: Int) -> Answer {
    switch field {
    case 0: .number(42)
    case 1: .nanoseconds(250_000_000)
    case 2: .bytes(65_536)
    case 3: .status(404)
    case 4: .text("/v1/Übung*")
    case 5: .text("sse")
    case 6: .time(origin.advanced(by: 1_500_000_000))
    case 7: .flag(true)
    case 8: .texts(["tls", "http/1.1"])
    case 9, 10: .unknown
    default: .absent
    }
  }
}

extension Condition {
  init(_ text: String) throws(ConditionError) { try self.init(text, Thing.vocabulary) }
}
