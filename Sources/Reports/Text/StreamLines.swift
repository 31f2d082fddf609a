import Citation
import Events

/// Live events in columns, one per line: when, how long after the line before of the same stream, which packet, of
/// which stream, and what. Holds one time for each direction of an open connection.
struct StreamLines {
  /// A direction of one, on its connection.
  private struct Stream: Hashable {
    var exchange: Int
    var direction: Direction
  }

  private static let widths = (time: 9, gap: 9, packet: 8, stream: 8, kind: 8, size: 9)

  var origin = Timestamp.zero
  /// Messages so far.
  private(set) var told: UInt64 = 0
  private let style: TextStyle
  private let redaction: Redaction
  /// The time of the last line of each stream, by connection: removed when the connection ends.
  private var last: [Int: [Stream: Timestamp]] = [:]
  private var previous: Timestamp?

  init(_ style: TextStyle, _ redaction: Redaction) {
    self.style = style
    self.redaction = redaction
  }

  /// Streams whose connections are not over.
  var open: UInt64 { last.values.reduce(0) { $0 + Self.count($1) } }

  /// The connection has ended; returns how many streams it had.
  mutating func close(_ connection: Int) -> UInt64 {
    last.removeValue(forKey: connection).map(Self.count) ?? 0
  }

  private static func count(_ streams: [Stream: Timestamp]) -> UInt64 {
    UInt64(Set(streams.keys.map(\.exchange)).count)
  }

  var heading: String {
    let widths = Self.widths
    return [
      style.clock.title.aligned(right: widths.time), "gap".aligned(right: widths.gap),
      "packet".aligned(right: widths.packet), " " + "stream".padded(to: widths.stream), " ",
      "kind".padded(to: widths.kind), "size".aligned(right: widths.size), " begins",
    ].joined(separator: " ")
  }

  mutating func line(_ piece: Item) -> String {
    told += 1
    let stream = Stream(exchange: piece.key.number, direction: piece.direction)
    let before = last[piece.key.connection, default: [:]].updateValue(piece.completed.time, forKey: stream)
    let gap = before.map { Wording.duration(max(0, piece.completed.time.since($0))) } ?? ""
    let label = piece.shownLabel(redaction)
    let size = piece.kind == .comment ? "" : Wording.bytes(piece.bytes)
    let first = columns(
      piece.completed, gap, piece.key.connection, piece.key.number, piece.direction, piece.kind.name,
      size.aligned(right: Self.widths.size))
    let preview = [label, shown(redaction.preview(piece), after: first.visibleCount + label.visibleCount + 3)]
      .filter { !$0.isEmpty }.joined(separator: " ")
    return preview.isEmpty ? first : first + "  " + preview
  }

  /// A line about something else than a message.
  mutating func line(
    _ packet: PacketRef?, _ connection: Int?, _ exchange: Int, _ direction: Direction?, _ kind: String, _ words: String
  ) -> String {
    columns(packet, "", connection, exchange, direction, kind, words)
  }

  private mutating func columns(
    _ packet: PacketRef?, _ gap: String, _ connection: Int?, _ exchange: Int, _ direction: Direction?, _ kind: String,
    _ words: String
  ) -> String {
    let widths = Self.widths
    let number = connection.map { exchange > 0 ? "#\($0).\(exchange)" : "#\($0)" } ?? ""
    let time = packet.map { style.clock.text($0.time, from: origin, after: previous) } ?? ""
    previous = packet?.time ?? previous
    return [
      time.aligned(right: widths.time), gap.aligned(right: widths.gap),
      (packet.map { "#\($0.number)" } ?? "").aligned(right: widths.packet), " " + number.padded(to: widths.stream),
      direction.map { $0 == .toServer ? style.toServer : style.toClient }
        ?? String(repeating: " ", count: style.toServer.count),
      kind.padded(to: widths.kind) + " " + words,
    ].joined(separator: " ")
  }

  /// What fits on the line.
  private func shown(_ preview: String, after used: Int) -> String {
    let room = max(16, style.width - used)
    return preview.visibleCount <= room ? preview : preview.prefix(room - 1) + "…"
  }
}
