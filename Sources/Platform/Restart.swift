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

/// The same program again, in the same process and with the same arguments, and one variable of the environment that is
/// this one's: all that takes is made beforehand, so that a handler of signals can do it.
package final class Restart: @unchecked Sendable {
  /// `NAME=VALUE`; what is appended to it, the program finds in its environment.
  package let variable: FixedText
  private let program: UnsafeMutablePointer<CChar>?
  private let environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// To be called while nothing else changes the environment. `room` is for what is appended.
  package init(variable name: String, value: String, room: Int) {
    variable = FixedText(capacity: name.utf8.count + 1 + value.utf8.count + room)
    variable.replace(with: "\(name)=\(value)")
    #if canImport(Darwin)
      program = Program.path.flatMap { strdup($0) }
      let inherited = cdarwin_environment()
    #else
      // Also when the file has another name or content meanwhile.
      program = strdup("/proc/self/exe")
      let inherited = clinux_environment()
    #endif
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var at = 0
    while let entry = inherited?[at] {
      if !String(cString: entry).hasPrefix(name + "=") { entries.append(entry) }
      at += 1
    }
    entries += [variable.pointer, nil]
    environment = .allocate(capacity: entries.count)
    environment.initialize(from: entries, count: entries.count)
  }

  deinit {
    free(program)
    environment.deallocate()
  }

  /// Comes back only where it cannot be done. Descriptors that programs do not inherit are closed.
  package func run() {
    guard let program else { return }
    Fault.unblock()
    execve(program, CommandLine.unsafeArgv, environment)
  }
}
