#if os(Linux)
  import CLinux
#endif

/// What the kernel refuses the program from now on, whoever it is.
package enum Confinement {
  /// Darwin has nothing like it for a program of its own: what the user may do is all that is refused there.
  package static var isOffered: Bool {
    #if os(Linux)
      return true
    #else
      return false
    #endif
  }

  /// No capability, no way to get one; no files written but beneath `folders` (Landlock, where the kernel has it); no
  /// sockets and no other programs (seccomp). Root that stays root keeps its capabilities. Throws where anything of it
  /// fails, and the program must end then.
  package static func enter(writing folders: [String], keepsCapabilities: Bool) throws(PrivilegeError) {
    #if os(Linux)
      guard keepsCapabilities || clinux_drop_capabilities() == 0 else {
        throw PrivilegeError("cannot drop capabilities", .last)
      }
      guard clinux_no_new_privileges() == 0 else {
        throw PrivilegeError("cannot drop privileges for good", .last)
      }
      try confineWriting(to: folders)
      guard clinux_forbid_calls() == 0 else { throw PrivilegeError("cannot restrict system calls", .last) }
    #endif
  }

  #if os(Linux)
    private static func confineWriting(to folders: [String]) throws(PrivilegeError) {
      let rules = clinux_landlock_begin()
      guard rules >= 0 else { return }
      defer { Descriptor(rules).close() }
      for folder in folders {
        let descriptor = clinux_open_folder(folder)
        // A missing folder is reported when the file cannot be opened.
        guard descriptor >= 0 else { continue }
        defer { Descriptor(descriptor).close() }
        guard clinux_landlock_allow(rules, descriptor) == 0 else {
          throw PrivilegeError("cannot allow writing to \(folder)", .last)
        }
      }
      guard clinux_landlock_enforce(rules) == 0 else { throw PrivilegeError("cannot restrict writing", .last) }
    }
  #endif
}
