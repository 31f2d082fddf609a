#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The clocks of the system, in nanoseconds.
package enum SystemClock {
  /// Nobody sets it; it has no date.
  package static var monotonic: Int64 { read(CLOCK_MONOTONIC) }

  /// Since 1970, in UTC.
  package static var sinceEpoch: Int64 { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// A signal ends it early.
  package static func pause(microseconds: UInt32) {
    usleep(microseconds)
  }
}

/// A time of day where the program runs.
package struct LocalTime: Sendable {
  package let year, month, day: Int
  package let hour, minute, second: Int

  /// nil where the year has no number.
  package init?(secondsSinceEpoch seconds: Int) {
    var time = time_t(seconds)
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return nil }
    year = Int(local.tm_year) + 1900
    month = Int(local.tm_mon) + 1
    day = Int(local.tm_mday)
    hour = Int(local.tm_hour)
    minute = Int(local.tm_min)
    second = Int(local.tm_sec)
  }
}
