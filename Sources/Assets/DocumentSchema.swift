/// The JSON Schema of a form of document, as the program prints it: whole, with nothing to fetch.
package struct DocumentSchema: Sendable {
  package let name: String
  /// As documents name their form.
  package let form: String
  package let summary: String
  private let source: @Sendable () -> [UInt8]

  package static let all = [
    DocumentSchema(
      name: "result", form: "streamscope.result/1", summary: "a document that -o json writes, or an array of them",
      source: { PackageResources.result_schema_json }),
    DocumentSchema(
      name: "event", form: "streamscope.event/1", summary: "a line that -o ndjson writes",
      source: { PackageResources.event_schema_json }),
    DocumentSchema(
      name: "compare", form: "streamscope.compare/1", summary: "a document that compare -o json writes",
      source: { PackageResources.compare_schema_json }),
  ]

  package init?(_ name: String) {
    guard let schema = Self.all.first(where: { $0.name == name || $0.form == name }) else { return nil }
    self = schema
  }

  private init(name: String, form: String, summary: String, source: @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.form = form
    self.summary = summary
    self.source = source
  }

  /// A form that is made of another has a definition of that name, empty in its file; here the other stands in it, so that
  /// each definition is written once.
  package var text: String {
    var text = String(decoding: source(), as: UTF8.self)
    for other in Self.all where other.name != name {
      let place = "\n    \"\(other.name)\": {}"
      guard let range = text.firstRange(of: place) else { continue }
      let lines = other.text.split(separator: "\n").joined(separator: "\n    ")
      text.replaceSubrange(range, with: "\n    \"\(other.name)\": \(lines)")
    }
    return text
  }
}
