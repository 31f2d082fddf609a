#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Why a call of the system failed: `errno`, taken before anything else can change it.
package struct SystemError: Error, Hashable, Sendable {
  package let code: CInt

  /// Of the call that failed last in this thread.
  static var last: SystemError { SystemError(code: errno) }

  package var isMissingFile: Bool { code == ENOENT }
  package var isPermission: Bool { code == EACCES }
  package var isClosedPipe: Bool { code == EPIPE }
  /// The disk is full, or the user's share of it.
  package var isOutOfRoom: Bool { code == ENOSPC || code == EDQUOT }
}

extension SystemError: CustomStringConvertible {
  /// In the words of the C library.
  package var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
