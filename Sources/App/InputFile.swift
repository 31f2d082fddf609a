import Events
import Platform

/// A file read completely into memory.
enum InputFile {
  /// '-' is standard input. At most `limit` bytes are read.
  static func contents(_ path: String, limit: Int = .max) throws(ReportError) -> [UInt8] {
    Faults.check(path)
    do throws(SystemError) {
      let descriptor = path == "-" ? .input : try Descriptor.open(path, for: .reading)
      defer { if path != "-" { descriptor.close() } }
      var contents: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try descriptor.read(into: &block)
        if count == 0 { return contents }
        contents.append(contentsOf: block[..<count].prefix(limit - contents.count))
        if contents.count == limit { return contents }
      }
    } catch {
      throw ReportError("cannot read \(path): \(error)")
    }
  }
}
