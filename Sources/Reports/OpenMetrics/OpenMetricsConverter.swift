import Events

/// For what was recorded: stored in Prometheus at the time of the capture.
enum OpenMetricsConverter: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    var exposition = MetricExposition(.openMetrics, documents)
    try exposition.write(to: &output)
  }

  static func missing(in document: DocumentNode) -> [String] {
    var missing = PrometheusConverter.missing(in: document)
    if document.lastPacketTime == nil {
      missing.append("a document without packet times has no time for its metrics, and is left out")
    }
    return missing
  }
}

/// For what is now: read by a collector, which gives it the time.
enum PrometheusConverter: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    var exposition = MetricExposition(.prometheus, documents)
    try exposition.write(to: &output)
  }

  static func missing(in document: DocumentNode) -> [String] {
    guard document["metrics"] == nil else { return [] }
    return ["a document without metrics yields no histograms, and no figures by rule, class, end or cause"]
  }
}
