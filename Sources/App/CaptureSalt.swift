import Digests
import Events
import Platform

/// SHA-256 of the beginning of a capture: the salt of what redaction prints.
enum CaptureSalt {
  private static let length = 64 << 10

  /// Of a secret that captures share: whoever has it can find out which value a hash is of by trying, in all of them.
  static func shared(_ path: String) throws(Stop) -> [UInt8] {
    do throws(ReportError) {
      let secret = try InputFile.contents(path, limit: length)
      guard secret.count >= 16 else { throw ReportError("\(path): a salt has 16 bytes or more") }
      return SHA256.digest(of: secret.span)
    } catch {
      throw Stop(error)
    }
  }

  /// Of what has no beginning that could be read first.
  static var random: [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }

  /// Standard input and pipes can be read once, and not here; their salt is fixed.
  static func of(_ path: String) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: length)
    var filled = 0
    if path != "-", FileStatus(of: path)?.kind == .file, let descriptor = try? Descriptor.open(path, for: .reading) {
      defer { descriptor.close() }
      while filled < length, let count = try? descriptor.read(into: &head, from: filled), count > 0 { filled += count }
    }
    return SHA256.digest(of: head.span.extracting(0..<filled))
  }
}
