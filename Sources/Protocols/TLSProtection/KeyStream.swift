/// RC4, which libcrypto has put among what is no longer loaded (OpenSSL 3): bytes that depend on the key and on how many
/// came before them.
struct KeyStream: Sendable {
  private var state = [UInt8](0...255)
  private var first: UInt8 = 0
  private var second: UInt8 = 0

  init(_ key: SecretBytes) {
    key.withBytes { key in
      guard !key.isEmpty else { return }
      var at: UInt8 = 0
      for index in 0..<256 {
        at = at &+ state[index] &+ key[index % key.count]
        state.swapAt(index, Int(at))
      }
    }
  }

  mutating func apply(to bytes: UnsafeMutableBufferPointer<UInt8>) {
    for index in bytes.indices {
      first = first &+ 1
      second = second &+ state[Int(first)]
      state.swapAt(Int(first), Int(second))
      bytes[index] ^= state[Int(state[Int(first)] &+ state[Int(second)])]
    }
  }
}
