import Events
import Glibc

/// A file read completely into memory.
enum InputFile {
  /// '-' is standard input. At most `limit` bytes are read.
  static func contents(_ path: String, limit: Int = .max) throws(ReportError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { if path != "-" { close(descriptor) } }
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return contents }
      if count > 0 {
        contents.append(contentsOf: block[..<count].prefix(limit - contents.count))
        if contents.count == limit { return contents }
      } else if errno != EINTR {
        throw failure(path)
      }
    }
  }

  private static func failure(_ path: String) -> ReportError {
    ReportError("cannot read \(path): \(String(cString: strerror(errno)))")
  }
}
