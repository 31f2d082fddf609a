#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The terminal that standard output leads to, if it does.
package enum Terminal {
  package static func isTerminal(_ descriptor: Descriptor) -> Bool {
    isatty(descriptor.number) == 1
  }

  /// Whether a standard stream is a terminal that is gone.
  package static var hasHungUp: Bool {
    for stream in [Descriptor.input, .output, .errors] {
      var request = pollfd(fd: stream.number, events: 0, revents: 0)
      guard poll(&request, 1, 0) > 0, CInt(request.revents) & POLLHUP != 0 else { continue }
      // A pipe whose other end is closed says the same.
      var status = stat()
      if fstat(stream.number, &status) == 0, status.st_mode & S_IFMT == S_IFCHR { return true }
    }
    return false
  }

  /// In characters; a side that the terminal does not know is 0.
  package static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Past all buffers; also from a signal handler.
  package static func write(_ text: StaticString) {
    _ = writeFile(STDOUT_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}

// The method of this name stands before the function.
private func writeFile(_ number: CInt, _ start: UnsafeRawPointer, _ count: Int) -> Int { write(number, start, count) }
