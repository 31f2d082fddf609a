import Arguments
import Events
import Reports
import Rules

/// The rules, for the command line.
enum RuleCatalogue {
  static func has(_ prefix: String) -> Bool { !Registry.matching(prefix).isEmpty }
}

/// `streamscope rules`: one line per rule.
enum RulesCommand {
  struct Options: CommandOptions {
    var common = CommonOptions()
    var isJSON = false
  }

  static let command = Command<Options>(
    "rules", summary: "list rules", synopsis: ["[PREFIX]"],
    details: [
      "Lists all rules, or those whose ids start with PREFIX. The severity shown is that of a diagnosis; a finding without a cost is a note."
    ],
    flags: [
      Flag("json", help: "Write a JSON document, with all texts.") { $0.isJSON = true },
      .help,
    ],
    examples: [Example("streamscope rules tcp/", "The rules about TCP itself.")])

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = Options()
    guard let operands = try command.operands(arguments, into: &options, console) else { return .success }
    guard operands.count <= 1 else { throw Stop("rules takes one prefix at most; see 'streamscope rules --help'") }
    let rules = Registry.matching(operands.first ?? "")
    guard !rules.isEmpty else {
      throw Stop("no rule id starts with '\(EscapedText.text(operands[0]))'; see 'streamscope rules'")
    }
    try console.output.print(options.isJSON ? RuleListing.json(rules) : RuleListing.lines(rules))
    return .success
  }
}

/// `streamscope explain RULE`: everything about one rule.
enum ExplainCommand {
  static let command = Command<PlainOptions>(
    "explain", summary: "what a rule means, and how to fix it", synopsis: ["RULE..."],
    flags: [.help],
    examples: [Example("streamscope explain tcp/connect-refused", "What a refused connection is, and how to fix it.")],
    operands: { Registry.all.map(\.id.text) })

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = PlainOptions()
    guard let operands = try command.operands(arguments, into: &options, console) else { return .success }
    guard !operands.isEmpty else { throw Stop("explain needs the id of a rule; 'streamscope rules' lists them") }
    for (index, operand) in operands.enumerated() {
      guard let info = Registry.info(RuleID(operand)) else {
        let near = nearestWord(to: operand, among: Registry.all.map(\.id.text)).map { "; did you mean \($0)?" }
        throw Stop("no rule '\(EscapedText.text(operand))'\(near ?? "; 'streamscope rules' lists them")")
      }
      try console.output.print((index > 0 ? "\n" : "") + RuleListing.page(info, width: min(console.width ?? 80, 100)))
    }
    return .success
  }
}
