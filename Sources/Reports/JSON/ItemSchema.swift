import Citation
import Events

// The items of a connection in streamscope.result/1: each chunk, event, message and encrypted record, as columns,
// because there may be hundreds of thousands and most readers want to draw them.

/// The pieces of one connection until its record is written.
struct ItemColumns {
  /// Bytes of previews that a document holds; those of later items are left out.
  static let previewBudget = 16 << 20

  private struct Row {
    var nanoseconds: Int64
    var span: Int64
    var packet: Int64
    var exchange: Int64
    var bytes: Int64
    var label: UInt16
    /// Places in lists of names.
    var direction: UInt8
    var kind: UInt8
  }

  private(set) var cut: UInt64 = 0
  /// In the order in which they were complete: what is added together lies together.
  private var rows: [Row] = []
  private var texts = [""]
  private var places = ["": UInt16(0)]
  /// Of the last item, as it was sent: pieces of a stream mostly have one name, and each would be looked at and looked up.
  private var lastLabel = (sent: "", place: UInt16(0))
  /// The texts of the first items one behind the other, and where each ends.
  private var previews: [UInt8] = []
  private var previewEnds: [Int] = []
  private var usedKinds: [Item.Kind] = []
  /// Names of events that are kept of one connection; a sender may invent a new one each time.
  private static let textLimit = 1_000

  var count: Int { rows.count }

  mutating func leaveOut() { cut += 1 }

  /// Answers the bytes that the preview takes.
  mutating func add(_ piece: Item, origin: Timestamp, _ redaction: Redaction, keepsPreview: Bool) -> Int {
    if piece.label != lastLabel.sent { lastLabel = (piece.label, place(of: piece.shownLabel(redaction))) }
    rows.append(
      Row(
        nanoseconds: piece.completed.time.since(origin), span: piece.span,
        packet: Int64(clamping: piece.completed.number), exchange: Int64(piece.key.number),
        bytes: Int64(clamping: piece.bytes), label: lastLabel.place, direction: piece.direction == .toServer ? 0 : 1,
        kind: place(of: piece.kind)))
    guard keepsPreview, previewEnds.count == rows.count - 1 else { return 0 }
    let start = previews.count
    redaction.appendPreview(piece, to: &previews)
    previewEnds.append(previews.count)
    return previews.count - start
  }

  private mutating func place(of text: String) -> UInt16 {
    if let known = places[text] { return known }
    guard texts.count < Self.textLimit else { return 0 }
    let place = UInt16(truncatingIfNeeded: texts.count)
    places[text] = place
    texts.append(text)
    return place
  }

  private mutating func place(of kind: Item.Kind) -> UInt8 {
    let known = usedKinds.firstIndex(of: kind)
    if known == nil { usedKinds.append(kind) }
    return UInt8(truncatingIfNeeded: known ?? usedKinds.count - 1)
  }

  func write(to json: inout JSONWriter) {
    guard !rows.isEmpty else { return }
    json.object("items") { json in
      json.array("kinds") { list in for kind in usedKinds { list.value(kind.name) } }
      json.array("labels") { list in for text in texts { list.value(text) } }
      json.line("ns", rows.map { $0.nanoseconds })
      json.line("spanNs", rows.map { $0.span })
      json.line("packet", rows.map { $0.packet })
      json.line("direction", rows.map { Int64($0.direction) })
      json.line("kind", rows.map { Int64($0.kind) })
      json.line("exchange", rows.map { $0.exchange })
      json.line("bytes", rows.map { $0.bytes })
      json.line("label", rows.map { Int64($0.label) })
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
  /// What a peer said in a piece.
  mutating func words(of piece: Item, _ context: ResultContext) {
    if !piece.label.isEmpty { field("label", piece.shownLabel(context.redaction)) }
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
