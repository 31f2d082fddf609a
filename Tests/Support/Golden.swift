import Glibc

/// Output that was reviewed once and must stay as it is: files under Tests/Golden.
///
/// With STREAMSCOPE_ACCEPT=1 in the environment the files are rewritten instead of compared; what has changed is then
/// reviewed as a diff of the repository.
package enum Golden {
  /// What is different, as lines of a diff; nil when nothing is, or when the text was accepted.
  package static func difference(_ text: String, from name: String, sourceFile: String = #filePath) -> String? {
    let path = folder(sourceFile) + "/" + name
    if isAccepting { return write(text, to: path) }
    guard let bytes = read(path) else { return "no golden \(name); accept it with STREAMSCOPE_ACCEPT=1" }
    let expected = String(decoding: bytes, as: UTF8.self)
    return expected == text ? nil : "not as in Golden/\(name):\n" + diff(expected, text)
  }

  private static var isAccepting: Bool {
    getenv("STREAMSCOPE_ACCEPT").map { String(cString: $0) == "1" } ?? false
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

  // MARK: Files

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }

  private static func write(_ text: String, to path: String) -> String? {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
    guard let file = fopen(path, "w") else { return "cannot write \(path)" }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    return fwrite(bytes, 1, bytes.count, file) == bytes.count ? nil : "cannot write all of \(path)"
  }
}
