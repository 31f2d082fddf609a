import Events
import RunSupport
import Testing

@testable import Reports

/// Documents by hand, and the expositions that follow from them.
enum MetricDocuments {
  /// Two buckets: of four waits one within 10 ms, two within 2 s, one beyond.
  static let small = """
    {"schema": "streamscope.result/1",
     "capture": {"file": "/tmp/a.pcap", "packets": 12, "bytes": 3456, "lastTime": "2023-11-14T22:13:20.061100000Z",
       "durationNs": 61000000, "complete": false, "problems": ["cut short"], "dropped": 7, "snaplenCut": 3,
       "undecoded": {"ARP": 2, "LLDP": 1}},
     "summary": {"connections": 5, "exchanges": 4, "websockets": 1, "eventStreams": 2, "hurt": 1,
       "findings": {"error": 1, "warning": 0}, "lint": 6},
     "metrics": {"buckets": [10000000, 2000000000],
       "histograms": [
         {"name": "http_wait", "kind": "sse", "counts": [1, 2, 1], "count": 4, "sumNs": 7000000001},
         {"name": "tcp_handshake", "kind": "tcp", "counts": [0, 1, 0], "count": 1, "sumNs": 20000000}],
       "rules": [{"rule": "sse/buffered", "severity": "error", "class": "diagnosis", "count": 1}],
       "responses": [{"class": "2xx", "kind": "sse", "count": 4}],
       "closes": [{"kind": "fin", "by": "client", "count": 5}],
       "silence": [{"cause": "senderIdle", "ns": 1500000000}]}}
    """

