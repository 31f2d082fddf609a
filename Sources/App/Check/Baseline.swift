import Events
import Reports

/// Known findings, which do not fail a check: `streamscope.baseline/1`.
///
/// A finding is identified by its rule and its request (method, host without port, path template), and by its ordinal
/// among findings of that kind. Ports, times, packet numbers and the capture's name may change.
struct Baseline: Sendable {
  struct Entry: Sendable, Equatable {
    var fingerprint: String
    var rule: String
    var method: String
    var host: String
    var path: String

    /// `tcp/zero-window GET a.example/feed`
    var words: String {
      let asked = [method, host + path].filter { !$0.isEmpty }
      return ([rule] + asked).joined(separator: " ")
    }
  }

  static let schema = "streamscope.baseline/1"
  /// Findings beyond it fail.
  static let limit = 10_000
  /// Of the file.
  private static let lengthLimit = 16 << 20

  var entries: [Entry] = []

  // MARK: Files

  init() {}

  init(reading path: String) throws(Stop) {
    let bytes: [UInt8]
    do throws(ReportError) {
      bytes = try InputFile.contents(path, limit: Self.lengthLimit + 1)
    } catch {
      throw Stop(error)
    }
    guard bytes.count <= Self.lengthLimit else { throw Stop("\(path) is too long for a baseline") }
    let root: DocumentNode
    do throws(DocumentParser.Malformed) {
      root = try DocumentParser.parse(bytes)
    } catch {
      throw Stop("\(path) is not a baseline: \(error.what), at byte \(error.offset)")
    }
    guard root.text("schema") == Self.schema else {
      throw Stop("\(path) is not a baseline: it does not name the schema \(Self.schema)")
    }
    for node in root.elements("findings").prefix(Self.limit) {
      guard let fingerprint = node.text("fingerprint"), let rule = node.text("rule") else {
        throw Stop("\(path) is not a baseline: a finding has no fingerprint or no rule")
      }
      entries.append(
        Entry(
          fingerprint: fingerprint, rule: rule, method: node.text("method") ?? "", host: node.text("host") ?? "",
          path: node.text("path") ?? ""))
    }
  }

  /// In a fixed order, so that a change gives a short diff.
  func write(to path: String) throws(Stop) {
    var json = JSONWriter(.indented)
    json.object { json in
      json.field("schema", Self.schema)
      json.array("findings") { list in
        for entry in entries.sorted(by: Self.comesBefore) {
          list.row { row in
            row.field("fingerprint", entry.fingerprint)
            row.field("rule", entry.rule)
            if !entry.method.isEmpty { row.field("method", entry.method) }
            if !entry.host.isEmpty { row.field("host", entry.host) }
            if !entry.path.isEmpty { row.field("path", entry.path) }
          }
        }
      }
    }
    json.endLine()
    do throws(ReportError) {
      let file = try OutputFile.file(path)
      try file.write(json.bytes)
      try file.commit()
    } catch {
      throw Stop(error)
    }
  }

  private static func comesBefore(_ left: Entry, _ right: Entry) -> Bool {
    (left.rule, left.host, left.path, left.method, left.fingerprint)
      < (right.rule, right.host, right.path, right.method, right.fingerprint)
  }
}

extension FindingOrdinals {
  mutating func entry(_ finding: Finding) -> Baseline.Entry {
    let name = FindingName(finding)
    return Baseline.Entry(
      fingerprint: fingerprint(of: name), rule: name.rule, method: name.method, host: name.host, path: name.path)
  }
}
