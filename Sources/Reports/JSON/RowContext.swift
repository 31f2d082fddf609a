import Assets
import Citation
import Events

/// What a line needs to be understood without the lines before it: the capture, a name of its own, what came before.
struct RowContext {
  /// Streams whose last piece is remembered.
  private static let limit = 100_000

  /// A direction of an exchange. The chunks of a body and the events in it come one after the other, each with gaps of
  /// their own.
  private struct Stream: Hashable {
    private let word: UInt64

    init(of piece: Item) {
      let exchange = UInt64(truncatingIfNeeded: piece.key.number)
      word = exchange &<< 5 | (piece.direction == .toServer ? 16 : 0) | UInt64(piece.rowType.rawValue)
    }
  }

  let capture: String
  var ordinals = FindingOrdinals()
  private var last: [Int: [Stream: Timestamp]] = [:]
  private var count = 0

  init(capture: String) {
    self.capture = capture
  }

  func uid(_ connection: Int) -> RowName { RowName(capture, connection) }

  func uid(_ key: ExchangeKey) -> RowName { RowName(capture, key.connection, key.isKnown ? key.number : nil) }

  /// How long after the one before on its stream it was complete; nil for the first.
  mutating func gap(before piece: Item) -> Int64? {
    let stream = Stream(of: piece)
    let time = piece.completed.time
    if count >= Self.limit, last[piece.key.connection]?[stream] == nil { return nil }
    let known = last[piece.key.connection, default: [:]].updateValue(time, forKey: stream)
    if known == nil { count += 1 }
    return known.map { time.since($0) }
  }

  mutating func close(_ connection: Int) {
    count -= last.removeValue(forKey: connection)?.count ?? 0
  }
}

/// The name of what a line is about, the same in every run over the same bytes: of the capture, a connection or an exchange.
struct RowName: JSONValue {
  private let capture: String
  private let connection: Int?
  private let exchange: Int?

  init(_ capture: String, _ connection: Int? = nil, _ exchange: Int? = nil) {
    self.capture = capture
    self.connection = connection
    self.exchange = exchange
  }

  var text: String {
    var bytes: [UInt8] = []
    bytes.append(room: room) { write(to: &$0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  // The name of a capture is a hash in digits, or a time where there is none: nothing of it needs an escape.
  func write(to json: inout JSONWriter) { json.string { $0.append(room: room) { write(to: &$0) } } }

  /// As much as it takes at most.
  var room: Int { capture.utf8.count + 2 * (Digits.most + 1) }

  func write(to pen: inout Pen) {
    pen.append(capture)
    guard let connection else { return }
    pen.append(UInt8(ascii: "-"))
    pen.append(digits: UInt64(clamping: connection))
    guard let exchange else { return }
    pen.append(UInt8(ascii: "-"))
    pen.append(digits: UInt64(clamping: exchange))
  }
}

extension JSONWriter {
  /// What the first line of a capture holds: its own, and every column that other lines can have, blank. Readers that guess
  /// columns from lines then make the same table of each capture, whatever happened in it. See .ci/columns.
  mutating func firstLine(_ type: String, _ run: RunInfo, message: String) {
    field("type", type)
    field("schema", "streamscope.event/1")
    // Where there is no packet there is no time; a text that is no time would make one of all others.
    key("time")
    string { ClockTime(run.origin ?? .zero).append(to: &$0) }
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
  mutating func field(_ name: FieldName, at time: Timestamp?) {
    guard let time else { return }
    guard !isTable else {
      key(name)
      table?.time(time.nanoseconds)
      return
    }
    key(name)
    string { ClockTime(time).append(to: &$0) }
  }
}
