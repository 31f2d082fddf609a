import Platform

/// Output that was reviewed once and must stay as it is: files under Tests/Golden.
///
/// With STREAMSCOPE_ACCEPT=1 in the environment the files are rewritten instead of compared; what has changed is then
/// reviewed as a diff of the repository.
package enum Golden {
  /// What is different, as lines of a diff; nil when nothing is, or when the text was accepted.
  package static func difference(_ text: String, from name: String, sourceFile: String = #filePath) -> String? {
    differenceFromFile(text, at: folder(sourceFile) + "/" + name, called: "Golden/" + name)
  }

  /// The same for a file that stands somewhere else.
  package static func differenceFromFile(_ text: String, at path: String, called name: String) -> String? {
    if isAccepting { return TextFile.write(text, to: path) }
    guard let expected = TextFile.read(path) else { return "no \(name); accept it with STREAMSCOPE_ACCEPT=1" }
    return expected == text ? nil : "not as in \(name):\n" + diff(expected, text)
  }

  private static var isAccepting: Bool {
    Program.variable("STREAMSCOPE_ACCEPT") == "1"
  }

  /// Tests/Golden, found from a file that lies in a folder beside it.
  private static func folder(_ sourceFile: String) -> String {
    sourceFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/") + "/Golden"
  }

  /// Removed lines with `-`, added ones with `+`, each with its number in the text it stands in.
  package static func diff(_ old: String, _ new: String, limit: Int = 80) -> String {
    let before = old.split(separator: "\n", omittingEmptySubsequences: false)
    let after = new.split(separator: "\n", omittingEmptySubsequences: false)
    let changes = after.difference(from: before).map { change in
      switch change {
      case .remove(let at, let line, _): (at, 0, "-\(at + 1) \(line)")
      case .insert(let at, let line, _): (at, 1, "+\(at + 1) \(line)")
      }
    }
    let lines = changes.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    let rest = lines.count > limit ? ["(\(lines.count - limit) more lines differ)"] : []
    return (lines.prefix(limit) + rest).joined(separator: "\n")
  }
}
