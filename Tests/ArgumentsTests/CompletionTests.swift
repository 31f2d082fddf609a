import Arguments
import Foundation
import Testing

private let bash = "/bin/bash"

@Suite struct CompletionTests {
  let program = ExampleProgram.program

  @Test("every script names every flag that is not hidden", arguments: Shell.allCases)
  func names(shell: Shell) {
    let script = program.completion(for: shell)
    for flag in ExampleProgram.flags {
      // fish declares a long flag without its dashes.
      let spelling = shell == .fish ? " -l \(flag.form.name) " : flag.form.spelling
      #expect(script.contains(spelling) == !flag.form.isHidden, "\(flag.form.name)")
    }
    #expect(script.contains("check"))
  }

  @Test("quotes in a help text do not end the shell's", arguments: Shell.allCases)
  func quotes(shell: Shell) {
    let expected =
      switch shell {
      case .bash: "--no-redact"
      case .zsh: "'*--no-redact[Show what'\\''s secret\\: 100% \\[raw\\].]'"
      case .fish: "-l no-redact -d 'Show what\\'s secret: 100% [raw].'"
      }
    #expect(program.completion(for: shell).contains(expected))
  }

  @Test(
    "bash offers what fits",
    .enabled(if: access(bash, X_OK) == 0),
    arguments: [
      (["example", "--co"], "--color"),
      (["example", "--color", "a"], "auto always"),
      (["example", "--color", "=", "n"], "never"),
      (["example", "--color", "="], "auto always never"),
      (["example", "-o", ""], "text json ndjson"),
      (["example", "-o", "nd"], "ndjson"),
      (["example", "che"], "check"),
      (["example", "check", "--"], "--help --quiet --verbose"),
      (["example", "check", "--color", ""], "tcp/loss ws/drop"),
      (["example", "check", "t"], "tcp/loss"),
      (["example", "x", "--k"], "--keylog"),
      (["example", "--inter"], ""),
    ])
  func bashOffers(words: [String], expected: String) throws {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      program.completion(for: .bash)
      + "cd /nonexistent 2>/dev/null; COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _example; "
      + "printf '%s\\n' \"${COMPREPLY[*]}\"\n"
    #expect(try output(ofBash: script) == expected + "\n")
  }

  /// Runs the script in a clean bash and returns what it prints, its complaints included.
  private func output(ofBash script: String) throws -> String {
    let command =
      "\(bash) --norc -c '" + script.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "' 2>&1"
    let pipe = try #require(popen(command, "r"))
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
