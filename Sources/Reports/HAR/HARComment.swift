import Events

/// The comment on the whole archive: what it was made of, and what a reader must not take it for.
enum HARComment {
  static func text(_ captures: [HARCapture]) -> String {
    let files = captures.map { $0.document["capture"]?.text("file") ?? "a capture without a name" }
    var sentences: [String] = []
    if !files.isEmpty { sentences.append("Made from \(files.joined(separator: ", ")).") }
    sentences.append("Times are those of the packets where they were captured. Bodies are not kept.")
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
    if record?["complete"]?.flag == false { gaps.append("the capture is not whole") }
    gaps += record?.elements("problems").compactMap(\.text) ?? []
    gaps += record?.elements("limits").compactMap(\.text) ?? []
    let counts = [("dropped", "packet", "dropped"), ("snaplenCut", "packet", "cut by the snapshot length")]
    for (key, noun, what) in counts {
      if let count = record?.integer(key), count > 0 { gaps.append("\(count.words(noun)) \(what)") }
    }
    if !gaps.isEmpty { sentences.append("Incomplete: \(gaps.joined(separator: "; ")).") }
    sentences.append(
      capture.isRedacted
        ? "Redacted: secrets, and what messages and events hold, are replaced by their length and a salted hash."
        : "NOT redacted: it holds secrets, and the beginnings of messages and events.")
    if capture.silentItems > 0 {
      sentences.append("Of \(Int64(capture.silentItems).words("message")) only the length is kept.")
    }
    var cut: [String] = []
    for (key, noun) in [("connectionsCut", "connection"), ("exchangesCut", "exchange"), ("findingsCut", "finding")] {
      if let count = document.integer(key), count > 0 { cut.append(count.words(noun)) }
    }
    if capture.itemsCut > 0 {
      cut.append(capture.itemsCut.words("message, event or chunk", "messages, events and chunks"))
    }
    if !cut.isEmpty { sentences.append("Left out: \(cut.joined(separator: ", ")).") }
    if document.elements("connections").contains(where: DocumentItems.areWanted) {
      sentences.append("The document it was made from holds no messages, events and chunks.")
    }
    let shut = document.elements("connections").count { $0["tls"] != nil && $0["exchanges"] == nil }
    if shut > 0 {
      sentences.append(
        "\(Int64(shut).words("TLS connection")) could not be read and \(shut == 1 ? "is" : "are") not in it.")
    }
    if !capture.clock.isKnown, !capture.entries.isEmpty {
      sentences.append("No time of day is known: the first packet is taken to be at the beginning of 1970.")
    }
    return sentences
  }
}

extension Int64 {
  fileprivate func words(_ noun: String, _ plural: String? = nil) -> String {
    Wording.count(magnitude, noun, plural)
  }
}
