import Arguments
import Events
import Reports

/// A format and where it goes; nil is standard output.
struct OutputRequest: Equatable {
  enum Format: Equatable {
    case text, json, ndjson, otlp
    /// Several files in a folder.
    case parquet
    /// Made from the complete document.
    case converted(DocumentFormat)
  }

  var format: Format
  var file: String?
}

extension OutputRequest.Format {
  private static let written: [(name: String, format: Self)] = [
    ("text", .text), ("json", .json), ("ndjson", .ndjson), ("parquet", .parquet),
    ("otlp", .otlp),
  ]

  static let names = written.map(\.name) + DocumentFormat.allCases.map(\.rawValue)

  init?(_ name: String) {
    if let format = Self.written.first(where: { $0.name == name })?.format {
      self = format
    } else if let format = DocumentFormat(rawValue: name) {
      self = .converted(format)
    } else {
      return nil
    }
  }

  /// Whether it is made from a result document.
  var isDocument: Bool {
    switch self {
    case .text, .ndjson, .otlp, .parquet: false
    case .json, .converted: true
    }
  }

  /// What is read of it for this format.
  var parts: DocumentParts {
    switch self {
    case .text, .ndjson, .otlp, .parquet: []
    case .json: .all
    case .converted(let format): format.parts
    }
  }

  /// Whether items are written one by one as they are known, and none is held for a document.
  var isOneByOne: Bool { tellsPieces || self == .otlp }

  /// Whether each piece of a stream is a line or row.
  var tellsPieces: Bool { self == .ndjson || self == .parquet }
}

extension OutputRequest {
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let format = Format(parts[0]) else {
      let near = nearestWord(to: parts[0], among: Format.names).map { "did you mean \($0)?" }
      throw UsageError(
        "--output: no format '\(parts[0])'; choose from \(Format.names.joined(separator: ", "))", hint: near)
    }
    if parts.count == 2, parts[1].isEmpty { throw UsageError("--output \(text) names no file") }
    if parts.count == 1, format == .parquet { throw UsageError("parquet is files in a folder: -o parquet=DIR") }
    self.init(format: format, file: parts.count == 2 ? parts[1] : nil)
  }

  /// Whether it is rewritten during a live capture: metrics are read at any time.
  var isRewritten: Bool {
    file != nil && [.converted(.openmetrics), .converted(.prometheus)].contains(format)
  }

  /// Whether it is lines, written as the capture is read.
  var isLines: Bool { format == .ndjson || format == .otlp }

  /// Checks that concern several flags.
  static func check(_ outputs: [OutputRequest]) throws(UsageError) {
    if outputs.count(where: { $0.file == nil }) > 1 {
      throw UsageError("two formats cannot share standard output", hint: "give all but one a file: -o json=result.json")
    }
  }

  /// Not every format can hold a comparison.
  static func checkComparison(_ output: OutputRequest) throws(Stop) {
    switch output.format {
    case .text, .json: return
    case .converted(let format) where DocumentFormat.ofComparisons.contains(format): return
    case .ndjson, .otlp, .parquet, .converted:
      let names = ["text", "json"] + DocumentFormat.ofComparisons.map(\.rawValue)
      throw Stop("a comparison can only be written as \(names.joined(separator: ", "))")
    }
  }

  /// Whether it grows during a live capture: a line is for whoever reads it now.
  var isLog: Bool { file != nil && format == .ndjson }

  /// Where it goes. `rotation` is a live capture's.
  func open(_ console: Console, _ rotation: LineLog.Rotation? = nil) throws(Stop) -> OutputFile {
    guard let file, format != .parquet else { return console.output }
    do throws(ReportError) {
      if isLog, let rotation { return try OutputFile.log(file, rotation) }
      return try OutputFile.file(file)
    } catch {
      throw Stop(error)
    }
  }
}
