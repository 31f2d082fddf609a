import Arguments
import Engine

/// What the full help says of --assert: the language, and all that it can be about.
enum AssertionHelp {
  static let sections = [
    Program.Section(
      "Assertions of --assert",
      [
        .init(
          "FIGURE OP VALUE", "OP is == != < <= > >=; a figure of times is compared with a time, of sizes with a size."),
        .init(
          "count(SERIES)", "How many; of what belongs to a capture also min and max, over captures: min(streams) >= 1."),
        .init("min max mean sum", "Of the values of a series: max(http.wait) < 1s."),
        .init("p50 p95 p99 p99.9", "The value that so many of a hundred do not exceed; any percentile."),
        .init("rate(SERIES)", "How many a second, over the whole capture."),
        .init(
          "where CONDITION",
          "Behind the name of the series: only things of which it is true, as of --where: "
            + #"max(http.wait where path like "/v1/*") < 1s."#),
        .init("capture.NAME", "Stands alone: capture.missing == 0."),
        .init(
          "inconclusive",
          "Too little to say: percentiles need as many samples as tell them from the largest, p99 100 and p99.9 1000; min, "
            + "max and mean need one; count and sum need none. It does not fail."),
      ]),
    series("Series of exchanges, with the fields of connections and exchanges", .exchange),
    series("Series of what streams carry, with the same fields", .piece),
    series("Series of connections, with the fields of connections", .connection),
    series("Findings, with the fields of findings", .finding),
    series("Figures of the capture", .capture),
  ]

  private static func series(_ title: String, _ subject: AssertionSeries.Subject) -> Program.Section {
    Program.Section(
      title,
      AssertionSeries.allCases.filter { $0.subject == subject }.map { series in
        let own = series.ownFields.map { "\($0.name) \($0.meaning)" }.joined(separator: " ")
        return .init(series.name, "\(series.kindName): \(series.meaning)" + (own.isEmpty ? "" : " Fields: \(own)"))
      })
  }
}

extension AssertionSeries {
  fileprivate var kindName: String {
    switch values {
    case .counted: "counted"
    case .many(.duration), .one(.duration): "duration"
    case .many(.size), .one(.size): "size"
    default: "number"
    }
  }
}
