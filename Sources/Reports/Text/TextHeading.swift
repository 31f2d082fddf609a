import Citation
import Events

/// How the connections of a run ended.
struct EndTally {
  private(set) var count: UInt64 = 0
  private(set) var byKind: [ConnectionEnd.Kind: UInt64] = [:]

  mutating func add(_ record: ConnectionRecord) {
    count += 1
    byKind[record.end.kind, default: 0] += 1
  }

  var words: String {
    let kinds: [(ConnectionEnd.Kind, String)] = [
      (.fin, "closed"), (.reset, "reset"), (.open, "still open"), (.evicted, "evicted"),
    ]
    return kinds.compactMap { kind, word in
      byKind[kind].map { "\(Wording.number($0)) \(word)" }
    }.joined(separator: ", ")
  }
}

/// What was read, how complete it is, and the verdict.
struct TextHeading {
  let summary: Summary
  let style: TextStyle
  let isSmall: Bool

  func write(verdict: String?, ends: EndTally, to block: inout TextBlock) {
    let capture = summary.capture
    var parts = [FileName(path: capture.file).base]
    var size = "\(Wording.count(capture.packets, "packet")), \(Wording.duration(capture.duration))"
    if !isSmall { size = "\(Wording.size(capture.bytes)), \(size)" }
    parts.append(size)
    if isSmall {
      let exchanges = summary.exchanges > 0 ? ", " + Wording.count(summary.exchanges, "exchange") : ""
      let sockets = summary.webSockets > 0 ? ", " + Wording.count(summary.webSockets, "WebSocket") : ""
      parts.append(
        Wording.count(summary.connections, "connection") + exchanges + sockets + (shutTLS.map { ", " + $0 } ?? ""))
    }
    if !isSmall, let vantage = capture.vantage { parts.append(vantage.words) }
    parts.append(completeness)
    block.parts(parts, indent: "   ", first: "", width: style.width)
    if !isSmall {
      block.paragraph(
        "\(Wording.count(summary.connections, "TCP connection")): "
          + (summary.exchanges > 0 ? "\(Wording.count(summary.exchanges, "HTTP exchange")); " : "")
          + (summary.webSockets > 0 ? "\(Wording.count(summary.webSockets, "WebSocket")); " : "")
          + (shutTLS.map { $0 + "; " } ?? "")
          + (summary.selection != nil && ends.count > 0 ? "of the selected " : "")
          + "\(ends.words); \(Wording.size(summary.streamBytes)) of stream data", indent: "   ", first: "",
        width: style.width)
    }
    if capture.members != nil, isSmall {
      block.paragraph(
        "Numbers of packets count through all files; findings cite the file and the number in it.", indent: "   ",
        first: "", width: style.width)
    }
    if !doubts.isEmpty {
      block.paragraph("Unsure: " + doubts.joined(separator: ", "), indent: "   ", first: "", width: style.width)
    }
    if let selection = summary.selection {
      block.paragraph(leftOut(selection), indent: "   ", first: "", width: style.width)
    }
    if let verdict { block.paragraph(verdict, indent: "   ", first: "", width: style.width) }
    if !style.isQuiet { writeAside(to: &block) }
  }

  /// `Left out by --where hurt --from 1.5: 3 exchanges, 2 connections, 1 finding`
  private func leftOut(_ selection: SelectionRecord) -> String {
    let options = [("--where", selection.condition), ("--from", selection.from), ("--to", selection.to)]
    let names = options.compactMap { name, value in value.map { "\(name) \(EscapedText.text($0))" } }
    let counts = [
      (selection.exchangesLeftOut, "exchange"), (selection.connectionsLeftOut, "connection"),
      (selection.findingsLeftOut, "finding"),
    ]
    let words = counts.compactMap { count, name in count > 0 ? Wording.count(count, name) : nil }
    let beyond =
      selection.exchangesBeyond > 0
      ? "; of those kept, \(Wording.number(selection.exchangesBeyond)) began before the capture or went on at its end"
      : ""
    return "Left out by \(names.joined(separator: " ")): "
      + (words.isEmpty ? "nothing" : words.joined(separator: ", ")) + beyond
  }

