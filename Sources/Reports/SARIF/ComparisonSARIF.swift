import Events

/// A comparison in SARIF: both captures are artifacts, and the story of a finding goes through both.
enum ComparisonSARIF: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let captures = documents.flatMap(\.comparedCaptures).map(DocumentCapture.init)
    try SARIFLog(captures, context).write(to: &output)
  }
}
