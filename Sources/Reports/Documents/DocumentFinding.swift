import Citation
import Events

/// A finding of a document, for the formats that are lists of findings.
///
/// Texts have passed EscapedText: they are one line each, without control characters, but may hold any printable text.
struct DocumentFinding {
  let node: DocumentNode
  let rule: String
  /// As shown: lint is a note, whatever its rule's severity. nil for an unknown word.
  let severity: Severity?
  let isLint: Bool
  let message: String
  let fix: String?
  let causedBy: String?
  let connection: Int64?
  let exchange: Int64?
  let count: Int64

  init(_ node: DocumentNode) {
    self.node = node
    let text = { (key: String) in node.text(key).map { EscapedText.text($0) } }
    rule = text("rule") ?? "unknown"
    isLint = text("class") == "lint"
    severity = isLint ? .note : Severity(name: node.text("severity"))
    message = text("message") ?? "no message"
    fix = text("fix")
    causedBy = text("causedBy")
    connection = node.integer("connection")
    exchange = node.integer("exchange")
    count = max(1, node.integer("count") ?? 1)
  }

  /// Cited packets, each once, in order of their numbers.
  var packets: [Int64] {
    var numbers: [Int64] = []
    for evidence in node.elements("evidence") {
      if let packet = evidence.citedPacket { numbers.append(packet) }
    }
    numbers.sort()
    return numbers.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Of a series `cap.pcap1: frame.number in {4}; cap.pcap2: …`
  var filter: String? {
    if let filter = node.text("filter") { return EscapedText.text(filter) }
    let filters = node.elements("filters").map { item in
      "\(FileName(path: item.text("file") ?? "").base): \(EscapedText.text(item.text("filter") ?? ""))"
    }
    return filters.isEmpty ? nil : filters.joined(separator: "; ")
  }

  /// A diagnosis of warning or error: fails a check, and is reported before remarks.
  var hurts: Bool { severity.map { $0 >= .warning } ?? true }
}

extension DocumentNode {
  /// Of an evidence: the number that everything else in the document has the packet by; of a series, not that in its file.
  var citedPacket: Int64? { (integer("seriesPacket") ?? integer("packet")).flatMap { $0 > 0 ? $0 : nil } }

  /// Of an evidence in a series: the file.
  var member: String? { integer("seriesPacket") == nil ? nil : text("file") }
}

extension Severity {
  init?(name: String?) {
    guard let severity = Severity.allCases.first(where: { $0.name == name }) else { return nil }
    self = severity
  }
}

// MARK: - The worst first

extension DocumentFinding {
  /// Larger is worse. Causes come before consequences, what is proven before what is inferred, failures before losses
  /// and delays.
  var weight: [Int64] {
    let cost = node["cost"]
    let kind: Int64
    var size: Int64 = 0
    switch cost?.text("kind") {
    case "failed": kind = cost?.text("what") == "connection" ? 4 : 3
    case "lost": (kind, size) = (2, cost?.integer("bytes") ?? 0)
    case "delay": (kind, size) = (1, cost?.integer("ns") ?? 0)
    default: kind = 0
    }
    let isProven = !isLint && node.text("confidence") == Confidence.high.name
    return [Int64(severity?.rawValue ?? 1), isLint ? 0 : 1, causedBy == nil ? 1 : 0, isProven ? 1 : 0, kind, size]
  }

  /// Of equal weight in the order of the documents.
  static func worstFirst<Element>(_ elements: [Element], _ finding: (Element) -> DocumentFinding) -> [Element] {
    let weighed = elements.enumerated().map { ($0.offset, finding($0.element).weight, $0.element) }
    return weighed.sorted { left, right in
      left.1 == right.1 ? left.0 < right.0 : right.1.lexicographicallyPrecedes(left.1)
    }.map(\.2)
  }
}
