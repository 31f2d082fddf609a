import Platform

/// `streamscope live --self-test`: tries what must be impossible after dropping privileges, and prints the results.
enum PrivilegeTest {
  static func run(_ console: Console) throws(Stop) -> ExitCode {
    var hasFailed = false
    func tell(_ trial: PrivilegeTrial) throws(Stop) {
      switch trial.outcome {
      case .refused(let error): try console.output.print("refused  \(trial.what): \(error)\n")
      case .skipped(let why): try console.output.print("skipped  \(trial.what): \(why)\n")
      case .possible:
        hasFailed = true
        try console.output.print("POSSIBLE  \(trial.what)\n")
      }
    }
    let (user, group) = UserAccount.current
    let threads = Program.threads
    try console.output.print("user \(user), group \(group), \(threads) thread\(threads == 1 ? "" : "s")\n")
    for trial in PrivilegeTrial.all() { try tell(trial) }
    try console.output.flushed()
    try tell(PrivilegeTrial.running())
    return hasFailed ? .failure : .success
  }
}
