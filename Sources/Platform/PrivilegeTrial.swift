#if canImport(Darwin)
  import Darwin
#else
  import CLinux
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#endif

/// Tries what a program that gave up its rights must not be able to do any more.
package struct PrivilegeTrial {
  package enum Outcome {
    case refused(SystemError)
    case possible
    /// Why it was not tried.
    case skipped(String)
  }

  package let what: String
  package let outcome: Outcome

  /// Everything but running a program.
  package static func all() -> [PrivilegeTrial] {
    [secrets()] + sockets() + [
      PrivilegeTrial("setuid 0", isRefused: setuid(0) != 0 || geteuid() != 0),
      PrivilegeTrial("setgid 0", isRefused: setgid(0) != 0 || getegid() != 0),
      writing(),
    ]
  }

  /// Where it is possible, the program ends here and is the other one.
  package static func running() -> PrivilegeTrial {
    #if os(Linux)
      var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
      defer { free(words[0]) }
      execv("/bin/true", &words)
      return PrivilegeTrial("exec /bin/true", isRefused: true)
    #else
      return PrivilegeTrial("exec /usr/bin/true", .skipped(withoutConfinement))
    #endif
  }

  // MARK: Each

  private static func secrets() -> PrivilegeTrial {
    #if canImport(Darwin)
      let path = "/etc/master.passwd"
    #else
      let path = "/etc/shadow"
    #endif
    let file = open(path, O_RDONLY | O_CLOEXEC)
    let trial = PrivilegeTrial("open \(path)", isRefused: file < 0)
    if file >= 0 { close(file) }
    return trial
  }

  private static func sockets() -> [PrivilegeTrial] {
    #if os(Linux)
      #if canImport(Musl)
        let datagram = SOCK_DGRAM
      #else
        let datagram = CInt(SOCK_DGRAM.rawValue)
      #endif
      return [("AF_INET", AF_INET), ("AF_INET6", AF_INET6), ("AF_UNIX", AF_UNIX), ("AF_PACKET", AF_PACKET)]
        .map { name, family in PrivilegeTrial("socket \(name)", isRefused: socket(family, datagram, 0) < 0) }
    #else
      return [PrivilegeTrial("socket", .skipped(withoutConfinement))]
    #endif
  }

  private static func writing() -> PrivilegeTrial {
    let what = "write outside the output folders"
    #if os(Linux)
      guard clinux_landlock_version() > 0 else {
        return PrivilegeTrial(what, .skipped("this kernel has no Landlock"))
      }
      // Without Landlock every user may write there.
      let path = "/dev/shm/streamscope-self-test.\(getpid())"
      let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      let trial = PrivilegeTrial(what, isRefused: made < 0)
      if made >= 0 {
        close(made)
        unlink(path)
      }
      return trial
    #else
      return PrivilegeTrial(what, .skipped(withoutConfinement))
    #endif
  }

  private static let withoutConfinement =
    "macOS has neither seccomp nor Landlock; the user's permissions are the only limit"

  private init(_ what: String, _ outcome: Outcome) {
    self.what = what
    self.outcome = outcome
  }

  /// Right after the call.
  private init(_ what: String, isRefused: Bool) {
    self.init(what, isRefused ? .refused(.last) : .possible)
  }
}
