import Citation
import Events

/// One exchange of a comparison on its page: verdict, differences side by side, and its lanes.
struct ComparisonPageExchange {
  private static let differenceLimit = 100

  let pair: DocumentNode

  func write(to page: inout HTMLText) {
    page.element("h2", pair.title)
    let legs = ["a", "b"].map { side -> String in
      let leg = pair[side]
      let status = leg?.integer("status").map { "\($0)" } ?? "no response"
      let wait = leg?.integer("waitNs").map { " after \(Wording.duration($0))" } ?? ""
      return
        "\(side.uppercased()) #\(leg?.integer("connection") ?? 0).\(leg?.integer("exchange") ?? 0): \(status)\(wait)"
    }
    page.element("p", legs.joined(separator: " · "))
    page.markup("<p class=\"words\">")
    for verdict in pair.elements("verdicts") { write(verdict, to: &page) }
    page.markup("</p>\n")
    writeDifferences(to: &page)
    for direction in ["upload", "download"] {
      if let lanes = pair[direction] { ComparisonLanes(direction: direction, lanes).write(to: &page) }
    }
  }

  private func write(_ verdict: DocumentNode, to page: inout HTMLText) {
    let word = verdict.text("word") ?? ""
    let direction = verdict.text("direction").map { $0 == "toServer" ? "upload " : "download " } ?? ""
    page.markup("<span class=\"word ")
    page.text(word)
    page.markup("\">")
    page.text("\(direction)\(word)\(verdict.text("capture").map { " in \($0.uppercased())" } ?? "")")
    page.markup("</span> ")
  }

  private func writeDifferences(to page: inout HTMLText) {
    let differences = pair.elements("differences")
    guard !differences.isEmpty else { return }
    page.markup("<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">differs</th><th scope=\"col\">in A</th>")
    page.markup("<th scope=\"col\">in B</th><th scope=\"col\">note</th></tr></thead>\n<tbody>\n")
    for difference in differences.prefix(Self.differenceLimit) {
      switch difference.text("role") {
      case "cause": page.markup("<tr class=\"cause\">")
      case "hop", "individual": page.markup("<tr class=\"aside\">")
      default: page.markup("<tr>")
      }
      let name = difference.text("name").map { " \($0)" } ?? ""
      page.element("td", "\(difference.text("part") ?? ""): \(Self.title(difference))\(name)")
      for side in ["a", "b"] {
        page.markup("<td class=\"value\">")
        page.text(difference[side]?.text("value") ?? "–")
        if let packet = difference[side]?.integer("packet") { page.text(" #\(packet)") }
        page.markup("</td>")
      }
      page.element("td", Self.words(difference))
      page.markup("</tr>\n")
    }
    page.markup("</tbody></table></div>\n")
    if differences.count > Self.differenceLimit {
      page.element("p", "\(differences.count - Self.differenceLimit) more: see the document.")
    }
  }

  private static func title(_ difference: DocumentNode) -> String {
    switch difference.text("kind") {
    case "codingCase": "letter case of"
    case "fieldCase": "spelling of"
    case "fieldValue": "value of"
    case "fieldAdded", "fieldRemoved": "field"
    case "fieldOrder": "order of fields from"
    case "contentCoding": "coding:"
    case "content": "bytes"
    case let kind: kind ?? ""
    }
  }

  private static func words(_ difference: DocumentNode) -> String {
    if let from = difference.integer("from"), let to = difference.integer("to") {
      return to == from + 1 ? "from byte \(from)" : "in bytes \(from)–\(to)"
    }
    switch difference.text("role") {
    case "cause": return "request differs"
    case "consequence": return "follows from it"
    case "hop": return "set by each hop"
    case "individual": return "varies"
    default: return ""
    }
  }
}

/// The pieces of one direction, as marks on two lanes of one clock, and the time between them.
///
/// Times become places of a thousand, in whole numbers: the page is the same wherever it is made.
struct ComparisonLanes {
  private static let left: Int64 = 40
  private static let width: Int64 = 940
  private static let top: Int64 = 22
  private static let bottom: Int64 = 82

