// RunSupport takes the bytes of a capture through the whole engine, as the program does, and keeps what comes out. It
// stands apart from Support so that the tests of the lower modules do not have to build the upper ones.
import Capture
import Citation
import Engine
import Events
import Support
import TLSProtection

/// One run over a capture in memory.
package struct CaptureRun: Sendable {
  /// In the order reporters get them.
  package private(set) var items: [ReportItem] = []
  package let summary: Summary
  package let origin: Timestamp?

  /// `pieceLength` makes the input a slow pipe that gives so many bytes at a time, and with it ends windows early.
  package init(
    _ bytes: [UInt8], file: String = "test.pcap", _ options: PipelineOptions = PipelineOptions(),
    pieceLength: Int? = nil, stop: StopFlag = StopFlag(), whileReading: (IntakeProgress) -> Void = { _ in }
  ) async throws {
    let source = try CaptureFile(
      MemorySource(bytes, pieceLength: pieceLength ?? .max, keepsReady: pieceLength == nil), name: file)
    var pipeline = Pipeline(source, file: file, options)
    var items: [ReportItem] = []
    var origin: Timestamp?
    summary = try await pipeline.run(
      stop: stop, progress: whileReading, begin: { (time) throws(ReportError) in origin = time },
      emit: { (item) throws(ReportError) in items.append(item) })
    self.items = items
    self.origin = origin
  }

  package init(_ capture: ScriptedCapture, _ options: PipelineOptions = PipelineOptions()) async throws {
    try await self.init(capture.bytes, options)
  }

  package init(_ script: String, _ options: PipelineOptions = PipelineOptions()) async throws {
    try await self.init(ScriptedCapture(script), options)
  }

  package var findings: [Finding] {
    items.compactMap { if case .finding(let finding) = $0 { finding } else { nil } }
  }

  package func findings(of rule: RuleID) -> [Finding] { findings.filter { $0.rule == rule } }

  /// In the order of their numbers.
  package var connections: [ConnectionRecord] {
    items.compactMap { if case .connection(let record) = $0 { record } else { nil } }.sorted { $0.number < $1.number }
  }

  /// In the order they were reported.
  package var exchanges: [ExchangeRecord] {
    items.compactMap { if case .exchange(let exchange) = $0 { exchange } else { nil } }
  }

  /// Everything, as text that is equal exactly when the runs are.
  package var transcript: String {
    var text = ""
    for item in items { dump(item, to: &text) }
    return text + figures
  }

  /// The summary without the dictionary's own order.
  private var figures: String {
    let findings = Severity.allCases.map { "\($0.name) \(summary.findings[$0, default: 0])" }
    return "\(summary.connections) \(summary.midstream) \(summary.oneSided) \(summary.withMissingBytes) "
      + "\(summary.missingBytes) \(summary.retransmittedBytes) \(summary.streamBytes) \(summary.hurt) "
      + "\(summary.lint) \(findings) \(summary.capture)"
  }
}

extension PipelineOptions {
  /// With the secrets of a key log.
  package init(keyLog text: String) {
    self.init()
    _ = keyLog.add(Array(text.utf8).span)
  }
}

/// By itself it does not say what is in it, and two records that differ there would read alike.
extension InlineArray: @retroactive CustomReflectable {
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: indices.map { self[$0] }) }
}

/// Collects what a reporter writes.
package struct MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ bytes: [UInt8]) { self.bytes += bytes }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension CaptureRun {
  /// What a reporter makes of this run.
  package func report(
    _ reporter: some Reporter, file: String = "test.pcap", input: (inout RunInfo) -> Void = { _ in }
  ) throws -> String {
    var reporter = reporter
    var sink = MemorySink()
    var run = RunInfo(version: "0.0.0", features: ["libpcap"], file: file)
    run.origin = origin
    input(&run)
    try reporter.begin(run, to: &sink)
    for item in items { try reporter.report(item, to: &sink) }
    try reporter.finish(summary, to: &sink)
    return sink.text
  }
}
