#if OpenSSL
  import CCrypto

  extension SHA256State {
    /// A twentieth of the instructions. The function for single blocks, because those for whole messages allocate.
    mutating func compressByLibrary(_ bytes: Span<UInt8>, at offset: Int) {
      var state = words
      bytes.extracting(offset..<offset + BlockBuffer.blockSize).withUnsafeBufferPointer { block in
        withUnsafeMutableBytes(of: &state) { words in
          ccrypto_sha256_block(words.bindMemory(to: UInt32.self).baseAddress, block.baseAddress)
        }
      }
      words = state
    }
  }
#endif
