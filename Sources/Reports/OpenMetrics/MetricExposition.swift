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
  /// By document. Empty where there is but one.
  private let captureLabels: [MetricLabel]
  private var lines = ""

  init(_ form: Form, _ documents: [DocumentNode]) {
    self.form = form
    self.documents = documents
    captureLabels = documents.count > 1 ? Self.labels(of: documents) : []
  }

  /// File names without their folders; of equal ones the later are numbered, so that no two documents share a series.
  private static func labels(of documents: [DocumentNode]) -> [MetricLabel] {
    var taken: Set<String> = []
    return documents.map { document in
      let base = FileName(path: document["capture"]?.text("file") ?? "").base
      var name = base
      var copy = 1
      while !taken.insert(name).inserted {
        copy += 1
        name = "\(base) (\(copy))"
      }
      return MetricLabel(name: "capture", value: name)
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
          if !captureLabels.isEmpty { point.labels.insert(captureLabels[place], at: 0) }
          add(point, family.name, time)
        }
      }
      try output.write(Array(lines.utf8))
      lines = ""
    }
    if form == .openMetrics { try output.write(Array("# EOF\n".utf8)) }
  }

  private mutating func describe(_ family: MetricFamily) {
    lines += "# TYPE \(family.name) \(family.isHistogram ? "histogram" : "gauge")\n"
    if form == .openMetrics, let unit = family.unit { lines += "# UNIT \(family.name) \(unit.rawValue)\n" }
    lines += "# HELP \(family.name) \(family.help)\n"
  }

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
