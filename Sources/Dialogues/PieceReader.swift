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

  /// What is to be reported.
  mutating func taken() -> [Item] {
    guard !pieces.isEmpty else { return [] }
    defer { pieces.removeAll(keepingCapacity: true) }
    return pieces
  }
}
