import Arguments
import Testing

@Suite struct HelpTests {
  let program = ExampleProgram.program

  @Test("the short help is the common flags with their first sentence")
  func short() {
    #expect(
      Help(program).text(of: program.defaultCommand, .short) == """
        example: what a capture says

        Usage:
          example FILE…

        Commands:
          check  the verdict for CI

        Options:
          -h, --help                  Show help; -h only for the common options.
          -q, --quiet                 Print nothing but errors.
          -o, --output FORMAT[=FILE]  Write a report in this format to FILE, or to stan…

        example --help lists all 8 options.

        """)
  }

  @Test("the full help has every flag under its heading")
  func full() {
    #expect(
      Help(program).text(of: program.defaultCommand, .full) == """
        example: what a capture says

        Reads captures and says what hurt.

        Usage:
          example FILE…

        Commands:
          check  the verdict for CI

        Options:
          -h, --help         Show help; -h only for the common options.
          -q, --quiet        Print nothing but errors.
          -v, --verbose      Say more. Twice says even more.
              --keylog FILE  Decrypt with the secrets in FILE.

        Resources:
          -j, --jobs N  Work on N cores.

        Output:
          -o, --output FORMAT[=FILE]  Write a report in this format to FILE, or to
                                      standard output. May be given more than once.
              --color WHEN            Color text. One of auto, always, never.
              --no-redact             Show what's secret: 100% [raw].

        Exit status:
          0  Nothing was found.
          2  The command line was wrong, or \\ so.

        Examples:
          example a.pcap
              Reports on one capture.

        """)
  }

  @Test("a command's help is its own")
  func command() {
    #expect(
      Help(program).text(of: ExampleProgram.check.form, .short) == """
        example check: the verdict for CI

        Usage:
          example check FILE…
          example check --all

        Options:
          -h, --help   Show help; -h only for the common options.
          -q, --quiet  Print nothing but errors.

        example check --help lists all 3 options.

        """)
  }

  @Test("no line is wider than asked, and every flag that is not hidden is named", arguments: 40...120)
  func widths(width: Int) {
    for detail in [HelpDetail.short, .full] {
      let text = Help(program, width: width).text(of: program.defaultCommand, detail)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
      #expect(!text.contains("--internal"))
    }
    let full = Help(program, width: width).text(of: program.defaultCommand, .full)
    for flag in ExampleProgram.flags where !flag.form.isHidden { #expect(full.contains(flag.form.spelling)) }
  }

  @Test("a label that is too long stands on a line of its own")
  func longLabel() {
    let flags: [Flag<ExampleOptions>] = [
      Flag("quiet", help: "Hush.") { _ in },
      Flag("a-name-that-is-rather-long", "n", "VALUE", help: "Short.") { (_, _) in },
    ]
    let form = Command("long", summary: "s", synopsis: [""], flags: flags).form
    let text = Help(Program("long", summary: "s", defaultCommand: form, commands: [])).text(of: form, .full)
    #expect(text.contains("      --quiet  Hush.\n  -n, --a-name-that-is-rather-long VALUE\n               Short.\n"))
  }
}
