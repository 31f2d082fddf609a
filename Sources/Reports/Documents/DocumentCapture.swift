import Events
import HTTPSemantics

/// The capture that a document is about, and what its findings refer to.
struct DocumentCapture {
  let node: DocumentNode
  /// As named on the command line; of a series the first and the last file.
  let path: String
  let findings: [DocumentFinding]
  private let connections: [Int64: DocumentNode]

  init(_ document: DocumentNode) {
    node = document
    path = document["capture"]?.text("file") ?? ""
    findings = document.elements("findings").map(DocumentFinding.init)
    var connections: [Int64: DocumentNode] = [:]
    for connection in document.elements("connections") {
      if let id = connection.integer("id"), connections[id] == nil { connections[id] = connection }
    }
    self.connections = connections
  }

  /// The last part of the path, safe to show.
  var base: String { FileName(path: path).base }
  var isStandardInput: Bool { path == "-" }
  var isSeries: Bool { path.contains(FileName.series) }

  func connection(of finding: DocumentFinding) -> DocumentNode? { finding.connection.flatMap { connections[$0] } }

  /// The endpoint of the exchange of a finding.
  func endpoint(of finding: DocumentFinding) -> (method: String, path: String)? {
    guard let number = finding.exchange, let connection = connection(of: finding),
      let exchange = connection.elements("exchanges").first(where: { $0.integer("id") == number }),
      let request = exchange["request"], let method = request.text("method")
    else { return nil }
    return (EscapedText.text(method), EscapedText.text(PathTemplate.of(request.text("target") ?? "")))
  }

  /// A figure of the capture, or of the summary; what is negative or missing is 0.
  func figure(_ group: String, _ key: String) -> UInt64 { UInt64(clamping: node[group]?.integer(key) ?? 0) }

  /// No packets or bytes are missing, as far as the capture shows.
  var isWhole: Bool { problems.isEmpty }

  /// What is missing from the capture, in sentences.
  var problems: [String] {
    let capture = node["capture"]
    var problems = capture?.elements("problems").compactMap(\.text).map { EscapedText.text($0) } ?? []
    if let complete = capture?["complete"]?.flag, !complete, problems.isEmpty {
      problems.append("the capture was not read to the end")
    }
    let dropped = figure("capture", "dropped")
    if dropped > 0 { problems.append("\(Wording.count(dropped, "packet")) dropped while capturing") }
    let cut = figure("capture", "snaplenCut")
    if cut > 0 { problems.append("\(Wording.count(cut, "packet")) cut by the snapshot length") }
    for limit in capture?.elements("limits") ?? [] {
      if let text = limit.text { problems.append("a limit was reached: \(EscapedText.text(text))") }
    }
    for (key, what) in [
      ("connectionsCut", "connection"), ("exchangesCut", "exchange"), ("findingsCut", "finding"),
    ] {
      let left = UInt64(clamping: node.integer(key) ?? 0)
      if left > 0 { problems.append("\(Wording.count(left, what)) left out of the document") }
    }
    return problems
  }
}
