import Citation
import Events

/// One response on both sides of a proxy: when its pieces arrived, and when they were forwarded.
struct TextHops {
  /// Columns of the drawing.
  private static let columns = 60

  let style: TextStyle
  let origin: Timestamp

  func write(_ join: HopJoin, to block: inout TextBlock) {
    let pieces = join.pieces
    guard let first = pieces.first, let last = pieces.last, style.width >= Self.columns + 20 else { return }
    let begin = join.begin.time
    let length = max(1, join.end.time.since(begin))
    let at = { (time: Timestamp) in
      let column = Int(Double(time.since(begin)) / Double(length) * Double(Self.columns - 1))
      return max(0, min(Self.columns - 1, column))
    }
    var incoming = [String](repeating: " ", count: Self.columns)
    var outgoing = incoming
    for piece in pieces {
      incoming[at(piece.inner.time)] = "│"
      for column in at(piece.inner.time)..<max(at(piece.inner.time), at(piece.outer.time)) where outgoing[column] == " "
      {
        outgoing[column] = "░"
      }
    }
    for piece in pieces { outgoing[at(piece.outer.time)] = "█" }
    let width = max("#\(join.inner.connection)".count, "#\(join.outer.connection)".count)
    let margin = "    "
    let label = { (connection: Int, word: String) in "#\(connection)".padded(to: width) + " " + word.padded(to: 4) }
    let blank = String(repeating: " ", count: width + 5)
    block.line()
    block.line(margin + blank + "0 s" + Wording.duration(length).aligned(right: Self.columns - 3))
    let count = (join.isCut ? "first " : "") + Wording.count(UInt64(pieces.count), "piece")
    block.line(margin + label(join.inner.connection, "in") + incoming.joined() + "  \(count)")
    let packets = Set(pieces.map(\.outer.number))
    let all =
      packets.count == 1 ? "all in #\(first.outer.number)" : "in \(Wording.count(UInt64(packets.count), "packet"))"
    block.line(margin + label(join.outer.connection, "out") + outgoing.joined() + "  \(all)")
    write(first, "first piece", margin + blank, to: &block)
    if pieces.count > 1 { write(last, join.isCut ? "piece \(pieces.count)" : "last piece", margin + blank, to: &block) }
    let mean = pieces.reduce(0) { $0 &+ $1.held } / Int64(pieces.count)
    block.line(margin + blank + "held \(Wording.duration(mean)) on average")
  }

  private func write(_ piece: HopJoin.Piece, _ name: String, _ margin: String, to block: inout TextBlock) {
    let stamp = { (packet: PacketRef) in
      style.clock.text(packet.time, from: origin, after: nil) + " s #\(packet.number)"
    }
    block.line(
      margin + name.padded(to: 12) + "at the proxy \(stamp(piece.inner))   at the client \(stamp(piece.outer))"
        + "   held \(Wording.duration(piece.held))")
  }
}
