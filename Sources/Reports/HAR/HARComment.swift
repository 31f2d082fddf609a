import Events

/// The comment on the whole archive: its source, and its limits.
enum HARComment {
  static func text(_ captures: [HARCapture]) -> String {
    let files = captures.map { $0.document["capture"]?.text("file") ?? "an unnamed capture" }
    var sentences: [String] = []
    if !files.isEmpty { sentences.append("Made from \(files.joined(separator: ", ")).") }
    sentences.append("Times are those of the packets at the capture point. Bodies are not included.")
    for capture in captures {
      let lead = captures.count > 1 ? "\(capture.document["capture"]?.text("file") ?? "?"): " : ""
      sentences += own(capture).map { lead + $0 }
    }
    return sentences.joined(separator: " ")
  }

  private static func own(_ capture: HARCapture) -> [String] {
    let document = capture.document
    var sentences: [String] = []
    let record = document["capture"]
    var gaps: [String] = []
    if record?["complete"]?.flag == false { gaps.append("the capture is incomplete") }
    gaps += record?.elements("problems").compactMap(\.text) ?? []
    gaps += record?.elements("limits").compactMap(\.text) ?? []
    let counts = [
      ("dropped", "packet", "dropped while capturing"), ("snaplenCut", "packet", "cut by the snapshot length"),
    ]
    for (key, noun, what) in counts {
      if let count = record?.integer(key), count > 0 { gaps.append("\(count.words(noun)) \(what)") }
    }
    if !gaps.isEmpty { sentences.append("Incomplete: \(gaps.joined(separator: "; ")).") }
    sentences.append(
      capture.isRedacted
        ? "Redacted: secrets and the content of messages and events are replaced by their length and a salted hash."
        : "NOT redacted: it holds secrets, and previews of messages and events.")
    if capture.silentItems > 0 {
      sentences.append("Only the length of \(Int64(capture.silentItems).words("message")) is included.")
    }
    var cut: [String] = []
    for (key, noun) in [("connectionsCut", "connection"), ("exchangesCut", "exchange"), ("findingsCut", "finding")] {
      if let count = document.integer(key), count > 0 { cut.append(count.words(noun)) }
    }
    if capture.itemsCut > 0 {
      cut.append(capture.itemsCut.words("message, event or chunk", "messages, events and chunks"))
    }
    if !cut.isEmpty { sentences.append("Left out: \(cut.joined(separator: ", ")).") }
    if capture.lacksItems {
      sentences.append("The source document holds no messages, events and chunks.")
    }
    if capture.encrypted > 0 {
      sentences.append(
        "\(Int64(capture.encrypted).words("TLS connection")) not decrypted and not included.")
    }
    if !capture.clock.isKnown, capture.entries > 0 {
      sentences.append("The time of day is not known: the first packet is placed at the beginning of 1970.")
    }
    return sentences
  }
}

extension Int64 {
  fileprivate func words(_ noun: String, _ plural: String? = nil) -> String {
    Wording.count(magnitude, noun, plural)
  }
}
