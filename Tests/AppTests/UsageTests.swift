import Arguments
import Foundation
import Rules
import Testing

@testable import App

@Suite("The command line")
struct UsageTests {
  @Test("The program's table has no defects.")
  func defects() { #expect(CommandLine.program.defects == []) }

  @Test(
    "Help goes to standard output and ends well.",
    arguments: [
      ["--help"], ["-h"], ["rules", "--help"], ["explain", "--help"], ["--help", "nosuch.pcap"],
    ])
  func help(_ arguments: [String]) async {
    let run = await ProgramRun(arguments)
    #expect(run.code == .success)
    #expect(run.errors == "")
    #expect(run.output.lowercased().contains("usage"))
    #expect(run.output.contains("streamscope"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test("The version names the libraries built in.")
  func version() async {
    let run = await ProgramRun("--version")
    #expect(run.code == .success)
    #expect(run.output == "streamscope \(App.version) (\(App.features.joined(separator: ", ")))\n")
    #expect(run.output.contains("libpcap"))
  }

  @Test(
    "Wrong usage is one line on standard error, and exit code 2.",
    arguments: [
      ([], "no capture given"), (["--nosuch"], "--nosuch"), (["--jobs"], "--jobs"),
      (["--jobs", "0", "x"], "--jobs needs a positive"),
      (["--jobs=x", "x"], "--jobs needs"), (["--memory", "1M", "x"], "--memory needs"),
      (["--memory", "99999999999999G", "x"], "--memory needs"), (["-o", "pdf", "x"], "no format 'pdf'"),
      (["-o", "json=", "x"], "names no file"), (["--json", "-o", "ndjson", "x"], "cannot share standard output"),
      (["--json", "--json", "x"], "cannot share standard output"), (["--fail-on", "bad", "x"], "--fail-on takes"),
      (["--select", "nosuch/", "x"], "no rule id starts with"), (["--ignore", ",", "x"], "--ignore needs"),
      (["--connection", "-1", "x"], "--connection needs"), (["--timeline", "long", "x"], "--timeline takes"),
      (["--time", "local", "x"], "--time takes"), (["-", "-"], "standard input can be read only once"),
      (["--extract", "e.pcapng", "-"], "standard input cannot be"),
      (["--extract", "e", "a", "b"], "takes one capture"),
      (["rules", "a", "b"], "one prefix"), (["rules", "zzz"], "no rule id starts with"), (["explain"], "needs the id"),
      (["explain", "tcp/conect-refused"], "did you mean tcp/connect-refused?"), (["explain", "x"], "no rule 'x'"),
      (["schema", "a", "b"], "one name"), (["schema", "evnt"], "did you mean event?"),
      (["schema", "streamscope.result/2"], "did you mean streamscope.result/1?"),
      (["schema", "zzz"], "choose from result"),
    ] as [([String], String)])
  func wrong(arguments: [String], says: String) async {
    let run = await ProgramRun(arguments)
    run.expectRefusal(saying: says)
    #expect(run.errors.hasSuffix("\n") && run.errors.count { $0 == "\n" } == 1, "\(run.errors)")
  }

  @Test("An unreadable file is one line that names it and what to do.")
  func unreadable() async throws {
    let scratch = try Scratch()
    let missing = await ProgramRun(scratch.file("nosuch.pcap"))
    #expect(missing.code == .failure)
    #expect(missing.errors.hasPrefix("streamscope: \(scratch.path)/nosuch.pcap: cannot be opened"))
    #expect(missing.errors.count { $0 == "\n" } == 1)
    let page = await ProgramRun(try scratch.write("<html>no capture</html>", "page.pcap"))
    page.expectRefusal(saying: "page.pcap: ")
    let folder = try Scratch()
    try folder.write("what to look for", "notes.txt")
    await ProgramRun(folder.path).expectRefusal(saying: "no captures in \(folder.path)")
  }

  @Test("Of several files, one that cannot be read is named, and the others are reported.")
  func severalUnreadable() async throws {
    let scratch = try Scratch()
    let good = try scratch.capture("> SYN\n< SYN ACK\n> ACK\n> FIN\n< FIN\n> ACK\n", "good.pcap")
    for files in [[scratch.file("nosuch.pcap"), good], [good, scratch.file("nosuch.pcap")]] {
      let run = await ProgramRun(files)
      #expect(run.code == .failure)
      #expect(run.errors.contains("nosuch.pcap: cannot be opened"))
      #expect(run.errors.count { $0 == "\n" } == 1)
      #expect(run.output.contains("good.pcap"))
    }
  }

  @Test("A mistyped command is no file, and the command is named.")
  func mistypedCommand() async {
    let run = await ProgramRun(["chekc", "x.pcap"])
    #expect(run.code == .failure)
    #expect(run.errors == "streamscope: chekc: no such file; did you mean the command check?\n")
    #expect(run.output == "")
    // Behind an option it is a file.
    let file = await ProgramRun(["-q", "chekc"])
    #expect(file.errors.hasPrefix("streamscope: chekc: cannot be opened"))
  }

  @Test("Files that cannot be read are named in their order, also if none can; a list of them is whole.")
  func orderOfUnreadable() async throws {
    let scratch = try Scratch()
    let missing = ["one.pcap", "two.pcap"].map { scratch.file($0) }
    let good = try scratch.capture("> SYN\n< SYN ACK\n> ACK\n> FIN\n< FIN\n> ACK\n", "good.pcap")
    for files in [missing, [missing[0], good, missing[1]]] {
      for command in [[], ["check"]] {
        let run = await ProgramRun(command + ["--json"] + files)
        #expect(run.code == .failure)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.map { $0.hasPrefix("streamscope: \(missing[0]): ") } == [true, false])
        #expect(lines.map { $0.hasPrefix("streamscope: \(missing[1]): ") } == [false, true])
        let documents = try run.document() as? [Any]
        #expect(documents?.count == files.count)
      }
    }
  }

  @Test("help prints what --help prints, and -V what --version prints.")
  func helpCommand() async {
    #expect(await ProgramRun(["help", "check"]).output == ProgramRun(["check", "--help"]).output)
    #expect(await ProgramRun(["help"]).output == ProgramRun(["--help"]).output)
    #expect(await ProgramRun(["-V"]).output == ProgramRun(["--version"]).output)
    await ProgramRun(["help", "chekc"]).expectRefusal(saying: "did you mean check?")
  }

  @Test("Completion offers rules, formats and shells.", arguments: Shell.allCases)
  func completion(_ shell: Shell) {
    let script = CommandLine.program.completion(for: shell)
    for command in ["check", "explain", "completions"] {
      let form = CommandLine.program.command(named: command)
      #expect(form?.operands.isEmpty == (command == "check"))
    }
    #expect(script.contains(" ws/drop-after-ping "))
    #expect(script.contains(" ndjson "))
    #expect(script.contains("bash zsh fish"))
  }

  @Test("The conditions have a page of help and a part of the manual, and the help of a command names the page.")
  func conditions() async {
    let page = await ProgramRun(["help", "conditions"]).output
    let (help, manual) = (await ProgramRun(["--help"]).output, await ProgramRun(["man"]).output)
    for section in CommandLine.program.reference {
      #expect(page.contains("\(section.title):\n"))
      #expect(!help.contains("\(section.title):\n"))
      let heading = section.title.uppercased().replacing("-", with: "\\-")
      #expect(manual.contains(".Sh \(heading)\n"))
    }
    #expect(page.contains("FIELD OP VALUE"))
    #expect(help.contains("help conditions"))
  }

  @Test(
    "What is typed never steers the terminal it is quoted on.",
    arguments: [
      ["\u{1B}[2J.pcap"], ["--jobs", "\u{1B}[2J", "x"], ["--select", "\u{202E}", "x"], ["explain", "\u{9B}1m"],
      ["rules", "\u{1B}]0;x\u{07}"], ["--\u{1B}[31m"], ["-o", "\u{1B}", "x"], ["-o", "json=/nosuch/\u{1B}", "x"],
    ])
  func quoted(_ arguments: [String]) async {
    let run = await ProgramRun(arguments)
    #expect(run.code == .failure)
    for scalar in run.errors.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
    }
  }

  @Test("rules lists every rule in a line; with a prefix, those of it.")
  func rules() async throws {
    let all = await ProgramRun("rules")
    #expect(all.code == .success)
    #expect(all.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == Registry.all.map { $0.id.text[...] })
    let tcp = await ProgramRun("rules", "tcp/")
    #expect(tcp.output.split(separator: "\n").count == Registry.matching("tcp/").count)
    let document = try #require(try await ProgramRun("rules", "--json").document() as? [[String: Any]])
    #expect(document.compactMap { $0["id"] as? String } == Registry.all.map(\.id.text))
    for rule in document {
      for key in ["severity", "confidence", "summary", "explanation", "evidence", "fix", "specifications", "since"] {
        #expect(rule[key] != nil, "\(key)")
      }
    }
  }

  @Test("explain says all there is about a rule.", arguments: Registry.all.map(\.id.text))
  func explain(_ id: String) async throws {
    let run = await ProgramRun("explain", id)
    #expect(run.code == .success)
    #expect(run.output.hasPrefix(id + "   "))
    for title in ["What happens:", "The evidence:", "What to do:"] { #expect(run.output.contains("\n\(title)\n")) }
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("https://") })
    let two = await ProgramRun("explain", id, "tcp/connect-refused")
    #expect(two.output.contains("\n\ntcp/connect-refused   error"))
  }
}