  private var shutTLS: String? {
    summary.shutTLS > 0 ? "\(Wording.number(summary.shutTLS)) TLS without keys" : nil
  }

  /// `no loss, no holes, not cut short`, or what is wrong; without connections nothing is known of loss and holes.
  private var completeness: String {
    let capture = summary.capture
    let hasDrops = capture.dropped.map { $0 > 0 } ?? false
    // With bytes missing it is not known whether any were lost, only that none were retransmitted.
    let isLossKnown = !hasDrops && summary.missingBytes == 0
    let loss =
      summary.retransmittedBytes == 0
      ? (isLossKnown ? "no loss" : "nothing resent") : "\(Wording.bytes(summary.retransmittedBytes)) resent"
    let holes = summary.missingBytes == 0 ? "no holes" : "\(Wording.bytes(summary.missingBytes)) missing"
    let cut =
      if let cut = capture.cut {
        "CUT SHORT at byte \(Wording.number(cut.offset))"
      } else {
        capture.isComplete ? "not cut short" : "NOT READ TO THE END"
      }
    return summary.connections == 0 ? cut : "\(loss), \(holes), \(cut)"
  }

  /// Limits of the report.
  private var doubts: [String] {
    let capture = summary.capture
    var doubts: [String] = []
    if let dropped = capture.dropped, dropped > 0 {
      doubts.append("\(Wording.count(dropped, "packet")) dropped while capturing")
    }
    if summary.withMissingBytes > 0 {
      doubts.append("\(Wording.count(summary.withMissingBytes, "connection")) with bytes missing")
    }
    if summary.midstream > 0 {
      doubts.append("\(Wording.count(summary.midstream, "connection")) joined mid-stream")
    }
    if summary.oneSided > 0 {
      doubts.append("\(Wording.count(summary.oneSided, "connection")) captured in one direction only")
    }
    if capture.snaplenCut > 0 {
      doubts.append("\(Wording.count(capture.snaplenCut, "packet")) cut by the snapshot length")
    }
    if capture.timeReversals > 0 {
      doubts.append("\(Wording.count(capture.timeReversals, "packet")) with a time earlier than the packet before")
    }
    return doubts
  }

  private func writeAside(to block: inout TextBlock) {
    let capture = summary.capture
    var aside: [String] = []
    if capture.datagrams > 0 { aside.append(Wording.count(capture.datagrams, "UDP datagram")) }
    aside += capture.undecoded.prefix(5).map { "\(Wording.number($0.count)) \(EscapedText.text($0.name))" }
    if capture.undecoded.count > 5 { aside.append("\(capture.undecoded.count - 5) more kinds") }
    if !aside.isEmpty {
      block.paragraph("Not analysed: " + aside.joined(separator: ", "), indent: "   ", first: "", width: style.width)
    }
    for problem in capture.problems + capture.limits {
      block.paragraph("Note: " + EscapedText.text(problem), indent: "   ", first: "", width: style.width)
    }
  }
}

extension Vantage {
  var words: String {
    switch self {
    case .client: "captured at the client"
    case .server: "captured at the server"
    case .middle: "captured mid-path"
    }
  }
}

extension Wording {
  /// `1,022 B`, `610 MB`: for sizes that need not be exact.
  static func size(_ bytes: UInt64) -> String {
    let units: [(UInt64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (10_000, "kB")]
    for (unit, name) in units where bytes >= unit {
      let scale = name == "kB" ? UInt64(1_000) : unit
      let tenths = (bytes / (scale / 10))
      return tenths >= 1_000 ? "\(tenths / 10) \(name)" : "\(decimal(tenths, places: 1)) \(name)"
    }
    return Wording.bytes(bytes)
  }
}
