import Platform

#if OpenSSL
  import CCrypto
#endif

/// Key material. It lies in one place, is never copied into an array, and is wiped when the last reference goes.
///
/// A class, so that there is one copy however many hold it. `@unchecked Sendable`, because the bytes are written before
/// anybody else has the reference and only read from then on.
package final class SecretBytes: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  package let count: Int

  /// As many bytes as a key or a secret has, written by `fill`; they are zero before.
  init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    self.count = max(0, count)
    memory = .allocate(byteCount: max(1, self.count), alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(1, self.count))
    fill(UnsafeMutableRawBufferPointer(start: memory, count: self.count))
  }

  package convenience init(_ bytes: Span<UInt8>) {
    self.init(count: bytes.count) { memory in
      bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    }
  }

  deinit {
    SecretBytes.wipe(UnsafeMutableRawBufferPointer(start: memory, count: count))
    memory.deallocate()
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  func part(_ range: Range<Int>) -> SecretBytes {
    let range = range.clamped(to: 0..<count)
    return SecretBytes(count: range.count) { part in
      part.copyMemory(from: UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count))
    }
  }

  func equals(_ other: SecretBytes) -> Bool {
    count == other.count && Memory.isEqual(memory, other.memory, count: count)
  }

  /// Overwrites the text of a key log, say, in a way that is not optimized away.
  package static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { wipe($0) }
  }

  static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    #if OpenSSL
      guard let start = memory.baseAddress else { return }
      OPENSSL_cleanse(start, memory.count)
    #else
      Memory.wipe(memory)
    #endif
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String { "secret of \(count) bytes" }
  package var debugDescription: String { description }
}
