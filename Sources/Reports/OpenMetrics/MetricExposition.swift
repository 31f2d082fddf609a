import Citation
import Events

/// Families of metrics as text, in the two forms there are of it.
///
/// OpenMetrics 1.0 is for what was recorded: every sample has the time of its capture's last packet, and Prometheus can
/// store it there (`promtool tsdb create-blocks-from openmetrics`). A capture without a packet has no time, and is left
/// out: one sample without a time would keep all others from being stored. Prometheus' own form, 0.0.4, is for a
/// collector that asks now (node_exporter's textfile collector), which refuses times.
///
/// https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricExposition {
  enum Form { case openMetrics, prometheus }

  private let form: Form
  private let documents: [DocumentNode]
  /// By document: which capture, and what its run was labelled with.
  private let runLabels: [[MetricLabel]]
  /// All are figures of live captures so far. Beside files, whose sums are no counters, they are written as those.
  private let isLive: Bool
  private var lines = ""

  init(_ form: Form, _ documents: [DocumentNode]) {
    self.form = form
    self.documents = documents
    runLabels = zip(documents, Self.names(of: documents)).map { document, name in
      (name.isEmpty ? [] : [MetricLabel(name: "capture", value: name)]) + Self.labels(of: document)
    }
    isLive = !documents.isEmpty && documents.allSatisfy { $0["run"]?["live"]?.flag == true }
  }

  /// File names without their folders; of equal ones the later are numbered, so that no two documents share a series.
  private static func names(of documents: [DocumentNode]) -> [String] {
    var taken: Set<String> = []
    return documents.map { document in
      let base = FileName(path: document["capture"]?.text("file") ?? "").base
      var name = base
      var copy = 1
      while !taken.insert(name).inserted {
        copy += 1
        name = "\(base) (\(copy))"
      }
      return name
    }
  }

  /// Labels of the metrics themselves; one of the run that is called so gets another name.
  private static let taken: Set<String> = [
    "capture", "kind", "class", "by", "direction", "rule", "severity", "cause", "dialect", "code", "status",
    "le",
  ]
  private static let labelLimit = 16

  /// Of `--label`. Characters that no label may have are underscores.
  private static func labels(of document: DocumentNode) -> [MetricLabel] {
    var labels: [MetricLabel] = []
    for label in (document["run"]?.elements("labels") ?? []).prefix(labelLimit) {
      guard let text = label.text("name"), !text.isEmpty, let value = label.text("value") else { continue }
      let name = String(decoding: text.utf8.map(Self.nameByte), as: UTF8.self)
      let isOther =
        taken.contains(name) || name.hasPrefix("__") || name.first.map { ("0"..."9").contains($0) } ?? false
      labels.append(MetricLabel(name: isOther ? "label_" + name : name, value: value))
    }
    var names: Set<String> = []
    return labels.filter { names.insert($0.name).inserted }
  }

  private static func nameByte(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      byte
    default: UInt8(ascii: "_")
    }
  }

  mutating func write(to output: inout some ByteSink) throws(ReportError) {
    // Parsed once, not once a family.
    let times = documents.map { $0.lastPacketTime.map(Self.seconds) }
    for family in MetricFamily.all {
      var isNamed = false
      for (place, document) in documents.enumerated() {
        let time: String
        switch form {
        case .openMetrics:
          guard let known = times[place] else { continue }
          time = " " + known
        case .prometheus: time = ""
        }
        for var point in family.points(of: document) {
          if !isNamed { describe(family) }
          isNamed = true
          point.labels.insert(contentsOf: runLabels[place], at: 0)
          add(point, isCounter(family) ? family.name + "_total" : family.name, time)
        }
      }
      try output.write(Array(lines.utf8))
      lines = ""
    }
    if form == .openMetrics { try output.write(Array("# EOF\n".utf8)) }
  }

  private mutating func describe(_ family: MetricFamily) {
    let type =
      switch family.kind {
      case .histogram: "histogram"
      case .sum where isLive: "counter"
      case .sum, .state: "gauge"
      }
    // Only Prometheus' own form calls a counter as its samples are called.
    let name = form == .prometheus && isCounter(family) ? family.name + "_total" : family.name
    lines += "# TYPE \(name) \(type)\n"
    if form == .openMetrics, let unit = family.unit { lines += "# UNIT \(name) \(unit.rawValue)\n" }
    lines += "# HELP \(name) \(family.help)\n"
  }

  private func isCounter(_ family: MetricFamily) -> Bool { isLive && family.kind == .sum }

  private mutating func add(_ point: MetricPoint, _ name: String, _ time: String) {
    switch point.value {
    case .count(let count): add(name, point.labels, String(count), time)
    case .nanoseconds(let span): add(name, point.labels, Self.seconds(span), time)
    case .histogram(let histogram):
      let bounds = histogram.bounds.map(Self.bound) + ["+Inf"]
      let counts = histogram.cumulative
      for (bound, count) in zip(bounds, counts) {
        add(name + "_bucket", point.labels + [MetricLabel(name: "le", value: bound)], String(count), time)
      }
      add(name + "_sum", point.labels, Self.seconds(histogram.sum), time)
      add(name + "_count", point.labels, String(counts.last ?? 0), time)
    }
  }

  private mutating func add(_ name: String, _ labels: [MetricLabel], _ value: String, _ time: String) {
    lines += name
    if !labels.isEmpty {
      lines += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
    }
    lines += " \(value)\(time)\n"
  }

  /// On one line, and with nothing that hides: a document may have been written by anybody.
  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in EscapedText.text(value).unicodeScalars {
      if character == "\\" || character == "\"" { text.append("\\") }
      text.unicodeScalars.append(character)
    }
    return text
  }

  /// Nanoseconds as seconds, with as many digits as it takes to be exact.
  static func seconds(_ nanoseconds: Int64) -> String {
    let second: UInt64 = 1_000_000_000
    var fraction = String(nanoseconds.magnitude % second + second).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    let sign = nanoseconds < 0 ? "-" : ""
    return "\(sign)\(nanoseconds.magnitude / second)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// OpenMetrics wants a point in every bound, so that the same one is always the same text.
  private static func bound(_ nanoseconds: Int64) -> String {
    let text = seconds(nanoseconds)
    return text.contains(".") ? text : text + ".0"
  }
}
