// The metrics of a document. Their names are stable: dashboards and alerts rely on them.

extension MetricFamily {
  static let all: [MetricFamily] = ofCaptures + ofTraffic + durations

  // MARK: How much there is, and what it lacks

  private static let ofCaptures: [MetricFamily] = [
    sum("capture_packets", "Packets in the capture.") { .one($0["capture"]?.integer("packets")) },
    sum("capture_bytes", in: .bytes, "Size of the capture file.") { .one($0["capture"]?.integer("bytes")) },
    state("capture_duration_seconds", in: .seconds, "From the first packet to the last one.") {
      .one(nanoseconds: $0["capture"]?.integer("durationNs"))
    },
    state("capture_last_packet_timestamp_seconds", in: .seconds, "When the last packet was captured, since 1970.") {
      .one(nanoseconds: $0.lastPacketTime)
    },
    state("capture_incomplete", "1 if the capture was cut short, is damaged or was not read to the end.") {
      .one($0["capture"]?["complete"]?.flag.map { $0 ? 0 : 1 })
    },
    sum("capture_problems", "Problems while reading the capture.") {
      guard case .array(let problems) = $0["capture"]?["problems"] else { return [] }
      return .one(Int64(problems.count))
    },
    sum(
      "capture_packets_dropped", "Packets that the capturing host reports as dropped; absent if it reports nothing."
    ) {
      .one($0["capture"]?.integer("dropped"))
    },
    sum("capture_packets_cut", "Packets cut by the snapshot length.") { $0.unlessZero("snaplenCut") },
    sum("capture_packets_undecoded", "Packets of protocols that are not decoded.") {
      guard let capture = $0["capture"], case .object = capture else { return [] }
      return capture["undecoded"]?.fields.flatMap { [MetricPoint].one($0.value.integer) } ?? .one(0)
    },
    sum("capture_time_reversals", "Packets with a time earlier than the packet before.") {
      $0.unlessZero("timeReversals")
    },
  ]

  // MARK: Traffic and findings

  private static let ofTraffic: [MetricFamily] = [
    sum("connections", "TCP connections.") { .one($0["summary"]?.integer("connections")) },
    sum("connections_hurt", "Connections with at least one diagnosis.") { .one($0["summary"]?.integer("hurt")) },
    sum("connection_ends", "Connections by how they ended and who ended them.") {
      $0.rows("closes", labels: ["kind", "by"])
    },
    sum("exchanges", "HTTP requests, each with its response.") { .one($0["summary"]?.integer("exchanges")) },
    sum("responses", "Exchanges by kind and class of status.") { $0.rows("responses", labels: ["kind", "class"]) },
    sum("event_streams", "Responses that were streams of Server-Sent Events.") {
      .one($0["summary"]?.integer("eventStreams"))
    },
    sum("websockets", "WebSocket connections.") { .one($0["summary"]?.integer("websockets")) },
    sum("stream_resets", "Streams of HTTP/2 that a side reset, by error code.") {
      $0.rows("resets", labels: ["code", "by"])
    },
    sum("grpc_calls", "Calls of gRPC by their status; none: no status was captured.") {
      $0.rows("calls", labels: ["status"])
    },
    sum("diagnoses", "Findings with a cost, by severity.") {
      $0["summary"]?["findings"]?.fields.compactMap { field in
        field.value.integer.map {
          MetricPoint(labels: [MetricLabel(name: "severity", value: field.key)], value: .count(max(0, $0)))
        }
      } ?? []
    },
    sum("lint", "Findings without a cost.") { .one($0["summary"]?.integer("lint")) },
    sum("findings", "Findings by rule, severity and class: diagnosis or lint.") {
      $0.rows("rules", labels: ["rule", "severity", "class"])
    },
    sum("silence_seconds", in: .seconds, "Total silence of streams, by cause.") { document in
      document["metrics"]?.elements("silence").compactMap { row in
        guard let cause = row.text("cause"), let span = row.integer("ns") else { return nil }
        return MetricPoint(labels: [MetricLabel(name: "cause", value: cause)], value: .nanoseconds(max(0, span)))
      } ?? []
    },
  ]

  // MARK: How long it took

