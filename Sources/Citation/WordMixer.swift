/// A hash of words for tables of this process: keys are chosen by strangers, so its seed is another one in every run, and
/// what it gives never decides what is printed or in which order.
///
/// A folded 64 × 64 → 128 bit multiplication a word. The standard library's hasher takes some 250 instructions for a key
/// of one word, and rules over a capture look up a dozen keys for each exchange.
@frozen
public struct WordMixer: Sendable {
  @usableFromInline static let seed = Hasher.processSeed(0)
  @usableFromInline var state: UInt64

  @inlinable @inline(__always)
  public init() { state = Self.seed }

  @inlinable @inline(__always)
  public mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    state = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
  }

  @inlinable @inline(__always)
  public mutating func combine(_ word: Int) { combine(UInt64(bitPattern: Int64(word))) }

  /// Bytes without the case of their letters, eight at a time.
  @inlinable
  public mutating func combine(lowercased bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { memory in
      var index = 0
      while index + 8 <= memory.count {
        combine(memory.loadUnaligned(fromByteOffset: index, as: UInt64.self).lowercased)
        index += 8
      }
      var rest: UInt64 = 0
      while index < memory.count {
        rest = rest << 8 | UInt64(memory[index])
        index += 1
      }
      combine(rest.lowercased)
    }
    combine(UInt64(truncatingIfNeeded: bytes.count))
  }

  /// The same of the bytes as they are.
  @inlinable
  public mutating func combine(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { memory in
      var index = 0
      while index + 8 <= memory.count {
        combine(memory.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        index += 8
      }
      var rest: UInt64 = 0
      while index < memory.count {
        rest = rest << 8 | UInt64(memory[index])
        index += 1
      }
      combine(rest)
    }
    combine(UInt64(truncatingIfNeeded: bytes.count))
  }

  @inlinable @inline(__always)
  public var value: Int { Int(truncatingIfNeeded: state ^ state >> 32) }
}

extension Hasher {
  /// A seed for a table of this process. It is of the standard library's own, which is random, and fixed where
  /// SWIFT_DETERMINISTIC_HASHING is set: who counts instructions gets the same for the same capture.
  package static func processSeed(_ table: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(table)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}

/// A key of a table that is looked into for every exchange.
package protocol MixedKey: Hashable, Sendable {
  func mix(into mixer: inout WordMixer)
}

extension MixedKey {
  /// As the standard library hashes it: for keys that are rarely asked for.
  package func mix(into mixer: inout WordMixer) { mixer.combine(hashValue) }

  @inline(__always)
  package var mixed: Int {
    var mixer = WordMixer()
    mix(into: &mixer)
    return mixer.value
  }
}

extension Int: MixedKey {}
extension String: MixedKey {}
extension [UInt8]: MixedKey {}

extension IPAddress: MixedKey {
  @inline(__always)
  package func mix(into mixer: inout WordMixer) {
    mixer.combine(high)
    mixer.combine(low)
  }
}

extension Endpoint: MixedKey {
  @inline(__always)
  package func mix(into mixer: inout WordMixer) {
    address.mix(into: &mixer)
    mixer.combine(UInt64(port))
  }
}

extension FlowID: MixedKey {
  @inline(__always)
  package func mix(into mixer: inout WordMixer) { mixer.combine(firstPacket) }

  /// What dictionaries ask for: every connection is put into some and taken out again. The seed is the table's own, so
  /// that filling one in the order of another stays cheap.
  package func _rawHashValue(seed: Int) -> Int {
    var mixer = WordMixer()
    mixer.combine(seed)
    mixer.combine(firstPacket)
    return mixer.value
  }
}
