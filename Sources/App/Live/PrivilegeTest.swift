import CLinux
import Glibc

/// `streamscope live --self-test`: tries what must be impossible after dropping privileges, and prints the results.
enum PrivilegeTest {
  static func run(_ console: Console) throws(Stop) -> ExitCode {
    var hasFailed = false
    func tell(_ what: String, isRefused: Bool) throws(Stop) {
      let reason = String(cString: strerror(errno))
      if !isRefused { hasFailed = true }
      try console.output.print("\(isRefused ? "refused" : "POSSIBLE")  \(what)\(isRefused ? ": \(reason)" : "")\n")
    }
    try console.output.print("user \(getuid()), group \(getgid()), \(threads) thread\(threads == 1 ? "" : "s")\n")
    let file = open("/etc/shadow", O_RDONLY | O_CLOEXEC)
    try tell("open /etc/shadow", isRefused: file < 0)
    for (name, family) in [
      ("AF_INET", AF_INET), ("AF_INET6", AF_INET6), ("AF_UNIX", AF_UNIX), ("AF_PACKET", AF_PACKET),
    ] {
      let made = socket(family, Int32(SOCK_DGRAM.rawValue), 0)
      try tell("socket \(name)", isRefused: made < 0)
    }
    try tell("setuid 0", isRefused: setuid(0) != 0 || geteuid() != 0)
    try tell("setgid 0", isRefused: setgid(0) != 0 || getegid() != 0)
    if clinux_landlock_version() > 0 {
      // Without Landlock every user may write there.
      let path = "/dev/shm/streamscope-self-test.\(getpid())"
      let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      try tell("write outside the output folders", isRefused: made < 0)
      if made >= 0 { unlink(path) }
    } else {
      try console.output.print("skipped  write outside the output folders: this kernel has no Landlock\n")
    }
    try console.output.flushed()
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(words[0]) }
    execv("/bin/true", &words)
    try tell("exec /bin/true", isRefused: true)
    return hasFailed ? .failure : .success
  }

  private static var threads: Int {
    guard let folder = opendir("/proc/self/task") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    // "." and ".." come with them.
    while readdir(folder) != nil { count += 1 }
    return count - 2
  }
}