  private let direction: String
  private let lanes: DocumentNode
  private let begin: Int64
  private let span: Int64

  init(direction: String, _ lanes: DocumentNode) {
    self.direction = direction
    self.lanes = lanes
    let times = ["a", "b"].flatMap { lanes.elements($0).compactMap { $0.integer("ns") } }
    begin = min(0, times.min() ?? 0)
    span = max(1, (times.max() ?? 0) &- begin)
  }

  func write(to page: inout HTMLText) {
    let holds = lanes.elements("holds")
    page.markup("<figure>\n<svg viewBox=\"0 0 1000 104\" role=\"img\" aria-label=\"")
    page.text(caption)
    page.markup("\">\n")
    for part in 0...4 as ClosedRange<Int64> {
      let x = Self.left + Self.width * part / 4
      line("grid", x, Self.top - 8, x, Self.bottom + 8, to: &page)
      text(x, 100, Wording.duration(begin &+ span / 4 &* part), isLast: part == 4, to: &page)
    }
    for hold in holds { write(hold, to: &page) }
    for (side, y) in [("a", Self.top), ("b", Self.bottom)] {
      text(8, y + 4, side.uppercased(), to: &page)
      line("lane", Self.left, y, Self.left + Self.width, y, to: &page)
      for piece in lanes.elements(side) {
        guard let time = piece.integer("ns") else { continue }
        line(side == "a" ? "tick-a" : "tick-b", place(time), y - 8, place(time), y + 8, to: &page)
      }
    }
    page.markup("</svg>\n")
    page.markup("<figcaption>")
    page.text(caption)
    page.markup("</figcaption>\n</figure>\n")
  }

  private var caption: String {
    let counts = ["a", "b"].map { "\(lanes.elements($0).count) at \($0.uppercased())" }.joined(separator: ", ")
    let holds = lanes.elements("holds")
    guard let longest = holds.max(by: { ($0.integer("heldNs") ?? 0) < ($1.integer("heldNs") ?? 0) }),
      let time = longest.integer("heldNs")
    else { return "\(direction): pieces, \(counts)" }
    let packets = "A #\(longest.integer("aPacket") ?? 0), B #\(longest.integer("bPacket") ?? 0)"
    return "\(direction): pieces, \(counts); the longest took \(Wording.duration(time)) between the two (\(packets))"
  }

  private func place(_ time: Int64) -> Int64 {
    let passed = max(0, min(time &- begin, span))
    // Without overflow, whatever a document contains.
    return Self.left
      + Int64(UInt64(span).dividingFullWidth(UInt64(passed).multipliedFullWidth(by: UInt64(Self.width))).quotient)
  }

  /// The time between the two points, as a band from one lane to the other.
  private func write(_ hold: DocumentNode, to page: inout HTMLText) {
    guard let a = hold.integer("aNs"), let b = hold.integer("bNs") else { return }
    let (x, y) = (place(a), place(b))
    page.markup("<polygon class=\"held\" points=\"")
    page.text("\(x),\(Self.top) \(y),\(Self.top) \(y),\(Self.bottom)")
    page.markup("\"/>\n")
  }

  private func line(
    _ name: StaticString, _ x: Int64, _ y: Int64, _ toX: Int64, _ toY: Int64, to page: inout HTMLText
  ) {
    page.markup("<line class=\"")
    page.markup(name)
    page.markup("\" x1=\"")
    page.text("\(x)")
    page.markup("\" y1=\"")
    page.text("\(y)")
    page.markup("\" x2=\"")
    page.text("\(toX)")
    page.markup("\" y2=\"")
    page.text("\(toY)")
    page.markup("\"/>\n")
  }

  private func text(_ x: Int64, _ y: Int64, _ content: String, isLast: Bool = false, to page: inout HTMLText) {
    page.markup(isLast ? "<text text-anchor=\"end\" x=\"" : "<text x=\"")
    page.text("\(x)")
    page.markup("\" y=\"")
    page.text("\(y)")
    page.markup("\">")
    page.text(content)
    page.markup("</text>\n")
  }
}
