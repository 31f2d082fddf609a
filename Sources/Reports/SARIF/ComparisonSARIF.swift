import Events

/// A comparison in SARIF: both captures are artifacts, and the code flow of a finding covers both.
enum ComparisonSARIF: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let captures = documents.flatMap(\.comparedCaptures).map(DocumentCapture.init)
    try SARIFLog(captures, context).write(to: &output)
  }
}
