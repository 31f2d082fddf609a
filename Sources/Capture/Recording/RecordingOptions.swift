/// Where captured packets are written, and when to begin another file or to end.
package struct RecordingOptions: Sendable {
  /// When a file is full.
  package struct Limits: Sendable, Equatable {
    package var bytes: UInt64?
    package var packets: UInt64?
    package var nanoseconds: Int64?

    package init() {}
    package var isEmpty: Bool { self == Limits() }
  }

  package var path: String
  /// Named in the file.
  package var application: String
  /// When to start the next file; files are numbered then.
  package var next = Limits()
  /// The oldest files are deleted where there are more.
  package var filesKept: Int?
  /// The capture ends with the last of so many files.
  package var fileLimit: Int?
  /// The capture ends with a file of this size.
  package var byteLimit: UInt64?

  package init(path: String, application: String) {
    self.path = path
    self.application = application
  }

  var isNumbered: Bool { !next.isEmpty }
}
