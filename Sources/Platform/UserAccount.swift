#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A user that the program can become.
package struct UserAccount: Sendable {
  package var name: String
  package var user: UInt32
  package var group: UInt32

  package init(name: String, user: UInt32, group: UInt32) {
    self.name = name
    self.user = user
    self.group = group
  }

  /// nil where nobody has this name.
  package init?(named name: String) {
    guard let entry = getpwnam(name) else { return nil }
    self.init(name: name, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
  }

  /// Whether the program has root's rights now.
  package static var isRoot: Bool { geteuid() == 0 }

  /// Whom the program was started as, or became.
  package static var current: (user: UInt32, group: UInt32) { (getuid(), getgid()) }

  /// Root becomes this user for good. Must happen while the program has one thread.
  package func become() throws(PrivilegeError) {
    var only = group
    guard setgroups(1, &only) == 0, setgid(group) == 0, setuid(user) == 0 else {
      throw PrivilegeError("cannot switch to user \(name)", .last)
    }
    // There must be no way back.
    guard setuid(0) != 0, seteuid(0) != 0, setgid(0) != 0, getuid() == user, geteuid() == user, getgid() == group,
      getegid() == group
    else { throw PrivilegeError("root privileges could not be dropped; stopping", nil) }
  }
}

/// Rights that could not be given up.
package struct PrivilegeError: Error, CustomStringConvertible {
  package let what: String
  package let reason: SystemError?

  init(_ what: String, _ reason: SystemError?) {
    self.what = what
    self.reason = reason
  }

  package var description: String { reason.map { "\(what): \($0)" } ?? what }
}
