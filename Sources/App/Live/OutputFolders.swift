import Platform

/// The folders of all outputs of a live capture: the only ones that may be written to.
enum OutputFolders {
  static func of(_ options: AnalyzeOptions, _ console: Console) -> [String] {
    var files = options.outputs.filter { $0.format != .parquet }.compactMap(\.file)
    files += [options.live.write, options.live.readyFile].compactMap { $0 }
    if let summary = console.environment[JobSummary.variable], !summary.isEmpty { files.append(summary) }
    // Tables are in folders beneath the named one, which is made where it is missing.
    var folders = options.outputs.filter { $0.format == .parquet }.compactMap(\.file).map { folder in
      FileStatus(of: folder) == nil ? parent(of: folder.hasSuffix("/") ? String(folder.dropLast()) : folder) : folder
    }
    for file in files {
      // And the target, if the file exists and is a link.
      for path in [file, FileSystem.resolved(file)].compactMap({ $0 }) {
        let folder = parent(of: path)
        if !folders.contains(folder) { folders.append(folder) }
      }
    }
    return folders
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}
