import Arguments
import Events
import Reports

/// `streamscope convert RESULT.json`: a saved document in another format.
enum ConvertCommand {
  struct Options: CommandOptions {
    var common = CommonOptions()
    var outputs: [OutputRequest] = []
    var sarifProfile = SARIFProfile.default
  }

  static let command = Command<Options>(
    "convert", summary: "write a saved document in another format", synopsis: ["-o FORMAT[=FILE]... RESULT.json..."],
    details: [
      """
      Reads documents written by -o json ('-' is standard input) and writes them in another format, as the original run \
      would have. It reports what the format would show but the documents do not hold.
      """
    ],
    flags: [
      Flag(
        "output", "o", "FORMAT[=FILE]", help: "Write a format, to a file or to standard output. May be repeated.",
        values: .anything
      ) { (options, text) throws(UsageError) in options.outputs.append(try request(text)) },
      .sarifProfile { $0.sarifProfile = $1 },
      .help,
    ],
    examples: [Example("streamscope convert -o html=report.html result.json", "A report from a saved document.")])

  private static func request(_ text: String) throws(UsageError) -> OutputRequest {
    let request = try OutputRequest(text)
    guard case .converted = request.format else {
      let all = DocumentFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("a document cannot be converted to \(text), only to \(all)")
    }
    return request
  }

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = Options()
    let files = try command.operands(arguments, into: &options, console) { (options, _) throws(UsageError) in
      try OutputRequest.check(options.outputs)
    }
    guard let files else { return .success }
    guard !files.isEmpty else { throw Stop("convert needs a document; see 'streamscope convert --help'") }
    guard !options.outputs.isEmpty else { throw Stop("convert needs -o FORMAT; see 'streamscope convert --help'") }
    var documents: [DocumentNode] = []
    for file in files { documents += try read(file) }
    try check(documents, options.outputs)
    for request in options.outputs { try write(documents, request, options.sarifProfile, console) }
    return .success
  }

  private static func write(
    _ documents: [DocumentNode], _ request: OutputRequest, _ profile: SARIFProfile, _ console: Console
  ) throws(Stop) {
    guard case .converted(let format) = request.format else { return }
    var missing: [String] = []
    for words in documents.flatMap(format.missing) where !missing.contains(words) { missing.append(words) }
    do throws(ReportError) {
      for words in missing { try console.errors.write(EscapedText.lines("streamscope: \(words)\n")) }
      try console.errors.flush()
      var output = try request.file.map { (file) throws(ReportError) in try OutputFile.file(file) } ?? console.output
      try format.write(documents, App.conversion(profile), to: &output)
      try output.commit()
      try JobSummary.append(documents, request, console)
    } catch {
      throw Stop(error)
    }
  }

  /// Comparisons are converted separately, and to fewer formats.
  private static func check(_ documents: [DocumentNode], _ outputs: [OutputRequest]) throws(Stop) {
    guard documents.contains(where: \.isComparison) else { return }
    guard documents.allSatisfy(\.isComparison) else {
      throw Stop("comparisons and results cannot be converted together")
    }
    for output in outputs { try OutputRequest.checkComparison(output) }
  }

  /// The documents of a file: one, or an array of them.
  private static func read(_ file: String) throws(Stop) -> [DocumentNode] {
    let bytes: [UInt8]
    do throws(ReportError) { bytes = try InputFile.contents(file) } catch { throw Stop(error) }
    let root: DocumentNode
    do throws(DocumentParser.Malformed) {
      root = try DocumentParser.parse(bytes)
    } catch {
      throw Stop("\(file) is not a JSON document: \(error.what), at byte \(error.offset)")
    }
    let documents = root.fields.isEmpty ? root.elements : [root]
    guard !documents.isEmpty else { throw Stop("\(file) holds no document") }
    for document in documents {
      guard let schema = document.text("schema") else {
        throw Stop("\(file) is not a document of this program: it names no schema")
      }
      guard schema == DocumentNode.resultSchema || schema == DocumentNode.comparisonSchema else {
        throw Stop("\(file) has the schema \(schema); this program reads \(DocumentNode.resultSchema)")
      }
    }
    return documents
  }
}
