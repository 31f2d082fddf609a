import Arguments
import Testing

struct Line: CustomTestStringConvertible, Sendable {
  var arguments: [String]
  var operands: [String] = []
  var expected: @Sendable (inout ExampleOptions) -> Void = { _ in }

  var testDescription: String { arguments.joined(separator: " ") }

  init(_ arguments: [String], _ operands: [String] = [], _ expected: @escaping @Sendable (inout ExampleOptions) -> Void)
  {
    self.arguments = arguments
    self.operands = operands
    self.expected = expected
  }
}

struct Mistake: CustomTestStringConvertible, Sendable {
  var arguments: [String]
  var message: String
  var hint: String?

  var testDescription: String { arguments.joined(separator: " ") }

  init(_ arguments: [String], _ message: String, _ hint: String? = nil) {
    self.arguments = arguments
    self.message = message
    self.hint = hint
  }
}

@Suite struct ParsingTests {
  @Test(
    "flags are read in every way they can be written",
    arguments: [
      Line(["a", "b"], ["a", "b"]) { _ in },
      Line(["-q"]) { $0.isQuiet = true },
      Line(["-vqv"]) {
        $0.isQuiet = true
        $0.verbosity = 2
      },
      Line(["-vj4"]) {
        $0.verbosity = 1
        $0.jobs = 4
      },
      Line(["-j", "4"]) { $0.jobs = 4 },
      Line(["-j=4"]) { $0.jobs = 4 },
      Line(["--jobs=4"]) { $0.jobs = 4 },
      Line(["--jobs", "4", "a"], ["a"]) { $0.jobs = 4 },
      Line(["-j4", "-j5"]) { $0.jobs = 5 },
      Line(["-ojson=a=b", "--output=text=c=d"]) { $0.outputs = ["json=a=b", "text=c=d"] },
      Line(["--output="]) { $0.outputs = [""] },
      Line(["--output=--quiet"]) { $0.outputs = ["--quiet"] },
      Line(["-o", "-"]) { $0.outputs = ["-"] },
      Line(["-o", "-q"]) { $0.outputs = ["-q"] },
      Line(["a", "-q", "b", "-v", "-"], ["a", "b", "-"]) {
        $0.isQuiet = true
        $0.verbosity = 1
      },
      Line(["-q", "--", "-v", "--", "a"], ["-v", "--", "a"]) { $0.isQuiet = true },
      Line(["--no-redact"]) { $0.redacts = false },
      Line(["-I"]) { $0.verbosity = 99 },
      Line(["--color", "never"]) { $0.color = "never" },
      Line([""], [""]) { _ in },
      Line(["-h", "--nonsense"]) { $0.help = .short },
      Line(["-vh", "--nonsense"]) {
        $0.verbosity = 1
        $0.help = .short
      },
      Line(["a", "--help", "b"], ["a"]) { $0.help = .full },
    ])
  func reads(line: Line) throws {
    var options = ExampleOptions()
    var expected = ExampleOptions()
    line.expected(&expected)
    #expect(try ExampleProgram.flags.parse(line.arguments, into: &options) == line.operands)
    #expect(options == expected)
  }

