import Platform

/// Whole files, without Foundation.
package enum TextFile {
  package static func read(_ path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  package static func bytes(of path: String) -> [UInt8]? {
    guard let file = try? Descriptor.open(path, for: .reading) else { return nil }
    defer { file.close() }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while let count = try? file.read(into: &piece) {
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
    return nil
  }

  package static func write(_ text: String, to path: String) -> String? {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      FileSystem.makeFolder(folder)
    }
    guard let file = try? Descriptor.open(path, for: .replacing(.everybody)) else { return "cannot write \(path)" }
    defer { file.close() }
    return (try? file.write(Array(text.utf8))) == nil ? "cannot write all of \(path)" : nil
  }
}
