import Platform
import TLSProtection

/// The file that --keylog or SSLKEYLOGFILE names, as browsers and libraries write it.
struct KeyLogFile {
  private static let sizeLimit = 64 << 20

  private(set) var log = KeyLog()
  private(set) var addition = KeyLog.Addition()

  init(path: String) throws(Stop) {
    Faults.check(path)
    let descriptor: Descriptor
    do throws(SystemError) {
      descriptor = try .open(path, for: .reading)
    } catch {
      throw Stop("cannot read the key log \(path): \(error)")
    }
    defer { descriptor.close() }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    // Buffers with secrets are wiped.
    defer {
      SecretBytes.wipe(&bytes)
      SecretBytes.wipe(&piece)
    }
    do throws(SystemError) {
      bytes.reserveCapacity(Int(min(UInt64(Self.sizeLimit), try descriptor.status().size)) + 1)
      while bytes.count < Self.sizeLimit, case let count = try descriptor.read(into: &piece), count > 0 {
        bytes += piece[..<count]
      }
    } catch {
      throw Stop("cannot read the key log \(path)")
    }
    addition = log.add(bytes.span)
    let lines = addition.malformed + addition.ignored + addition.unsupported
    // A file that is still being written may have no complete line yet.
    guard addition.secrets > 0 || lines == 0 || addition.malformed < lines || Self.endsInLabel(bytes) else {
      throw Stop("\(path) is not a key log: no line holds a secret")
    }
  }

  /// The file named by the environment, if it exists: it is meant for other programs to write.
  init?(_ console: Console) {
    guard let path = console.environment["SSLKEYLOGFILE"], !path.isEmpty else { return nil }
    do throws(Stop) { try self.init(path: path) } catch { return nil }
  }

  /// The last line is incomplete and begins like one with a secret.
  private static func endsInLabel(_ bytes: [UInt8]) -> Bool {
    let start = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = bytes[start...]
    return ["CLIENT_", "SERVER_", "EXPORTER_", "EARLY_EXPORTER_"].contains { label in
      line.starts(with: Array(label.utf8)) || !line.isEmpty && Array(label.utf8).starts(with: line)
    }
  }

  /// Problems for the report; empty if the whole file was understood.
  var note: String? {
    var words: [String] = []
    if !isTLSProtectionBuiltIn { words.append("this program was built without libcrypto and cannot decrypt TLS") }
    if addition.malformed > 0 {
      let lines = addition.malformedLines.map(String.init).joined(separator: ", ")
      words.append(
        "line \(lines)\(addition.malformed > addition.malformedLines.count ? " and more" : "") of the key log cannot be read"
      )
    }
    if addition.unsupported > 0 {
      words.append("the key log holds secrets of RSA key exchanges, which are not supported")
    }
    if addition.dropped > 0 {
      words.append("the key log has more than \(KeyLog.secretLimit) secrets; the rest were dropped")
    }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}
