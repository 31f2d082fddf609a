import Arguments
import Assets
import Reports

/// `streamscope schema NAME`: the JSON Schema of a document.
enum SchemaCommand {
  static let command = Command<PlainOptions>(
    "schema", summary: "print the JSON Schemas of the documents", synopsis: ["[NAME]"],
    details: ["Prints the JSON Schema (2020-12) of a document; without NAME, the list of schemas."],
    flags: [.help],
    examples: [Example("streamscope schema result >result.schema.json", "For a validator or an editor.")])

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = PlainOptions()
    guard let operands = try command.operands(arguments, into: &options, console) else { return .success }
    guard operands.count <= 1 else { throw Stop("schema takes one name at most; see 'streamscope schema --help'") }
    guard let name = operands.first else {
      try console.output.print(listing)
      return .success
    }
    guard let schema = DocumentSchema(name) else {
      let names = DocumentSchema.all.map(\.name)
      let near = nearestWord(to: name, among: names + DocumentSchema.all.map(\.form)).map { "; did you mean \($0)?" }
      throw Stop("no schema '\(EscapedText.text(name))'\(near ?? "; choose from \(names.joined(separator: ", "))")")
    }
    try console.output.print(schema.text)
    return .success
  }

  private static var listing: String {
    let width = DocumentSchema.all.map(\.name.count).max() ?? 0
    let lines = DocumentSchema.all.map { schema in
      let gap = String(repeating: " ", count: width - schema.name.count + 3)
      return "\(schema.name)\(gap)\(schema.form): \(schema.summary)\n"
    }
    return lines.joined()
  }
}
