import Assets
import Citation
import Events

/// What a line needs to be understood without the lines before it: the capture, a name of its own, what came before.
struct RowContext {
  /// Streams whose last piece is remembered.
  private static let limit = 100_000

  private struct Stream: Hashable {
    var key: ExchangeKey
    var direction: Direction
    /// The chunks of a body and the events in it come one after the other, each with gaps of their own.
    var type: String
  }

  let capture: String
  var ordinals = FindingOrdinals()
  private var last: [Int: [Stream: Timestamp]] = [:]
  private var count = 0

  init(capture: String) {
    self.capture = capture
  }

  /// The same in every run over the same bytes.
  func uid(_ connection: Int) -> String { "\(capture)-\(connection)" }

  func uid(_ key: ExchangeKey) -> String {
    key.isKnown ? "\(capture)-\(key.connection)-\(key.number)" : uid(key.connection)
  }

  /// How long after the one before on its stream it was complete; nil for the first.
  mutating func gap(before piece: Item) -> Int64? {
    let stream = Stream(key: piece.key, direction: piece.direction, type: piece.typeName)
    let known = last[piece.key.connection]?[stream]
    guard known != nil || count < Self.limit else { return nil }
    if known == nil { count += 1 }
    last[piece.key.connection, default: [:]][stream] = piece.completed.time
    return known.map { piece.completed.time.since($0) }
  }

  mutating func close(_ connection: Int) {
    count -= last.removeValue(forKey: connection)?.count ?? 0
  }
}

extension JSONWriter {
  /// What the first line of a capture holds: its own, and every column that other lines can have, blank. Readers that guess
  /// columns from lines then make the same table of each capture, whatever happened in it. See .ci/columns.
  mutating func firstLine(_ type: String, _ run: RunInfo, message: String) {
    field("type", type)
    field("schema", "streamscope.event/1")
    // Where there is no packet there is no time; a text that is no time would make one of all others.
    field("time", ClockTime(run.origin ?? .zero).text)
    field("captureId", run.capture)
    field("file", run.file)
    field("version", run.version)
    labels(run.labels.isEmpty ? [(name: "", value: "")] : run.labels)
    field("message", message)
    fields(written: Assets.blankColumns)
  }

  mutating func labels(_ labels: [(name: String, value: String)]) {
    array("labels") { list in
      for label in labels {
        list.object { json in
          json.field("name", label.name)
          json.field("value", label.value)
        }
      }
    }
  }

  /// What every line begins with.
  mutating func row(_ type: String, _ time: Timestamp, _ uid: String?, _ capture: String) {
    field("type", type)
    field("time", at: time)
    field("captureId", capture)
    // Of the capture itself, where it is about no connection.
    field("uid", uid ?? capture)
  }

  /// What a line is about, in words that are the same in other captures.
  mutating func place(_ place: EndpointName?, kind: String?) {
    if let place {
      if !place.host.isEmpty { field("host", place.host) }
      field("method", place.method)
      field("endpoint", place.path)
    }
    field("kind", kind)
  }

  /// A time, as a text or, in a table, as a time.
  mutating func field(_ name: String, at time: Timestamp?) {
    guard let time else { return }
    guard !isTable else {
      key(name)
      table?.time(time.nanoseconds)
      return
    }
    field(name, ClockTime(time).text)
  }
}
