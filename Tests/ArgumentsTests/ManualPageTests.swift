import Arguments
import Testing

@Suite struct ManualPageTests {
  private let text = ManualPage(ExampleProgram.program, date: "January 2, 2026").text

  @Test("the page has its sections in order")
  func sections() {
    let headings = text.split(separator: "\n").filter { $0.hasPrefix(".Sh") }
    #expect(
      headings == [
        ".Sh NAME", ".Sh SYNOPSIS", ".Sh DESCRIPTION", ".Sh COMMANDS", ".Sh EXIT STATUS", ".Sh EXAMPLES",
      ])
    #expect(text.hasPrefix(".Dd January 2, 2026\n.Dt EXAMPLE 1\n.Os\n"))
  }

  @Test("flags are written so that a dash stays a dash and nothing becomes a request")
  func flags() {
    #expect(text.contains(".It Fl o , Fl \\-output Ar \"FORMAT[=FILE]\"\n"))
    #expect(text.contains(".It Fl \\-no\\-redact\n"))
    #expect(text.contains("The command line was wrong, or \\e so.\n"))
    #expect(text.contains(".It Li \"example check \\-q 'a b.pcap'\"\n"))
    #expect(!text.contains("internal"))
  }

  @Test("every sentence has a line of its own, in ASCII")
  func sentences() {
    #expect(
      text.contains("\nWrite a report in this format to FILE, or to standard output.\nMay be given more than once.\n"))
    #expect(text.contains(".Nm\nFILE\\[u2026]\n"))
    #expect(text.contains("\nThe verdict for CI.\n"))
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("no text begins a line as a request")
  func requests() {
    let form = Command<Int>(".x", summary: ".y", synopsis: ["'z"], details: ["One. .w"], flags: []).form
    let page = ManualPage(Program("p", summary: ".s", defaultCommand: form, commands: []), date: "").text
    #expect(page.contains("\n\\&'z\n") && page.contains("\n\\&.w\n"))
  }
}
