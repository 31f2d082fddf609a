import Events

/// Annotations of a GitHub workflow: commands on standard output, one per line.
///
/// A step may show ten errors and ten warnings, so the worst come first and the last one says how many are missing. A
/// notice at the end counts everything, and shows that something was checked.
enum GitHubConverter: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let run = FindingRun(documents)
    var text = ""
    let levels: [(String, Severity, [Annotation])] = [
      ("error", .error, []), ("warning", .warning, run.captures.flatMap(Annotation.problems)),
    ]
    for (level, severity, first) in levels {
      let found = run.findings(severity).map(Annotation.init)
      for annotation in Annotation.kept(first + found, level) { text += annotation.command(level) }
    }
    text += Annotation(title: "streamscope", message: run.verdict).command("notice")
    try output.write(Array(text.utf8))
  }
}

/// The findings of all captures of a run.
struct FindingRun {
  struct Found {
    var folded: FoldedFinding
    var capture: DocumentCapture
    var finding: DocumentFinding { folded.finding }
  }

  let captures: [DocumentCapture]
  private let all: [Found]

  init(_ documents: [DocumentNode]) {
    captures = documents.map(DocumentCapture.init)
    let found = captures.flatMap { capture in
      FoldedFinding.all(capture.findings).map { Found(folded: $0, capture: capture) }
    }
    all = DocumentFinding.worstFirst(found) { $0.finding }
  }

  /// Worst first; an unknown severity counts as warning.
  func findings(_ severity: Severity) -> [Found] {
    all.filter { !$0.finding.isLint && ($0.finding.severity ?? .warning) == severity }
  }

  var hurting: [Found] { findings(.error) + findings(.warning) }

  /// `3 captures, 41 connections, 60 exchanges, 20,114 packets: 1 error, 0 warnings, 2 notes, 7 remarks`
  var verdict: String {
    let sum = { (group: String, key: String) in
      captures.reduce(UInt64(0)) { $0.addingReportingOverflow($1.figure(group, key)).partialValue }
    }
    let read = [
      Wording.count(UInt64(captures.count), "capture"), Wording.count(sum("summary", "connections"), "connection"),
      Wording.count(sum("summary", "exchanges"), "exchange"), Wording.count(sum("capture", "packets"), "packet"),
    ]
    let count = { (severity: Severity) in UInt64(findings(severity).count) }
    let remarks = UInt64(all.count { $0.finding.isLint })
    let said = [
      Wording.count(count(.error), "error"), Wording.count(count(.warning), "warning"),
      Wording.count(count(.note), "note"), Wording.count(remarks, "remark"),
    ]
    return read.joined(separator: ", ") + ": " + said.joined(separator: ", ")
  }
}
