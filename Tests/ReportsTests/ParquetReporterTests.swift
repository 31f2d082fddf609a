import Citation
import Events
import Parquet
import RunSupport
import Support
import Testing

@testable import Reports

@Suite("Tables")
struct ParquetReporterTests {
  private static func reporter(_ run: CaptureRun, _ limits: ParquetWriter.Limits = .init()) -> ParquetReporter {
    var info = RunInfo(version: "0.0.0", features: [], file: "x.pcap")
    info.origin = run.origin
    info.capture = "0123"
    return ParquetReporter(info, Redaction(isOn: true, salt: [1]), limits: limits)
  }

  @Test("Each table has columns, and times in it.", arguments: TableKind.allCases)
  func columns(kind: TableKind) {
    let columns = kind.columns
    #expect(columns.contains(ColumnField("time", .time)) && columns.contains(ColumnField("captureId", .string)))
    #expect(columns.count < 64 && Set(columns.map(\.name)).count == columns.count)
  }

  @Test("Every field of a line has a column.", arguments: DocumentTests.names)
  func fields(_ name: String) async throws {
    let run = try await SampleRuns.run(name)
    var reporter = Self.reporter(run)
    for item in run.items { reporter.report(item) }
    reporter.finish(run.summary)
    #expect(reporter.strays == 0)
  }

  @Test("What is taken as it comes is what is taken at the end; small row groups are more of them.")
  func taken() async throws {
    let run = try await SampleRuns.run("troubled")
    var limits = ParquetWriter.Limits()
    limits.records = 2
    var (whole, parts, small) = (Self.reporter(run), Self.reporter(run), Self.reporter(run, limits))
    var bytes = [TableKind: [UInt8]]()
    for item in run.items {
      whole.report(item)
      parts.report(item)
      small.report(item)
      for kind in TableKind.allCases { bytes[kind, default: []] += parts.takeBytes(of: kind) }
    }
    whole.finish(run.summary)
    parts.finish(run.summary)
    small.finish(run.summary)
    for kind in TableKind.allCases {
      let file = whole.takeBytes(of: kind)
      #expect(bytes[kind, default: []] + parts.takeBytes(of: kind) == file)
      #expect(file.prefix(4) == Array("PAR1".utf8)[...] && file.suffix(4) == Array("PAR1".utf8)[...])
      #expect(small.takeBytes(of: kind).count >= file.count)
    }
  }
}
