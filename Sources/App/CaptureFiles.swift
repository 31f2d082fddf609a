import Arguments
import Capture
import Citation
import Events
import Platform

/// The captures that a command line names: files, those in folders, and those that a list names.
enum CaptureFiles {
  /// More names than this are no list of captures.
  private static let listLimit = 64 << 20

  /// Of the operands of each command that reads several captures.
  static let help =
    "FILE is a capture or a folder, which stands for the captures in it; --files-from names a list of more."

  /// In the given order; those of a folder by their names.
  static func all(_ operands: [String], _ options: AnalyzeOptions, _ command: String) throws(Stop) -> [String] {
    var named = operands
    for list in options.filesFrom { named += try names(in: list) }
    var files: [String] = []
    for path in named {
      if path != "-", FileStatus(of: path)?.kind == .folder {
        files += try captures(in: path)
      } else {
        files.append(path)
      }
    }
    guard !files.isEmpty else {
      throw Stop(named.isEmpty ? "no capture given; see '\(command) --help'" : "no captures in \(named[0])")
    }
    if files.filter({ $0 == "-" }).count + options.filesFrom.filter({ $0 == "-" }).count > 1 {
      throw Stop("standard input can be read only once")
    }
    if options.extract != nil {
      if files.contains("-") {
        throw Stop("--extract reads the capture twice, and standard input cannot be; save it to a file first")
      }
      if files.count > 1, !options.isSeries, !options.isPoints { throw Stop("--extract takes one capture") }
    }
    return files
  }

  /// A name a line, or ended by NUL as find -print0 writes them.
  private static func names(in list: String) throws(Stop) -> [String] {
    do throws(ReportError) {
      let bytes = try InputFile.contents(list, limit: listLimit)
      let end: UInt8 = bytes.contains(0) ? 0 : 0x0A
      return bytes.split(separator: end).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw Stop(error)
    }
  }

  /// Other files that lie in a folder are left out; subfolders, too.
  private static func captures(in folder: String) throws(Stop) -> [String] {
    do throws(SystemError) {
      let base = folder.hasSuffix("/") ? folder : folder + "/"
      return try FileSystem.names(in: folder).sorted(by: NaturalOrder.isBefore).map { base + $0 }.filter { path in
        FileStatus(of: path)?.kind == .file && FileKind.mayBeCapture(path)
      }
    } catch {
      throw Stop("cannot read \(folder): \(error)")
    }
  }
}