  static func text(_ format: DocumentFormat, _ documents: [String]) throws -> String {
    var sink = MemorySink()
    let nodes = try documents.map { try DocumentParser.parse(Array($0.utf8)) }
    try format.write(nodes, ConversionContext(version: "1", rules: []), to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

@Suite("Expositions of metrics")
struct ExpositionTests {
  @Test("OpenMetrics: each sample at the time of the last packet, units, and an end.")
  func openMetrics() throws {
    let lines = try MetricDocuments.text(.openmetrics, [MetricDocuments.small]).split(separator: "\n")
    let expected = """
      # TYPE streamscope_capture_packets gauge
      # HELP streamscope_capture_packets Packets in the capture.
      streamscope_capture_packets{capture="a.pcap"} 12 1700000000.0611
      # TYPE streamscope_capture_bytes gauge
      # UNIT streamscope_capture_bytes bytes
      # HELP streamscope_capture_bytes Size of the capture file.
      streamscope_capture_bytes{capture="a.pcap"} 3456 1700000000.0611
      # TYPE streamscope_capture_duration_seconds gauge
      # UNIT streamscope_capture_duration_seconds seconds
      # HELP streamscope_capture_duration_seconds From the first packet to the last one.
      streamscope_capture_duration_seconds{capture="a.pcap"} 0.061 1700000000.0611
      """.split(separator: "\n")
    #expect(Array(lines.prefix(expected.count)) == expected)
    #expect(lines.last == "# EOF")
    #expect(lines.filter { $0.first != "#" }.allSatisfy { $0.hasSuffix(" 1700000000.0611") })
  }

  @Test("Prometheus' own form: the same without times, units and end.")
  func prometheus() throws {
    let text = try MetricDocuments.text(.prometheus, [MetricDocuments.small])
    let samples = text.split(separator: "\n").filter { $0.first != "#" }
    let expected = """
      streamscope_capture_packets{capture="a.pcap"} 12
      streamscope_capture_bytes{capture="a.pcap"} 3456
      streamscope_capture_duration_seconds{capture="a.pcap"} 0.061
      streamscope_capture_last_packet_timestamp_seconds{capture="a.pcap"} 1700000000.0611
      streamscope_capture_incomplete{capture="a.pcap"} 1
      streamscope_capture_problems{capture="a.pcap"} 1
      streamscope_capture_packets_dropped{capture="a.pcap"} 7
      streamscope_capture_packets_cut{capture="a.pcap"} 3
      streamscope_capture_packets_undecoded{capture="a.pcap"} 3
      streamscope_capture_time_reversals{capture="a.pcap"} 0
      streamscope_connections{capture="a.pcap"} 5
      streamscope_connections_hurt{capture="a.pcap"} 1
      streamscope_connection_ends{capture="a.pcap",kind="fin",by="client"} 5
      streamscope_exchanges{capture="a.pcap"} 4
      streamscope_responses{capture="a.pcap",kind="sse",class="2xx"} 4
      streamscope_event_streams{capture="a.pcap"} 2
      streamscope_websockets{capture="a.pcap"} 1
      streamscope_diagnoses{capture="a.pcap",severity="error"} 1
      streamscope_diagnoses{capture="a.pcap",severity="warning"} 0
      streamscope_lint{capture="a.pcap"} 6
      streamscope_findings{capture="a.pcap",rule="sse/buffered",severity="error",class="diagnosis"} 1
      streamscope_silence_seconds{capture="a.pcap",cause="senderIdle"} 1.5
      streamscope_http_wait_seconds_bucket{capture="a.pcap",kind="sse",le="0.01"} 1
      streamscope_http_wait_seconds_bucket{capture="a.pcap",kind="sse",le="2.0"} 3
      streamscope_http_wait_seconds_bucket{capture="a.pcap",kind="sse",le="+Inf"} 4
      streamscope_http_wait_seconds_sum{capture="a.pcap",kind="sse"} 7.000000001
      streamscope_http_wait_seconds_count{capture="a.pcap",kind="sse"} 4
      streamscope_tcp_handshake_seconds_bucket{capture="a.pcap",le="0.01"} 0
      streamscope_tcp_handshake_seconds_bucket{capture="a.pcap",le="2.0"} 1
      streamscope_tcp_handshake_seconds_bucket{capture="a.pcap",le="+Inf"} 1
      streamscope_tcp_handshake_seconds_sum{capture="a.pcap"} 0.02
      streamscope_tcp_handshake_seconds_count{capture="a.pcap"} 1
      """.split(separator: "\n")
    #expect(samples == expected)
    #expect(!text.contains("# UNIT") && !text.contains("# EOF"))
    // The same numbers as in the other form.
    let timed = try MetricDocuments.text(.openmetrics, [MetricDocuments.small]).split(separator: "\n")
    #expect(timed.filter { $0.first != "#" } == samples.map { $0 + " 1700000000.0611" })
  }

  private func live(_ document: String, _ labels: String = "") -> String {
    document.replacing("\"capture\": {", with: #""run": {"live": true\#(labels)}, "capture": {"#)
  }

  @Test("Of a live capture what adds up is a counter, what is so now is none, and names have the suffix of their form.")
  func counters() throws {
    let plain = try MetricDocuments.text(.prometheus, [live(MetricDocuments.small)]).split(separator: "\n")
    for line in [
      "# TYPE streamscope_connections_total counter", #"streamscope_connections_total{capture="a.pcap"} 5"#,
      "# TYPE streamscope_silence_seconds_total counter",
      #"streamscope_silence_seconds_total{capture="a.pcap",cause="senderIdle"} 1.5"#,
      "# TYPE streamscope_capture_duration_seconds gauge",
      "# TYPE streamscope_http_wait_seconds histogram",
    ] { #expect(plain.contains(line[...])) }
    let timed = try MetricDocuments.text(.openmetrics, [live(MetricDocuments.small)]).split(separator: "\n")
    for line in [
      "# TYPE streamscope_silence_seconds counter", "# UNIT streamscope_silence_seconds seconds",
      #"streamscope_silence_seconds_total{capture="a.pcap",cause="senderIdle"} 1.5 1700000000.0611"#,
    ] { #expect(timed.contains(line[...])) }
    // Beside a file one family would be of two types.
    let both = try MetricDocuments.text(.prometheus, [live(MetricDocuments.small), MetricDocuments.small])
    #expect(!both.contains("_total") && !both.contains("counter"))
  }

  @Test("Labels of the run are on every sample, under names that are allowed and that nothing else has.")
  func runLabels() throws {
    let labels =
      #", "labels": [{"name": "host", "value": "a\"b"}, {"name": "le", "value": "1"}, {"name": "1-é", "value": "2"},"#
      + #" {"name": "host", "value": "again"}, {"name": "", "value": "3"}, {"value": "4"}]"#
    let lines = try MetricDocuments.text(.prometheus, [live(MetricDocuments.small, labels)]).split(separator: "\n")
    let expected = #"{capture="a.pcap",host="a\"b",label_le="1",label_1___="2""#
    #expect(lines.filter { $0.first != "#" }.allSatisfy { $0.contains(expected) })
  }

  @Test("Several documents share their families, each in a series of its own.")
  func several() throws {
    let other = MetricDocuments.small.replacing("/tmp/a.pcap", with: "other/a.pcap").replacing(": 12,", with: ": 13,")
    let untaken = MetricDocuments.small.replacing("/tmp/a.pcap", with: "a.pcap (2)").replacing("20.06", with: "21.06")
    let lines = try MetricDocuments.text(.openmetrics, [MetricDocuments.small, other, untaken]).split(separator: "\n")
    #expect(
      lines.prefix(5) == [
        "# TYPE streamscope_capture_packets gauge",
        "# HELP streamscope_capture_packets Packets in the capture.",
        #"streamscope_capture_packets{capture="a.pcap"} 12 1700000000.0611"#,
        #"streamscope_capture_packets{capture="a.pcap (2)"} 13 1700000000.0611"#,
        #"streamscope_capture_packets{capture="a.pcap (2) (2)"} 12 1700000001.0611"#,
      ])
    #expect(lines.count { $0 == "# TYPE streamscope_http_wait_seconds histogram" } == 1)
    let keys = lines.filter { $0.first != "#" }.map { $0.prefix { $0 != "}" } }
    #expect(Set(keys).count == keys.count)
  }

  @Test("No name breaks out of its label.")
  func hostileNames() throws {
    let hostile = MetricDocuments.small
      .replacing("/tmp/a.pcap", with: #"x\"} 1\n# EOF\u202e\\\u001b.pcap"#)
      .replacing("senderIdle", with: #"a\"b\\\nc"#)
    let text = try MetricDocuments.text(.openmetrics, [hostile, MetricDocuments.small])
    #expect(text.contains(#"streamscope_capture_packets{capture="x\"} 1\\n# EOF\\u{202E}\\\\x1B.pcap"} 12 "#))
    #expect(text.contains(#",cause="a\"b\\\\nc"} 1.5 "#))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
    #expect(text.split(separator: "\n").count { $0 == "# EOF" } == 1)
  }

  @Test("A capture without a packet has no time: with times it is left out, without it is there.")
  func empty() throws {
    let empty = """
      {"schema": "streamscope.result/1",
       "capture": {"file": "e.pcap", "packets": 0, "bytes": 24, "durationNs": 0, "complete": true, "problems": []},
       "summary": {"connections": 0, "exchanges": 0, "websockets": 0, "eventStreams": 0, "hurt": 0,
         "findings": {"error": 0}, "lint": 0},
       "metrics": {"buckets": [10000000], "histograms": [], "rules": [], "responses": [], "closes": [], "silence": []}}
      """
    #expect(try MetricDocuments.text(.openmetrics, [empty]) == "# EOF\n")
    #expect(try MetricDocuments.text(.openmetrics, []) == "# EOF\n")
    let plain = try MetricDocuments.text(.prometheus, [empty])
    #expect(
      plain.contains("\nstreamscope_capture_packets{capture=\"e.pcap\"} 0\n")
        && plain.contains("\nstreamscope_capture_incomplete{capture=\"e.pcap\"} 0\n"))
    #expect(!plain.contains("dropped") && !plain.contains("timestamp") && !plain.contains("histogram"))
    // Beside another it does not keep that one from being stored.
    let both = try MetricDocuments.text(.openmetrics, [empty, MetricDocuments.small])
    #expect(both.contains(#"{capture="a.pcap"}"#) && !both.contains("e.pcap"))
  }

  @Test("What a format would show and the document does not hold is said.")
  func missing() throws {
    let whole = try DocumentParser.parse(Array(MetricDocuments.small.utf8))
    let bare = try DocumentParser.parse(Array(#"{"schema": "streamscope.result/1", "capture": {"packets": 0}}"#.utf8))
    for format in [DocumentFormat.openmetrics, .prometheus] { #expect(format.missing(in: whole) == []) }
    #expect(DocumentFormat.openmetrics.missing(in: bare).count == 2)
    #expect(DocumentFormat.prometheus.missing(in: bare).count == 1)
  }
}
