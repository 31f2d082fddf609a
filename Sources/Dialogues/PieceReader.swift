import Citation
import Events
import HTTP1
import HTTPSemantics

/// The pieces of one body, until they are reported.
struct PieceReader: Sendable {
  let previewLimit: Int
  let direction: Direction
  private var preview: [UInt8] = []
  private var pieces: [Item] = []

  init(_ direction: Direction, previewLimit: Int) {
    self.direction = direction
    self.previewLimit = previewLimit
  }

  /// Bytes of the chunk at hand.
  mutating func read(_ bytes: Span<UInt8>) {
    let kept = min(bytes.count, previewLimit - preview.count)
    if kept > 0 { bytes.extracting(first: kept).withUnsafeBufferPointer { preview.append(contentsOf: $0) } }
  }

  mutating func miss() {
    preview.removeAll(keepingCapacity: true)
  }

  mutating func end(_ chunk: Chunk, carriesItems: Bool) {
    var piece = Item(
      .chunk, direction, first: chunk.dataFirst, completed: chunk.dataLast, bytes: chunk.size)
    piece.preview = preview
    piece.carriesItems = carriesItems
    preview.removeAll(keepingCapacity: true)
    pieces.append(piece)
  }

  mutating func add(_ piece: Item) { pieces.append(piece) }

  /// Tells what is to be reported, as of an exchange.
  mutating func tell(of exchange: ExchangeKey, into events: inout [Event]) {
    guard !pieces.isEmpty else { return }
    for at in pieces.indices {
      pieces[at].key = exchange
      events.append(.piece(Shared(pieces[at])))
    }
    pieces.removeAll(keepingCapacity: true)
  }
}
