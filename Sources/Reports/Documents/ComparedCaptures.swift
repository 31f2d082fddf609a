import Events

extension DocumentNode {
  /// A comparison as two documents of a run, for the formats that are lists of findings: for each capture the findings
  /// that are worse in it, with their exchanges.
  var comparedCaptures: [DocumentNode] {
    ["a", "b"].map { key in
      let findings = elements("findings").filter { ($0.text("capture") ?? "b") == key }
      return .object([
        Field("side", .string(key.uppercased())), Field("tool", self["tool"] ?? .null),
        Field("redaction", self["redaction"] ?? .null),
        Field("capture", self[key]?["capture"] ?? .null), Field("summary", self[key]?["summary"] ?? .null),
        Field("connections", .array(connections(key, citedBy: findings))), Field("findings", .array(findings)),
      ])
    }
  }

  /// Only their requests.
  private func connections(_ key: String, citedBy findings: [DocumentNode]) -> [DocumentNode] {
    let cited = Set(findings.compactMap { $0.integer("connection") })
    var exchanges: [Int64: [DocumentNode]] = [:]
    for pair in elements("pairs") {
      guard let leg = pair[key], let connection = leg.integer("connection"), cited.contains(connection) else {
        continue
      }
      exchanges[connection, default: []].append(
        .object([
          Field("id", leg["exchange"] ?? .null),
          Field(
            "request",
            .object([Field("method", pair["method"] ?? .null), Field("target", pair["target"] ?? .null)])),
        ]))
    }
    return exchanges.keys.sorted().map { id in
      .object([Field("id", .integer(id)), Field("exchanges", .array(exchanges[id] ?? []))])
    }
  }
}
