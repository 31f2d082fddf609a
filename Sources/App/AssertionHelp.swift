import Arguments
import Engine
import Queries

/// The help on --assert: the language, and all series.
enum AssertionHelp {
  static let sections = [
    Program.Section(
      "Assertions of --assert",
      [
        .init(
          "FIGURE OP VALUE", "OP is == != < <= > >=. Compare a duration with a duration, and a size with a size."),
        .init(
          "count(SERIES)", "How many. Over several captures also min and max: min(streams) >= 1."),
        .init("min max mean sum", "Over the values of a series: max(http.wait) < 1s."),
        .init("p50 p95 p99 p99.9", "Percentiles, of any number: that many per cent of the values are not larger."),
        .init("rate(SERIES)", "How many per second, over the whole capture."),
        .init(
          "where CONDITION",
          "After the name of the series: only what matches, in the language of --where: "
            + #"max(http.wait where path like "/v1/*") < 1s."#),
        .init("capture.NAME", "A single figure, without a function: capture.missing == 0."),
        .init(
          "inconclusive",
          "Too few samples. A percentile needs enough to differ from the maximum (p99 100, p99.9 1000); min, max and mean "
            + "need one, count and sum none. An inconclusive assertion does not fail."),
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
