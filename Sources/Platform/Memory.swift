#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

#if os(Linux)
  import CLinux
#endif

/// Bytes in memory, by the C library's ways, which look at many at once.
///
/// Public, for the compiler inlines no package function of another module, and these are called for every line.
public enum Memory {
  /// How far behind `start` the first such byte is, among so many.
  @inline(__always)
  public static func distance(to byte: UInt8, from start: UnsafeRawPointer, count: Int) -> Int? {
    guard let found = memchr(start, CInt(byte), count) else { return nil }
    return UnsafeRawPointer(found) - start
  }

  @inline(__always)
  public static func isEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
    memcmp(left, right, count) == 0
  }

  /// Gives back to the system what is not in use: between two stages, of which the second needs other sizes.
  package static func returnUnused() {
    #if canImport(Darwin)
      malloc_zone_pressure_relief(nil, 0)
    #else
      clinux_return_memory()
    #endif
  }

  /// Writes zeros in a way that is not optimized away.
  public static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    #if canImport(Darwin)
      _ = memset_s(start, memory.count, 0, memory.count)
    #else
      explicit_bzero(start, memory.count)
    #endif
  }
}
