import Citation
import Events

/// SARIF 2.1.0: one run, whatever the number of captures.
///
/// A capture has no lines. The standard forbids a line and an offset that do not belong together, and a document knows
/// the offset of a finding in the file only where the file itself is at fault; other results name the capture alone and
/// list their packets in codeFlows and properties. For GitHub see SARIFProfile.
enum SARIFConverter: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let captures = documents.map(DocumentCapture.init)
    try SARIFLog(captures, context).write(to: &output)
  }
}

struct SARIFLog {
  /// Limits of GitHub code scanning. It shows 5,000 results and accepts files of 10 MB compressed; these texts compress to
  /// a quarter or less.
  enum Limit {
    static let results = 5_000
    static let bytes = 40 << 20
    static let relatedLocations = 1_000
    static let flowLocations = 1_000
  }

  struct Result {
    var finding: DocumentFinding
    /// Index of its capture.
    var capture: Int
    var fingerprint: String
    /// Its cause is a result, too, and has its level: one fault is one alert.
    var isConsequence = false
  }

  let captures: [DocumentCapture]
  let context: ConversionContext
  private let results: [Result]
  private let rules: [String]
  /// Including those beyond the limit.
  private let found: Int

  init(_ captures: [DocumentCapture], _ context: ConversionContext) {
    self.captures = captures
    self.context = context
    var results: [Result] = []
    var ordinals: [String: Int] = [:]
    for (index, capture) in captures.enumerated() {
      let findings = capture.findings
      for (finding, cause) in zip(findings, FoldedFinding.causes(findings)) {
        let endpoint = capture.endpoint(of: finding)
        let base = fileBase(capture.path)
        let key = Fingerprint.of([finding.rule, base, endpoint?.method ?? "", endpoint?.path ?? ""])
        let ordinal = ordinals[key, default: 0] + 1
        ordinals[key] = ordinal
        results.append(
          Result(finding: finding, capture: index, fingerprint: "\(key):\(ordinal)", isConsequence: cause != nil))
      }
    }
    // Cut, so the worst have to come first. Elsewhere the order of the document stays.
    if context.sarifProfile == .github { results = DocumentFinding.worstFirst(results) { $0.finding } }
    let kept = context.sarifProfile == .github ? Array(results.prefix(Limit.results)) : results
    self.results = kept
    rules = Array(Set(kept.map(\.finding.rule))).sorted()
    found = results.count
  }

  func write(to output: inout some ByteSink) throws(ReportError) {
    var json = JSONWriter(.indented)
    json.beginObject()
    json.field("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
    json.field("version", "2.1.0")
    json.key("runs")
    json.beginArray()
    json.beginObject()
    tool(to: &json)
    json.object("automationDetails") { $0.field("id", automation) }
    artifacts(to: &json)
    json.key("results")
    json.beginArray()
    let indices = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($0.element, $0.offset) })
    var written = 0
    var size = 0
    for result in results {
      if context.sarifProfile == .github, size > Limit.bytes { break }
      json.sarifResult(result, indices[result.finding.rule] ?? 0, captures, context.sarifProfile)
      written += 1
      size += json.bytes.count
      try output.write(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
    }
    json.endArray()
    invocation(cut: found - written, to: &json)
    properties(cut: found - written, to: &json)
    json.endObject()
    json.endArray()
    json.endObject()
    json.endLine()
    try output.write(json.bytes)
  }

  /// Identifies this run among others of the same kind, by its captures.
  private var automation: String {
    let names = captures.prefix(3).map { SARIFText.encoded(fileBase($0.path == "-" ? "standard-input" : $0.path)) }
    let more = captures.count > 3 ? ["\(captures.count - 3)-more"] : []
    return "streamscope/\((names + more).joined(separator: "+"))/"
  }

  private func tool(to json: inout JSONWriter) {
    let infos = Dictionary(context.rules.map { ($0.id.text, $0) }, uniquingKeysWith: { first, _ in first })
    let version = captures.first?.node["tool"]?.text("version").map { EscapedText.text($0) }
    json.object("tool") { tool in
      tool.object("driver") { driver in
        driver.field("name", "streamscope")
        driver.field("version", version ?? context.version)
        driver.array("rules") { list in for rule in rules { list.sarifRule(rule, infos[rule]) } }
      }
    }
  }

  private func artifacts(to json: inout JSONWriter) {
    json.array("artifacts") { list in
      for capture in captures {
        list.object { artifact in
          artifact.object("location") { $0.field("uri", SARIFText.uri(capture.uriPath)) }
          // A capture may be compared with itself, and no two artifacts may be the same.
          if let side = capture.node.text("side") { artifact.sarifText("description", "\(side) of a comparison") }
          if capture.isSeries { artifact.sarifText("description", "\(capture.base), a capture in several files") }
          artifact.field("roles", ["analysisTarget"])
          artifact.object("properties") { properties in
            for key in ["format", "packets", "firstTime", "durationNs", "complete"] {
              properties.field(FieldName(key), capture.node["capture"]?[key])
            }
          }
        }
      }
    }
  }

  // MARK: How it went

  private func invocation(cut: Int, to json: inout JSONWriter) {
    let profile = context.sarifProfile
    json.array("invocations") { list in
      list.object { invocation in
        // There is a document: the analysis came to its end.
        invocation.field("executionSuccessful", true)
        invocation.array("toolExecutionNotifications") { list in
          for (index, capture) in captures.enumerated() {
            for problem in capture.problems { list.notification("capture", problem, capture, index, profile) }
            for assertion in capture.assertions where assertion.verdict != .passed {
              let verdict = assertion.verdict == .failed ? "failed" : "is inconclusive"
              list.notification(
                "assertion", "'\(assertion.text)' \(verdict): \(assertion.summary)", capture, index, profile)
            }
            if capture.figure("summary", "connections") == 0 {
              list.notification("empty", "no TCP connection found, so nothing was checked", capture, index, profile)
            }
          }
          if cut > 0 {
            let words = Wording.count(UInt64(clamping: cut), "result")
            list.notification("cut", "\(words) left out to stay within GitHub's limits", nil, nil, profile)
          }
        }
      }
    }
  }

  private func properties(cut: Int, to json: inout JSONWriter) {
    json.object("properties") { properties in
      if cut > 0 { properties.field("resultsCut", cut) }
      let modes = Set(captures.map { $0.node["redaction"]?.text("mode") ?? "unknown" })
      properties.field("redaction", modes.sorted())
    }
  }
}

extension DocumentCapture {
  /// Of a series the first file.
  var uriPath: String { isSeries ? path.split(separator: FileName.series).first.map(String.init) ?? path : path }

  /// Offsets do not apply to compressed files, and a series has several files.
  var hasOffsets: Bool {
    let format = node["capture"]?.text("format") ?? ""
    return !isSeries && (format == "pcap" || format == "pcapng")
  }
}

extension JSONWriter {
  fileprivate mutating func notification(
    _ id: String, _ text: String, _ capture: DocumentCapture?, _ index: Int?, _ profile: SARIFProfile
  ) {
    object { json in
      json.object("descriptor") { $0.field("id", id) }
      json.field("level", "warning")
      json.sarifText("message", capture.map { "\($0.base): \(text)" } ?? text)
      if let capture, let index {
        json.array("locations") { list in
          list.object { $0.sarifPlace(capture, index, profile, offset: nil) }
        }
      }
    }
  }
}
