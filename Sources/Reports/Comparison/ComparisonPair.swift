import Citation
import Events
import HTTPSemantics

/// One exchange in both captures: verdict, differences side by side, and the pieces with the time each took between the
/// two points.
struct ComparisonPair {
  private static let pieceLimit = 8
  private static let differenceLimit = 16

  let record: ComparisonRecord
  let style: TextStyle
  let redaction: Redaction

  func write(_ pair: ComparedPair, to block: inout TextBlock) {
    let words = pair.verdicts.map { verdict in
      style.paint(verdict.words + (verdict.side.map { " in \($0.name)" } ?? ""), paint(verdict.word))
    }
    block.parts(
      [redaction.shown(pair.title), place(pair.a, "A"), place(pair.b, "B"), words.joined(separator: ", ")],
      indent: "    ", first: "", width: style.width)
    if pair.reason != .target {
      block.paragraph("matched by: \(pair.reason.rawValue)", indent: "    ", width: style.width)
    }
    // What was held leads where it is the verdict.
    let isHeld = pair.verdicts.first.map { $0.word == .buffered || $0.word == .slower } ?? false
    if !isHeld { writeDifferences(pair, to: &block) }
    for direction in Direction.allCases { writeHolds(pair, direction, to: &block) }
    if isHeld { writeDifferences(pair, to: &block) }
  }

  private func place(_ exchange: ComparedExchange, _ name: String) -> String {
    let status = exchange.record.response?.head.map { "\($0.status.code)" } ?? "no response"
    let wait = exchange.record.wait.map { " after \(Wording.duration($0))" } ?? ""
    let more = exchange.record.number > 1 ? ".\(exchange.record.number)" : ""
    return "\(name) #\(exchange.leg.connection)\(more): \(status)\(wait)"
  }

  private func paint(_ word: ComparisonVerdict.Word) -> TextStyle.Paint {
    switch word {
    case .failed, .truncated: .error
    case .buffered, .slower: .warning
    case .altered, .reframed: .note
    case .identical: .faint
    }
  }

  // MARK: Differences

  private func writeDifferences(_ pair: ComparedPair, to block: inout TextBlock) {
    let shown = pair.differences.filter { style.showsLint || $0.role != .individual && $0.role != .hop }
    let left = pair.differences.count - shown.count
    if !shown.isEmpty {
      let told = shown.prefix(style.showsLint ? shown.count : Self.differenceLimit)
      let titles = told.map(title)
      let notes = told.map(note)
      let widest = { (texts: [String]) in texts.map(\.count).max() ?? 0 }
      let width = max(16, (style.width - 4 - widest(titles) - widest(notes) - 9) / 2)
      var rows = [["", "in A", "in B", ""]]
      for (index, difference) in told.enumerated() {
        rows.append([
          titles[index], value(difference, .a, width), value(difference, .b, width), notes[index],
        ])
      }
      block.table(
        rows, alignsRight: false, margins: [String](repeating: "    ", count: rows.count), width: style.width - 4)
    }
    if shown.count > Self.differenceLimit, !style.showsLint {
      block.line("    and \(shown.count - Self.differenceLimit) more differences   [--lint]")
    }
    if left > 0 {
      let what = record.relation.kind == .points ? "that every hop sets itself" : "that vary from run to run"
      block.paragraph(
        "and \(Wording.count(UInt64(left), "difference")) \(what)   [--lint]", indent: "    ", width: style.width)
    }
  }

  /// `request Transfer-Encoding`, `upload chunks`
  private func title(_ difference: Difference) -> String {
    let name = EscapedText.text(redaction.name(ofField: difference.name))
    let what: String
    switch difference.kind {
    case .codingCase, .fieldValue, .fieldAdded, .fieldRemoved, .contentCoding, .tls: what = name
    case .fieldCase: what = "spelling"
    case .fieldOrder: what = "order of fields"
    case .content: what = difference.part == .webSocket ? "of \(name)" : "bytes"
    case .messages, .fragments, .close: what = "\(difference.kind.rawValue) of \(name)"
    case .method, .target, .version, .status, .framing, .trailers, .chunks, .end, .masks:
      what = difference.kind.rawValue
    case .interim: what = ""
    }
    let part = difference.part == .webSocket ? "WebSocket" : difference.part == .tls ? "TLS" : difference.part.rawValue
    return what.isEmpty ? part : "\(part) \(what)"
  }

  private func value(_ difference: Difference, _ side: CompareSide, _ width: Int) -> String {
    guard let shown = difference.shown(side, redaction) else { return "-" }
    var text = EscapedText.text(shown)
    let packet = difference.packets[side].map { " #\($0.number)" } ?? ""
    let room = max(4, width - packet.count)
    if text.count > room { text = "\(text.prefix(room - 1))…" }
    return text + packet
  }

  private func note(_ difference: Difference) -> String {
    var note: String
    switch difference.role {
    case .cause: note = "request differs"
    case .consequence: note = "follows from it"
    case .individual: note = "varies"
    case .hop: note = "set by each hop"
    case .plain:
      note = difference.kind == .codingCase && record.relation.kind == .points ? "so the server never saw it" : ""
    }
    if let from = difference.from, let to = difference.to {
      note =
        to == from + 1 ? "from byte \(Wording.number(from))" : "in bytes \(Wording.number(from))–\(Wording.number(to))"
    }
    return note
  }

  // MARK: Pieces

  private func writeHolds(_ pair: ComparedPair, _ direction: Direction, to block: inout TextBlock) {
    let pieces = pair.holds[direction]
    guard let passage = pair.passage, pieces.count > 1 || pieces.contains(where: { $0.held >= 1_000_000 }) else {
      return
    }
    let origin = record.captures.map { $0.capture.firstTime ?? .zero }
    let first = direction == .toServer ? passage.outer : passage.outer.other
    let what = direction == .toServer ? "upload" : "download"
    var rows = [["\(what), piece", "bytes", "at \(first.name)", "at \(first.other.name)", "took"]]
    for piece in pieces.prefix(Self.pieceLimit) {
      let at = { (side: CompareSide) -> String in
        let packet = side == .a ? piece.a : piece.b
        return "\(Self.seconds(packet.time.since(origin[side]))) #\(packet.number)"
      }
      rows.append([
        "\(piece.index + 1)", Wording.number(piece.bytes), at(first), at(first.other), Wording.duration(piece.held),
      ])
    }
    block.table(
      rows, alignsRight: true, margins: [String](repeating: "    ", count: rows.count), width: style.width - 4)
    let more = UInt64(max(0, pieces.count - Self.pieceLimit)) + pair.holdsCut[direction]
    let longest = pieces.max { $0.held < $1.held }
    if more > 0, let longest {
      block.line(
        "    and \(Wording.number(more)) more; the longest took \(Wording.duration(longest.held)), piece \(longest.index + 1)"
      )
    }
    if let longest, longest.held >= 100_000_000 {
      block.paragraph(
        "between the two: \(EscapedText.text(redaction.value(passage.holder, of: "server")))", indent: "    ",
        width: style.width)
    }
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    (nanoseconds < 0 ? "-" : "") + Wording.decimal(nanoseconds.magnitude / 100_000, places: 4) + " s"
  }
}
