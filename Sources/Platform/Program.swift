import Synchronization

#if canImport(Darwin)
  import CDarwin
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
#if os(Linux)
  import CLinux
#endif

/// The process itself.
package enum Program {
  package static var identifier: CInt { getpid() }

  /// A variable of the environment.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Where it works.
  package static var folder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// The file it was started from.
  package static var path: String? {
    #if canImport(Darwin)
      var room = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard cdarwin_program_path(&room, UInt32(room.count)) == 0 else { return nil }
      return FileSystem.resolved(String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    #else
      return FileSystem.resolved("/proc/self/exe")
    #endif
  }

  /// What one thread frees another may use again: with an arena for each of eight a core, glibc holds twice as much. With
  /// one for all they wait for each other for a sixth of a run. And a table that grows moves to a block of its own, which
  /// goes back to the system as it grows on: in an arena it leaves holes, and 20,000 open WebSockets took 59 to 66 MiB by
  /// the threads' turns; so they take 58 to 59. To be called while there is one thread.
  package static func shareMemory() {
    #if os(Linux)
      clinux_limit_arenas(CInt(min(4, max(2, cores))))
      clinux_map_blocks_from(128 << 10)
    #endif
  }

  /// Cores that work; at least one.
  package static var cores: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

  /// 0 where that cannot be told.
  package static var threads: Int {
    #if canImport(Darwin)
      return Int(max(0, cdarwin_threads()))
    #else
      guard let folder = opendir("/proc/self/task") else { return 0 }
      defer { closedir(folder) }
      var count = 0
      // "." and ".." come with them.
      while readdir(folder) != nil { count += 1 }
      return count - 2
    #endif
  }

  /// The most memory it has had, in bytes.
  package static var peakMemory: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #elseif canImport(Musl)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss << 10
    #else
      getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss << 10
    #endif
  }

  /// Keeps a value until the process ends, which frees all of it at once, or until the next one: to free thousands of
  /// objects one by one takes a hundredth of a run.
  package static func keep(_ value: any Sendable) {
    kept.withLock { $0 = value }
  }

  private static let kept = Mutex<(any Sendable)?>(nil)

  package static func exit(_ code: CInt) -> Never {
    endProcess(code)
  }

  /// Without another step, also from a signal handler.
  package static func exitAtOnce(_ code: CInt) -> Never {
    _exit(code)
  }
}

// The method of this name stands before the function.
private func endProcess(_ code: CInt) -> Never { exit(code) }
