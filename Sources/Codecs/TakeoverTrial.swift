import Citation

#if Zlib
  import CZlib
#endif

/// What messages would take on the wire if each were compressed with those before it in sight, and if each were
/// compressed alone: the same compressor for both, so that the sender's own does not count.
///
/// Memory: the compressor's 256 KiB, while the call lasts.
package enum TakeoverTrial {
  package struct Sizes: Hashable, Sendable {
    package var alone: UInt64
    package var together: UInt64
  }

  /// Nil where this program was built without zlib.
  package static func sizes(of messages: [[UInt8]]) -> Sizes? {
    #if Zlib
      guard let alone = size(of: messages, keepsContext: false), let together = size(of: messages, keepsContext: true)
      else { return nil }
      return Sizes(alone: alone, together: together)
    #else
      return nil
    #endif
  }

  #if Zlib
    private static func size(of messages: [[UInt8]], keepsContext: Bool) -> UInt64? {
      var stream = z_stream()
      guard
        deflateInit2_(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          CInt(MemoryLayout<z_stream>.size)) == Z_OK
      else { return nil }
      defer { deflateEnd(&stream) }
      var total: UInt64 = 0
      for message in messages {
        if !keepsContext { deflateReset(&stream) }
        var input = message
        var room = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))) + 16)
        let made = input.withUnsafeMutableBufferPointer { input in
          room.withUnsafeMutableBufferPointer { room -> Int in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(clamping: room.count)
            deflate(&stream, Z_SYNC_FLUSH)
            return room.count - Int(stream.avail_out)
          }
        }
        // A flush ends with four bytes that senders leave out (RFC 7692 §7.2.1).
        total &+= UInt64(max(0, made - 4))
      }
      return total
    }
  #endif
}
