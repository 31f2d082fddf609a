import Events

extension JSONWriter {
  /// Nothing without assertions.
  mutating func assertions(_ results: [AssertionResult]) {
    guard !results.isEmpty else { return }
    array("assertions") { list in
      for result in results { list.object { $0.assertion(result) } }
    }
  }

  private mutating func assertion(_ result: AssertionResult) {
    field("assertion", result.text)
    field("verdict", result.verdict.rawValue)
    field("unit", result.limit.unit.rawValue)
    if let observed = result.observed { field("observed", decimal: observed.value, scale: observed.scale) }
    field("relation", result.relation)
    field("limit", decimal: result.limit.value, scale: result.limit.scale)
    field("samples", result.samples)
    if let worst = result.worst {
      object("worst") { json in
        json.field("packet", worst.packet)
        json.field("connection", worst.connection)
        json.field("exchange", worst.exchange)
      }
    }
    field("facts", result.facts)
    if !result.notes.isEmpty {
      array("notes") { list in for note in result.notes { list.value(note) } }
    }
  }
}