  private static let durations: [MetricFamily] = [
    histogram("http_wait", by: "kind", "From the complete request head to the first byte of the response."),
    histogram("http_first_body", by: "kind", "From the complete request head to the first byte of the response body."),
    histogram(
      "http_duration", of: "http_total", by: "kind", "From the first byte of a request to the last of the exchange."),
    histogram("stream_first_item", by: "kind", "From the complete request head to the first event, chunk or line."),
    histogram("stream_gap", by: "kind", "Between the events, chunks or lines of a stream."),
    histogram("llm_first_token", by: "dialect", "From the complete request head to an answer's first content."),
    histogram("llm_gap", by: "dialect", "Between the deltas of an answer."),
    histogram("llm_time_per_token", by: "dialect", "From an answer's first delta to the last, for each token."),
    histogram("websocket_message_gap", by: "direction", "Between the messages of one side of a WebSocket."),
    histogram("websocket_ping_rtt", by: "direction", "From a ping to its pong, by the direction of the ping."),
    histogram("tcp_handshake", by: nil, "From the first SYN to the client's first acknowledgement."),
    histogram("tls_handshake", by: "kind", "From the ClientHello to the end of the TLS handshake, full or resumed."),
  ]

  private static func state(
    _ name: String, in unit: Unit? = nil, _ help: String, _ read: @escaping @Sendable (DocumentNode) -> [MetricPoint]
  ) -> MetricFamily {
    MetricFamily(name: "streamscope_" + name, unit: unit, kind: .state, help: help, read: read)
  }

  private static func sum(
    _ name: String, in unit: Unit? = nil, _ help: String, _ read: @escaping @Sendable (DocumentNode) -> [MetricPoint]
  ) -> MetricFamily {
    MetricFamily(name: "streamscope_" + name, unit: unit, kind: .sum, help: help, read: read)
  }

  /// One of `metrics.histograms`: there by the same name, if no other is given, and with what is here a label of its
  /// own as its `kind`.
  private static func histogram(
    _ name: String, of source: String? = nil, by label: String?, _ help: String
  ) -> MetricFamily {
    let source = source ?? name
    return MetricFamily(name: "streamscope_\(name)_seconds", unit: .seconds, kind: .histogram, help: help) {
      document in
      guard let metrics = document["metrics"] else { return [] }
      let bounds = metrics.integers("buckets")
      return metrics.elements("histograms").compactMap { row in
        guard row.text("name") == source, let kind = row.text("kind"),
          let histogram = MetricHistogram(
            bounds: bounds, counts: row.integers("counts"), sum: row.integer("sumNs") ?? 0)
        else { return nil }
        return MetricPoint(
          labels: label.map { [MetricLabel(name: $0, value: kind)] } ?? [], value: .histogram(histogram))
      }
    }
  }
}

extension DocumentNode {
  /// Nanoseconds since 1970.
  var lastPacketTime: Int64? { self["capture"]?.text("lastTime").flatMap(ClockTime.parse)?.nanoseconds }

  /// A count of the capture that documents leave out where it is zero.
  fileprivate func unlessZero(_ key: String) -> [MetricPoint] {
    guard let capture = self["capture"], case .object = capture else { return [] }
    return .one(capture[key].map { $0.integer } ?? 0)
  }

  /// One of the tables of `metrics`.
  fileprivate func rows(_ table: String, labels: [String]) -> [MetricPoint] {
    self["metrics"]?.elements(table).compactMap { row in
      let values = labels.compactMap { name in row.text(name).map { MetricLabel(name: name, value: $0) } }
      guard values.count == labels.count, let count = row.integer("count") else { return nil }
      return MetricPoint(labels: values, value: .count(max(0, count)))
    } ?? []
  }
}

extension [MetricPoint] {
  /// A point without labels, where the number is there.
  fileprivate static func one(_ count: Int64?) -> Self {
    count.map { [MetricPoint(value: .count(Swift.max(0, $0)))] } ?? []
  }

  fileprivate static func one(nanoseconds: Int64?) -> Self {
    nanoseconds.map { [MetricPoint(value: .nanoseconds(Swift.max(0, $0)))] } ?? []
  }
}
