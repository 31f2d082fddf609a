import Citation
import Events

// The items of a connection in streamscope.result/1: each chunk, event, message and encrypted record, as columns,
// because there may be hundreds of thousands and most readers want to draw them.

/// The pieces of one connection until its record is written.
struct ItemColumns {
  /// Bytes of previews that a document holds; those of later items are left out.
  static let previewBudget = 16 << 20

  private(set) var count = 0
  private(set) var cut: UInt64 = 0
  private var nanoseconds: [Int64] = []
  private var spans: [Int64] = []
  private var packets: [Int64] = []
  private var directions: [Int64] = []
  private var kinds: [Int64] = []
  private var exchanges: [Int64] = []
  private var bytes: [Int64] = []
  private var labels: [Int64] = []
  private var texts = [""]
  private var places = ["": Int64(0)]
  /// Of the last item, as it was sent: pieces of a stream mostly have one name, and each would be looked at and looked up.
  private var lastLabel = (sent: "", place: Int64(0))
  /// The texts of the first items one behind the other, and where each ends.
  private var previews: [UInt8] = []
  private var previewEnds: [Int] = []
  private var usedKinds: [Item.Kind] = []
  /// Names of events that are kept of one connection; a sender may invent a new one each time.
  private static let textLimit = 1_000

  mutating func leaveOut() { cut += 1 }

  /// Answers the bytes that the preview takes.
  mutating func add(_ piece: Item, origin: Timestamp, _ redaction: Redaction, keepsPreview: Bool) -> Int {
    count += 1
    nanoseconds.append(piece.completed.time.since(origin))
    spans.append(piece.span)
    packets.append(Int64(clamping: piece.completed.number))
    directions.append(piece.direction == .toServer ? 0 : 1)
    if !usedKinds.contains(piece.kind) { usedKinds.append(piece.kind) }
    kinds.append(Int64(usedKinds.firstIndex(of: piece.kind) ?? 0))
    exchanges.append(Int64(piece.key.number))
    bytes.append(Int64(clamping: piece.bytes))
    if piece.label != lastLabel.sent { lastLabel = (piece.label, place(of: piece.shownLabel(redaction))) }
    labels.append(lastLabel.place)
    guard keepsPreview, previewEnds.count == count - 1 else { return 0 }
    let start = previews.count
    redaction.appendPreview(piece, to: &previews)
    previewEnds.append(previews.count)
    return previews.count - start
  }

  private mutating func place(of text: String) -> Int64 {
    if let known = places[text] { return known }
    guard texts.count < Self.textLimit else { return 0 }
    places[text] = Int64(texts.count)
    texts.append(text)
    return Int64(texts.count - 1)
  }

  func write(to json: inout JSONWriter) {
    guard count > 0 else { return }
    json.object("items") { json in
      json.array("kinds") { list in for kind in usedKinds { list.value(kind.name) } }
      json.array("labels") { list in for text in texts { list.value(text) } }
      json.line("ns", nanoseconds)
      json.line("spanNs", spans)
      json.line("packet", packets)
      json.line("direction", directions)
      json.line("kind", kinds)
      json.line("exchange", exchanges)
      json.line("bytes", bytes)
      json.line("label", labels)
      if !previews.isEmpty { json.array("preview") { writePreviews(to: &$0) } }
    }
  }

  private func writePreviews(to list: inout JSONWriter) {
    var start = 0
    for end in previewEnds {
      list.string(utf8: previews.span.extracting(start..<end))
      start = end
    }
  }
}

extension JSONWriter {
  /// The fields of a piece, inside an object that the caller opened.
  mutating func piece(_ piece: Item, _ context: ResultContext) {
    field("kind", piece.kind.name)
    field("exchange", nonzero: UInt64(piece.key.number))
    field("direction", piece.direction.name)
    field("ns", context.relative(piece.completed.time))
    field("spanNs", piece.span)
    field("packet", piece.completed.number)
    field("firstPacket", piece.first.number)
    field("bytes", piece.bytes)
    let label = piece.shownLabel(context.redaction)
    if !label.isEmpty { field("label", label) }
    let preview = context.redaction.preview(piece)
    if !preview.isEmpty { field("preview", preview) }
  }
}

extension Item {
  /// Of NDJSON lines: what kind of thing it is a kind of.
  enum RowType: UInt8 {
    case chunk, event, line, message, frame, record

    var name: String {
      switch self {
      case .chunk: "chunk"
      case .event: "event"
      case .line: "line"
      case .message: "message"
      case .frame: "frame"
      case .record: "record"
      }
    }
  }

  var rowType: RowType {
    switch kind {
    case .chunk: .chunk
    case .event, .comment: .event
    case .line: .line
    case .grpc: .message
    case .text, .binary, .ping, .pong, .close: .frame
    case .record: .record
    }
  }

  /// Names of events are names, unless they do not look like it.
  func shownLabel(_ redaction: Redaction) -> String { redaction.name(label) }
}
