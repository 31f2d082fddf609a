import Assets
import Parquet

/// The tables of a capture. Their columns are the fields of the lines that NDJSON has of the same things; .ci/columns writes
/// them from the schema of lines.
package enum TableKind: String, CaseIterable, Sendable {
  // A capture's own row is written last, and its file put in its place after the others: whoever finds it finds all.
  case connections, exchanges, pieces, findings, histograms, captures

  private static let fields: [String: [ColumnField]] = {
    guard let parsed = try? DocumentParser.parse(Assets.tableColumns) else { return [:] }
    var tables: [String: [ColumnField]] = [:]
    for table in parsed.fields { tables[table.key] = columns(table.value) }
    return tables
  }()

  /// A test holds that every table has columns.
  package var columns: [ColumnField] { Self.fields[rawValue] ?? [] }

  private static func columns(_ node: DocumentNode) -> [ColumnField] {
    node.fields.map { ColumnField($0.key, shape($0.value)) }
  }

  private static func shape(_ node: DocumentNode) -> ColumnShape {
    switch node {
    case .string("integer"): .integer
    case .string("number"): .number
    case .string("boolean"): .boolean
    case .string("time"): .time
    case .object: .group(columns(node))
    case .array(let elements): .list(elements.first.map(shape) ?? .string)
    default: .string
    }
  }
}
