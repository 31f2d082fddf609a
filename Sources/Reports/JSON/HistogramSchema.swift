import Citation
import Events

extension JSONWriter {
  /// The fields of a histogram, all of them always, inside an object that the caller opened. Those of other captures with
  /// the same scale can be added to it, bucket by bucket.
  mutating func histogram(_ values: ExponentialHistogram) {
    field("scale", ExponentialHistogram.scale)
    field("zeroCount", values.zeroCount)
    field("offset", values.offset)
    key("counts")
    line(values.counts.map(Int64.init))
    field("count", values.count)
    field("sum", values.sum)
    field("min", values.minimum ?? 0)
    field("max", values.maximum ?? 0)
  }

  /// What was measured at an endpoint.
  mutating func histograms(_ endpoint: EndpointRecord) {
    array("histograms") { list in
      for figures in endpoint.figures {
        for (measure, direction, values) in figures.all {
          list.row { json in
            json.field("kind", figures.kind.rawValue)
            json.field("measure", measure)
            json.field("direction", direction?.name)
            json.histogram(values)
          }
        }
      }
    }
  }
}

extension Summary {
  /// Those of the endpoints that a document names, each with what it is about.
  func forEachHistogram<Failure>(
    _ body: (EndpointName, ExchangeKind, String, Direction?, ExponentialHistogram) throws(Failure) -> Void
  ) throws(Failure) {
    for endpoint in endpoints.prefix(JSONWriter.endpointLimit) {
      for figures in endpoint.figures {
        for (measure, direction, values) in figures.all {
          try body(endpoint.name, figures.kind, measure, direction, values)
        }
      }
    }
  }
}
