import Digests
import Glibc

/// SHA-256 of the beginning of a capture: the salt of what redaction prints.
enum CaptureSalt {
  private static let length = 64 << 10

  /// Standard input cannot be read ahead; its salt is fixed.
  static func of(_ path: String) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: length)
    var filled = 0
    if path != "-" {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      if descriptor >= 0 {
        defer { close(descriptor) }
        while filled < length {
          let count = head.withUnsafeMutableBytes { bytes in
            read(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
          }
          guard count > 0 else { break }
          filled += count
        }
      }
    }
    return SHA256.digest(of: head.span.extracting(0..<filled))
  }
}
