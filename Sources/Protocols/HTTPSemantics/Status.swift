/// A status code. Zero stands for none: the reply of HTTP/0.9 has no status line.
package struct Status: Hashable, Sendable {
  package var code: UInt16

  package init(_ code: UInt16) {
    self.code = code
  }

  package static let none = Status(0)
  package static let switchingProtocols = Status(101)
  package static let noContent = Status(204)
  package static let notModified = Status(304)

  package var isInformational: Bool { 100..<200 ~= code }
  /// Another response to the same request follows. 101 is not interim: it is the last HTTP that is spoken.
  package var isInterim: Bool { isInformational && code != 101 }
  package var isSuccess: Bool { 200..<300 ~= code }
  package var isRedirect: Bool { 300..<400 ~= code }
  package var isError: Bool { code >= 400 }
  /// The head ends the message whatever its fields say (RFC 9112 §6.3).
  package var forbidsBody: Bool { isInformational || self == .noContent || self == .notModified }
}

/// A protocol version as written.
package struct HTTPVersion: Hashable, Comparable, Sendable {
  package var major: UInt8
  package var minor: UInt8

  package init(_ major: UInt8, _ minor: UInt8) {
    self.major = major
    self.minor = minor
  }

  @inline(__always)
  package static func == (left: HTTPVersion, right: HTTPVersion) -> Bool {
    left.major == right.major && left.minor == right.minor
  }
  package static func != (left: HTTPVersion, right: HTTPVersion) -> Bool { !(left == right) }

  package static let simple = HTTPVersion(0, 9)
  package static let http10 = HTTPVersion(1, 0)
  package static let http11 = HTTPVersion(1, 1)
  package static let http2 = HTTPVersion(2, 0)

  package static func < (left: HTTPVersion, right: HTTPVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

extension HTTPVersion: CustomStringConvertible {
  package var description: String { "\(major).\(minor)" }
}