  @Test(
    "a mistake is named, with what to type instead",
    arguments: [
      Mistake(["--jbos"], "unknown option --jbos", "did you mean --jobs?"),
      Mistake(["--out=json"], "unknown option --out", "did you mean --output?"),
      Mistake(["--jobss=1"], "unknown option --jobss", "did you mean --jobs?"),
      Mistake(["--redact"], "unknown option --redact"),
      Mistake(["--no-quiet"], "unknown option --no-quiet"),
      Mistake(["--internl"], "unknown option --internl"),
      Mistake(["--x"], "unknown option --x"),
      Mistake(["-x"], "unknown option -x"),
      Mistake(["-Q"], "unknown option -Q", "did you mean -q, --quiet?"),
      Mistake(["-color=never"], "unknown option -c in -color=never", "did you mean --color?"),
      Mistake(["-é"], "unknown option -é"),
      Mistake(["--jobs"], "--jobs needs a value: --jobs N"),
      Mistake(["-vj"], "-j needs a value: -j N"),
      Mistake(["-j", "--"], "-j needs a value: -j N"),
      Mistake(["-o", "--quiet"], "-o needs a value: -o FORMAT[=FILE]", "if '--quiet' is the value: --output=--quiet"),
      Mistake(["--quiet=3"], "--quiet takes no value"),
      Mistake(["--quiet="], "--quiet takes no value"),
      Mistake(["-q=3"], "-q takes no value"),
      Mistake(["-j0"], "--jobs needs a positive number, not '0'"),
      Mistake(["--color", "alway"], "--color takes auto, always or never, not 'alway'", "did you mean always?"),
      Mistake(["--color=red"], "--color takes auto, always or never, not 'red'"),
    ])
  func names(mistake: Mistake) {
    var options = ExampleOptions()
    #expect(throws: UsageError(mistake.message, hint: mistake.hint)) {
      try ExampleProgram.flags.parse(mistake.arguments, into: &options)
    }
  }

  @Test("no abbreviation is accepted", arguments: ExampleProgram.flags.map(\.form.name))
  func abbreviations(name: String) {
    for length in 0..<name.count where length > 0 {
      var options = ExampleOptions()
      #expect(throws: UsageError.self) {
        try ExampleProgram.flags.parse(["--\(name.prefix(length))", "x"], into: &options)
      }
    }
  }

  @Test("an error cannot carry a terminal's control sequences")
  func errorsAreHarmless() {
    var options = ExampleOptions()
    let error = #expect(throws: UsageError.self) {
      try ExampleProgram.flags.parse(["--\u{1B}[2Ja\u{202E}b\n"], into: &options)
    }
    #expect(error?.text(program: "example") == "example: unknown option --\\u{1B}[2Ja\\u{202E}b\\u{A}\n")
    #expect(UsageError("a", hint: "b").text(program: "example") == "example: a\n  b\n")
  }

  @Test(
    "the nearest word is at most two edits away or completes what was typed",
    arguments: [
      ("chekc", "check"), ("che", "check"), ("c", "check"), ("compare", "compare"), ("comparision", "compare"),
      ("live1", "live"), ("evil", nil), ("", nil), ("xx", nil), ("liv", "live"), ("lvie", "live"),
      (String(repeating: "a", count: 1_000_000), nil),
    ] as [(String, String?)])
  func nearest(typed: String, expected: String?) {
    let found = nearestWord(to: typed, among: ["check", "compare", "live"])
    #expect(found == (typed == "comparision" ? nil : expected))
  }

  @Test("only the first argument names a command")
  func selects() {
    let program = ExampleProgram.program
    let selected = { (arguments: [String]) in
      let (command, rest) = program.select(arguments)
      return [command.name] + rest
    }
    let (check, report) = (ExampleProgram.check.form.name, ExampleProgram.report.form.name)
    #expect(selected(["check", "a"]) == [check, "a"])
    #expect(selected(["a", "check"]) == [report, "a", "check"])
    #expect(selected(["./check"]) == [report, "./check"])
    #expect(selected([]) == [report])
    #expect(program.nearestCommand(to: "chekc") == "check")
  }

  @Test("a table with clashes is reported as such")
  func defects() {
    #expect(ExampleProgram.program.defects.isEmpty)
    let flags: [Flag<ExampleOptions>] = [
      Flag("a", "x", help: "One.") { _ in }, Flag("a", "x", help: "") { _ in }, Flag("B c", help: "Two.") { _ in },
    ]
    let form = Command("bad", summary: "", synopsis: [], flags: flags).form
    let program = Program("bad", summary: "", defaultCommand: form, commands: [form])
    #expect(program.defects.count == 2 * 6 + 1)
  }
}
