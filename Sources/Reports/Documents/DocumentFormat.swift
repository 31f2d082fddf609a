import Events

/// The formats that are made from documents alone: directly by a run, or from a saved one by `streamscope convert`.
package enum DocumentFormat: String, CaseIterable, Sendable {
  case har, html, sarif, junit, github, openmetrics, prometheus, trace
}

/// What converters need besides the documents.
package struct ConversionContext: Sendable {
  package var version: String
  /// All there are, in the order of their ids.
  package var rules: [RuleInfo]
  package var sarifProfile = SARIFProfile.default

  package init(version: String, rules: [RuleInfo]) {
    self.version = version
    self.rules = rules
  }
}

/// The consumer of a SARIF log.
package enum SARIFProfile: String, CaseIterable, Sendable {
  /// Tools that follow the standard: a capture is binary, and has bytes instead of lines.
  case `default`
  /// GitHub code scanning, which requires line numbers and has limits.
  case github
}

/// One format. Pure: the same documents give the same bytes.
protocol DocumentConverter {
  /// `documents` are those of a run, a capture each.
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError)

  /// What the format would show but the document does not hold, in words.
  static func missing(in document: DocumentNode) -> [String]
}

/// A format that takes the connections of each document one behind the other, and holds no more of them than its text.
protocol ConnectionwiseConverter: DocumentConverter {
  /// As the other, and leaves the documents read.
  static func write(
    _ readings: inout [DocumentReading], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError)
}

extension ConnectionwiseConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    var readings = documents.map { DocumentReading($0) }
    try write(&readings, context, to: &output)
  }
}

extension DocumentConverter {
  static func missing(in document: DocumentNode) -> [String] { [] }
}

extension DocumentFormat {
  private var converter: any DocumentConverter.Type {
    switch self {
    case .har: HARConverter.self
    case .html: HTMLConverter.self
    case .sarif: SARIFConverter.self
    case .junit: JUnitConverter.self
    case .github: GitHubConverter.self
    case .openmetrics: OpenMetricsConverter.self
    case .prometheus: PrometheusConverter.self
    case .trace: TraceConverter.self
    }
  }

  /// For comparisons, in the formats that support them.
  private var comparisonConverter: (any DocumentConverter.Type)? {
    switch self {
    case .html: ComparisonPage.self
    case .sarif: ComparisonSARIF.self
    case .junit: ComparisonJUnit.self
    case .har, .github, .openmetrics, .prometheus, .trace: nil
    }
  }

  /// The formats that a comparison can be written in.
  package static var ofComparisons: [DocumentFormat] { allCases.filter { $0.comparisonConverter != nil } }

  /// Documents of a run, or of comparisons.
  package func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    guard let first = documents.first, first.isComparison else {
      return try converter.write(documents, context, to: &output)
    }
    guard let converter = comparisonConverter else {
      throw ReportError("a comparison cannot be written as \(rawValue)")
    }
    try converter.write(documents, context, to: &output)
  }

  /// Whether it takes what `JSONReporter.reading` gives.
  package var isConnectionwise: Bool { converter is any ConnectionwiseConverter.Type }

  /// Documents of a run, none of them a comparison.
  package func write(
    _ readings: inout [DocumentReading], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    guard let converter = converter as? any ConnectionwiseConverter.Type else {
      throw ReportError("\(rawValue) is made from whole documents")
    }
    try converter.write(&readings, context, to: &output)
  }

  package func missing(in document: DocumentNode) -> [String] {
    document.isComparison ? [] : converter.missing(in: document)
  }
}

extension DocumentNode {
  package static let resultSchema = "streamscope.result/1"
  package static let comparisonSchema = "streamscope.compare/1"

  /// Of two captures.
  package var isComparison: Bool { text("schema") == Self.comparisonSchema }
}
