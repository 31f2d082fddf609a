import Glibc

/// A file of TLS secrets, as browsers and libraries write it (SSLKEYLOGFILE): a label, the client's random and a secret
/// on each line, in hexadecimal.
///
/// This version decrypts nothing. The file is read all the same, so that a wrong path or a file of something else is
/// found now, and the report says what was not done with it.
struct KeyLog {
  private static let sizeLimit = 64 << 20

  private(set) var secrets: UInt64 = 0
  private(set) var otherLines: UInt64 = 0

  init(path: String) throws(Stop) {
    guard let file = fopen(path, "r") else {
      throw Stop("cannot read the key log \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < Self.sizeLimit {
      let count = fread(&piece, 1, piece.count, file)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    guard ferror(file) == 0 else { throw Stop("cannot read the key log \(path)") }
    self.init(bytes)
    guard secrets > 0 || otherLines == 0 else { throw Stop("\(path) is no key log: no line holds a secret") }
  }

  init(_ bytes: [UInt8]) {
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where line.first != UInt8(ascii: "#") {
      if Self.isSecret(line) { secrets += 1 } else { otherLines += 1 }
    }
  }

  private static func isSecret(_ line: ArraySlice<UInt8>) -> Bool {
    let words = line.split(separator: UInt8(ascii: " "))
    guard words.count == 3, words[0].allSatisfy({ 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x5F }) else {
      return false
    }
    return words[1].count == 64
      && words[1...].allSatisfy { word in
        word.count % 2 == 0
          && word.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0 }
      }
  }

  /// What the report says of it.
  var note: String {
    "TLS is not decrypted by this version; the key log (\(secrets) \(secrets == 1 ? "secret" : "secrets")) was not used"
  }
}
