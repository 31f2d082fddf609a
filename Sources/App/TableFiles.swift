import Events
import Platform
import Reports

/// The files of `-o parquet=DIR`: `DIR/TABLE/CAPTURE.parquet`, those of a capture when it has been read to its end.
///
/// A name follows from the capture's bytes, so a later run over the same capture replaces its files. They appear one after
/// the other, that of `captures` last: a capture that is there has all of its tables.
struct TableFiles {
  private var reporter: ParquetReporter
  private var files: [(kind: TableKind, file: OutputFile)] = []

  /// Makes the folders, before anything is read and before a live capture may write no other.
  static func prepare(_ folder: String) throws(Stop) {
    for path in [folder] + TableKind.allCases.map({ "\(folder)/\($0.rawValue)" }) {
      FileSystem.makeFolder(path)
      guard FileStatus(of: path)?.kind == .folder else {
        throw Stop("cannot write tables to \(folder): \(path) is no folder, and none can be made there")
      }
    }
  }

  init(in folder: String, _ reporter: ParquetReporter) throws(ReportError) {
    self.reporter = reporter
    for kind in TableKind.allCases {
      let path = "\(folder)/\(kind.rawValue)/\(reporter.name).parquet"
      files.append((kind, try OutputFile.file(path, isHidden: true)))
    }
  }

  mutating func report(_ item: ReportItem) throws(ReportError) {
    reporter.report(item)
    if reporter.hasBytes { try write() }
  }

  mutating func finish(_ summary: Summary) throws(ReportError) {
    reporter.finish(summary)
    try write()
    for (_, file) in files { try file.commit() }
  }

  private mutating func write() throws(ReportError) {
    for (kind, file) in files {
      let bytes = reporter.takeBytes(of: kind)
      if !bytes.isEmpty { try file.write(bytes) }
    }
  }
}
