import Citation
import Digests
import Platform

/// Names a capture by its bytes: its length, its beginning and its end. A copy has the same name; a capture that goes on
/// gets another.
enum CaptureIdentity {
  private static let part = 64 << 10

  /// Of a series: of all its files. Standard input and pipes can be read once, and have none.
  static func of(_ files: [String]) -> String? {
    var bytes: [UInt8] = []
    for file in files {
      guard file != "-", FileStatus(of: file)?.kind == .file, let name = digest(of: file) else {
        if files.count == 1 { return nil }
        continue
      }
      if files.count == 1 { return text(name) }
      bytes += name
    }
    return text(SHA256.digest(of: bytes.span))
  }

  private static func digest(of path: String) -> [UInt8]? {
    guard let status = FileStatus(of: path), let descriptor = try? Descriptor.open(path, for: .reading) else {
      return nil
    }
    defer { descriptor.close() }
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: status.size >> (8 * UInt64($0))) }
    let head = Int(min(status.size, UInt64(part)))
    bytes += read(descriptor, head)
    if status.size > UInt64(part) {
      descriptor.seek(to: max(UInt64(part), status.size - UInt64(part)))
      bytes += read(descriptor, part)
    }
    return SHA256.digest(of: bytes.span)
  }

  private static func read(_ descriptor: Descriptor, _ length: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length, let count = try? descriptor.read(into: &bytes, from: filled), count > 0 { filled += count }
    return Array(bytes[..<filled])
  }

  private static func text(_ digest: [UInt8]) -> String { Array(digest.prefix(8)).hex }
}
