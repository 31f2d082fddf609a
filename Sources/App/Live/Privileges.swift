import Platform

/// Drops the privileges that only opening the device needed.
///
/// Invariant: after `drop` the program runs as the user it announced, has no way back, and on Linux has no capability;
/// if any of that fails it stops.
struct Privileges {
  /// nil if the program is not root, or is to stay root.
  private let account: UserAccount?

  /// The user to switch to: the one named, else the one who called sudo, else nobody.
  init(_ name: String?, _ console: Console) throws(Stop) {
    guard UserAccount.isRoot else {
      if let name { throw Stop("-Z \(name): only root can switch to another user") }
      account = nil
      return
    }
    if let name {
      guard let found = UserAccount(named: name) else { throw Stop("-Z \(name): there is no such user") }
      account = found.user == 0 ? nil : found
    } else if let caller = Self.caller(console) {
      account = caller
    } else if let nobody = UserAccount(named: "nobody") {
      account = nobody
    } else {
      throw Stop("there is no user 'nobody'; name one with -Z, or stay root with -Z root")
    }
  }

  private static func caller(_ console: Console) -> UserAccount? {
    let number = { (name: String) in console.environment[name].flatMap { UInt32($0) } }
    guard let user = number("SUDO_UID"), let group = number("SUDO_GID"), user != 0 else { return nil }
    return UserAccount(name: console.environment["SUDO_USER"] ?? "user \(user)", user: user, group: group)
  }

  /// The user it switches to; nil if it does not switch.
  var user: String? { account?.name }

  /// From now on files can be written beneath `folders` only.
  func drop(keeping folders: [String]) throws(Stop) {
    do throws(PrivilegeError) {
      try account?.become()
      // Capabilities of setcap survive a change of users. Only root that stays root keeps any.
      try Confinement.enter(writing: folders, keepsCapabilities: account == nil && UserAccount.isRoot)
    } catch {
      throw Stop("\(error)")
    }
  }
}
