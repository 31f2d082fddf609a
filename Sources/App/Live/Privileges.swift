import CLinux
import Glibc

/// Drops the privileges that only opening the device needed.
///
/// Invariant: after `drop` the program has no capability, and no way to get one; where that fails it ends.
struct Privileges {
  private struct Account {
    var name: String
    var user: uid_t
    var group: gid_t
  }

  /// nil if the program is not root, or is to stay root.
  private let account: Account?

  /// The user to switch to: the one named, else the one who called sudo, else nobody.
  init(_ name: String?, _ console: Console) throws(Stop) {
    guard geteuid() == 0 else {
      if let name { throw Stop("-Z \(name): only root can switch to another user") }
      account = nil
      return
    }
    if let name {
      guard let found = Self.account(named: name) else { throw Stop("-Z \(name): there is no such user") }
      account = found.user == 0 ? nil : found
    } else if let caller = Self.caller(console) {
      account = caller
    } else if let nobody = Self.account(named: "nobody") {
      account = nobody
    } else {
      throw Stop("there is no user 'nobody'; name one with -Z, or stay root with -Z root")
    }
  }

  private static func account(named name: String) -> Account? {
    guard let entry = getpwnam(name) else { return nil }
    return Account(name: name, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
  }

  private static func caller(_ console: Console) -> Account? {
    let number = { (name: String) in console.environment[name].flatMap { UInt32($0) } }
    guard let user = number("SUDO_UID"), let group = number("SUDO_GID"), user != 0 else { return nil }
    return Account(name: console.environment["SUDO_USER"] ?? "user \(user)", user: user, group: group)
  }

  /// The user it switches to; nil if it does not switch.
  var user: String? { account?.name }

  /// From now on files can be written beneath `folders` only.
  func drop(keeping folders: [String]) throws(Stop) {
    if let account { try become(account) }
    // Those of setcap, which a change of users does not take.
    if account != nil || geteuid() != 0 {
      guard clinux_drop_capabilities() == 0 else { throw Self.failure("cannot drop capabilities") }
    }
    guard clinux_no_new_privileges() == 0 else { throw Self.failure("cannot drop privileges for good") }
    try confine(to: folders)
    guard clinux_forbid_calls() == 0 else { throw Self.failure("cannot restrict system calls") }
  }

  private func become(_ account: Account) throws(Stop) {
    var group = account.group
    guard setgroups(1, &group) == 0, setgid(account.group) == 0, setuid(account.user) == 0 else {
      throw Self.failure("cannot switch to user \(account.name)")
    }
    // There must be no way back.
    guard setuid(0) != 0, seteuid(0) != 0, setgid(0) != 0, getuid() == account.user, geteuid() == account.user,
      getgid() == account.group, getegid() == account.group
    else { throw Stop("root privileges could not be dropped; stopping") }
  }

  /// With Landlock, if the kernel supports it; otherwise only the user's permissions apply.
  private func confine(to folders: [String]) throws(Stop) {
    let rules = clinux_landlock_begin()
    guard rules >= 0 else { return }
    defer { close(rules) }
    for folder in folders {
      let descriptor = clinux_open_folder(folder)
      // A missing folder is reported when the file cannot be opened.
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard clinux_landlock_allow(rules, descriptor) == 0 else {
        throw Self.failure("cannot allow writing to \(folder)")
      }
    }
    guard clinux_landlock_enforce(rules) == 0 else { throw Self.failure("cannot restrict writing") }
  }

  private static func failure(_ what: String) -> Stop {
    Stop("\(what): \(String(cString: strerror(errno)))")
  }
}
