import Citation

/// How an interface counts time: units of a power of ten or two of a second, from a point of its own.
///
/// Invariant: no pair of 64-bit numbers from a file traps; what does not fit is held at the ends of `Timestamp`.
package struct CaptureClock: Hashable, Sendable {
  package static let microseconds = CaptureClock(resolution: 6, offset: 0)
  package static let nanoseconds = CaptureClock(resolution: 9, offset: 0)

  /// As pcapng's if_tsresol: 10^-n seconds, or 2^-n with the top bit set.
  package let resolution: UInt8
  /// Seconds to add, as pcapng's if_tsoffset.
  package let offset: Int64
  /// Nanoseconds per unit, 0 where it takes more than a multiplication.
  private let scale: UInt64
  private let offsetNanoseconds: Int64

  package init(resolution: UInt8, offset: Int64) {
    self.resolution = resolution
    self.offset = offset
    scale = resolution <= 9 ? CaptureClock.powersOfTen[9 - Int(resolution)] : 0
    let (product, overflow) = offset.multipliedReportingOverflow(by: 1_000_000_000)
    offsetNanoseconds = overflow ? (offset < 0 ? .min : .max) : product
  }

  @inline(__always)
  package func time(units: UInt64) -> Timestamp {
    let (product, overflow) = units.multipliedReportingOverflow(by: scale)
    if scale != 0, !overflow, offsetNanoseconds == 0, let nanoseconds = Int64(exactly: product) {
      return Timestamp(nanoseconds: nanoseconds)
    }
    return timeInFull(units: units)
  }

  @inline(never)
  private func timeInFull(units: UInt64) -> Timestamp {
    let sinceStart = Timestamp(nanoseconds: Int64(clamping: nanoseconds(units)))
    return sinceStart.advanced(by: offsetNanoseconds)
  }

  private func nanoseconds(_ units: UInt64) -> UInt64 {
    if scale != 0 {
      let (product, overflow) = units.multipliedReportingOverflow(by: scale)
      return overflow ? .max : product
    }
    guard resolution & 0x80 != 0 else {
      let digits = Int(resolution) - 9
      return digits < CaptureClock.powersOfTen.count ? units / CaptureClock.powersOfTen[digits] : 0
    }
    // units * 10^9 / 2^n in 128 bits.
    let bits = UInt64(resolution & 0x7F)
    let product = units.multipliedFullWidth(by: 1_000_000_000)
    if bits >= 64 { return product.high >> (bits - 64) }
    guard product.high >> bits == 0 else { return .max }
    return bits == 0 ? product.low : product.high << (64 - bits) | product.low >> bits
  }

  private static let powersOfTen: [UInt64] = {
    var powers: [UInt64] = [1]
    while powers.count < 20 { powers.append(powers[powers.count - 1] * 10) }
    return powers
  }()
}
