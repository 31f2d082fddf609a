import Events
import JSON5
import Platform
import Reports

/// The configuration file: a check reads all of it, other commands its thresholds.
enum ConfigurationFile {
  static let name = ".streamscope.json5"
  /// How many folders above the working one are searched.
  private static let depthLimit = 128

  /// The file of --config, or the nearest one above the working folder; neither with --isolated.
  static func configuration(_ options: CheckOptions, _ console: Console) throws(Stop) -> Configuration {
    if options.isIsolated { return Configuration() }
    if let path = options.config { return try read(path, shownAs: path) }
    guard let folder = console.folder, let found = nearest(folder) else { return Configuration() }
    return try read(found.path, shownAs: found.shown)
  }

  /// Its path is shown relative to the working folder.
  private static func nearest(_ folder: String) -> (path: String, shown: String)? {
    var folder = folder[...]
    var shown = name
    for _ in 0..<depthLimit {
      let path = folder == "/" ? "/" + name : folder + "/" + name
      if FileStatus(of: String(path))?.kind == .file { return (String(path), shown) }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : folder[..<slash]
      shown = "../" + shown
    }
    return nil
  }

  private static func read(_ path: String, shownAs shown: String) throws(Stop) -> Configuration {
    let root = try tree(path, shownAs: shown)
    do throws(ConfigurationReader.Mistake) {
      return try ConfigurationReader(path: shown).read(root)
    } catch {
      throw Stop("\(shown):\(error.place.line):\(error.place.column): \(error.what)")
    }
  }

  static func tree(_ path: String, shownAs shown: String) throws(Stop) -> JSON5Node {
    let bytes: [UInt8]
    do throws(ReportError) {
      bytes = try InputFile.contents(path, limit: JSON5Parser.lengthLimit + 1)
    } catch {
      throw Stop(error)
    }
    do throws(JSON5Parser.Malformed) {
      return try JSON5Parser.parse(bytes)
    } catch {
      throw Stop("\(shown):\(error.place.line):\(error.place.column): \(error.what)")
    }
  }
}
