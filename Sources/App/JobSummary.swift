import Arguments
import Events
import Platform
import Reports

/// The page that a GitHub job shows, to which every step may add. Only `-o github` does.
enum JobSummary {
  static let variable = "GITHUB_STEP_SUMMARY"

  static func append(
    _ documents: [DocumentNode], _ request: OutputRequest, _ console: Console
  ) throws(ReportError) {
    guard request.format == .converted(.github), let path = console.environment[variable], !path.isEmpty else { return }
    let descriptor: Descriptor
    do throws(SystemError) {
      descriptor = try .open(path, for: .appending(.everybody))
    } catch {
      throw ReportError("cannot write \(path), which \(variable) names: \(error)")
    }
    defer { descriptor.close() }
    let file = OutputFile.descriptor(descriptor, name: path)
    try file.write(Array(GitHubSummary.markdown(documents).utf8))
    try file.flush()
  }
}

extension Flag {
  static func sarifProfile(
    group: String = FlagForm.defaultGroup, _ set: @escaping @Sendable (inout Options, SARIFProfile) -> Void
  ) -> Flag {
    Flag(
      "sarif-profile", nil, "PROFILE",
      help: "Target of a SARIF log; github keeps within GitHub's limits and adds line numbers.",
      group: group, values: .oneOf(SARIFProfile.allCases.map(\.rawValue))
    ) { (options, text) in
      // The parser has checked it.
      if let profile = SARIFProfile(rawValue: text) { set(&options, profile) }
    }
  }
}
