import Citation
import Events

/// The metrics of a capture. It is a closed interval, and what is in it is in no other: all of them are deltas.
struct OTLPMetrics {
  private static let delta = 1

  let interval: ClosedRange<Timestamp>

  /// Nil where no packet gives a time.
  init?(_ capture: CaptureRecord) {
    guard let first = capture.firstTime, let last = capture.lastTime else { return nil }
    interval = first...max(first, last)
  }

  /// Each metric has one point: the object as it stands in a list of metrics.
  func forEach<Failure>(
    _ summary: Summary, _ body: ((inout JSONWriter) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    for endpoint in summary.endpoints.prefix(JSONWriter.endpointLimit) {
      for figures in endpoint.figures {
        for (measure, direction, values) in figures.all {
          try body { $0.object { histogram(measure, direction, values, endpoint.name, figures.kind, &$0) } }
        }
      }
    }
    for (name, unit, count) in [
      ("streamscope.packets", "{packet}", summary.capture.packets),
      ("streamscope.connections", "{connection}", summary.connections),
      ("streamscope.exchanges", "{exchange}", summary.exchanges),
      ("streamscope.event_streams", "{stream}", summary.eventStreams),
      ("streamscope.websockets", "{websocket}", summary.webSockets), ("streamscope.lint", "{finding}", summary.lint),
    ] {
      try body { $0.object { sum(name, unit, [(nil, count)], &$0) } }
    }
    let diagnoses = Severity.allCases.map { (Optional($0), summary.findings[$0, default: 0]) }
    try body { $0.object { sum("streamscope.diagnoses", "{finding}", diagnoses, &$0) } }
  }

  private func sum(_ name: String, _ unit: String, _ points: [(Severity?, UInt64)], _ json: inout JSONWriter) {
    json.field("name", name)
    json.field("unit", unit)
    json.object("sum") { json in
      json.field("aggregationTemporality", Self.delta)
      json.field("isMonotonic", true)
      json.array("dataPoints") { list in
        for (severity, count) in points {
          list.object { point in
            times(&point)
            point.field("asInt", String(Int64(clamping: count)))
            if let severity {
              point.array("attributes") { $0.attribute("streamscope.finding.severity", severity.name) }
            }
          }
        }
      }
    }
  }

  /// The buckets are of whole nanoseconds, and would not be buckets of seconds: so the unit is ns.
  private func histogram(
    _ measure: String, _ direction: Direction?, _ values: ExponentialHistogram, _ place: EndpointName,
    _ kind: ExchangeKind, _ json: inout JSONWriter
  ) {
    let (name, unit) = Self.name(measure)
    json.field("name", name)
    json.field("unit", unit)
    json.object("exponentialHistogram") { json in
      json.field("aggregationTemporality", Self.delta)
      json.array("dataPoints") { list in
        list.object { point in
          times(&point)
          point.array("attributes") { list in
            list.attribute("http.request.method", place.method)
            list.attribute("url.template", place.path)
            if !place.host.isEmpty { list.attribute("server.address", FindingName.withoutPort(place.host)) }
            list.attribute("streamscope.host", place.host.isEmpty ? nil : place.host)
            list.attribute("streamscope.kind", kind.rawValue)
            list.attribute("streamscope.direction", direction?.name)
          }
          point.field("count", String(values.count))
          point.field("sum", values.sum)
          point.field("scale", ExponentialHistogram.scale)
          point.field("zeroCount", String(values.zeroCount))
          point.object("positive") { positive in
            positive.field("offset", values.offset)
            positive.array("bucketCounts") { list in for count in values.counts { list.value(String(count)) } }
          }
          point.field("min", values.minimum)
          point.field("max", values.maximum)
        }
      }
    }
  }

  private func times(_ point: inout JSONWriter) {
    point.nanoseconds("startTimeUnixNano", interval.lowerBound)
    point.nanoseconds("timeUnixNano", interval.upperBound)
  }

  private static func name(_ measure: String) -> (name: String, unit: String) {
    switch measure {
    case "waitNs": ("streamscope.exchange.wait", "ns")
    case "firstBodyNs": ("streamscope.exchange.first_body", "ns")
    case "totalNs": ("streamscope.exchange.duration", "ns")
    case "gapNs": ("streamscope.stream.gap", "ns")
    case "pingNs": ("streamscope.websocket.ping", "ns")
    case "messageBytes": ("streamscope.websocket.message.size", "By")
    default: ("streamscope.\(measure)", "1")
    }
  }
}
