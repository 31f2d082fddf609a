import Testing

@testable import Reports

@Suite("Families of metrics")
struct MetricFamilyTests {
  @Test("Names are well-formed, differ, and end in their unit; each has a sentence of help.")
  func names() {
    let names = MetricFamily.all.map(\.name)
    #expect(Set(names).count == names.count)
    for family in MetricFamily.all {
      #expect(family.name.hasPrefix("streamscope_"))
      #expect(
        family.name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
      #expect(family.unit.map { family.name.hasSuffix("_" + $0.rawValue) } ?? !family.name.hasSuffix("seconds"))
      #expect(family.help.last == "." && !family.help.contains("\n") && !family.help.contains("\\"))
      // Words that have a meaning of their own behind a name.
      let taken = ["_total", "_created", "_info", "_bucket", "_sum", "_count", "_gsum", "_gcount"]
      #expect(taken.allSatisfy { !family.name.hasSuffix($0) }, "\(family.name)")
    }
  }

  private func samples(_ body: String) throws -> [Substring] {
    try MetricDocuments.text(.prometheus, ["{\(body)}"]).split(separator: "\n").filter { $0.first != "#" }
  }

  @Test(
    "What is absent or of another type reads as nothing.",
    arguments: [
      "", #""capture": null, "summary": [], "metrics": 3"#,
      #""capture": {"packets": "12", "bytes": 1.5, "lastTime": 7, "complete": "no", "problems": null,"#
        + #" "snaplenCut": "3", "timeReversals": [], "undecoded": {"a": "b"}}"#,
      #""summary": {"connections": true, "findings": [1]}"#,
      #""metrics": {"buckets": [1], "histograms": [1, null, {"name": "http_wait"}, {"kind": "sse"}],"#
        + #" "rules": [{"rule": "a", "severity": "error", "count": 1}, {"rule": 1}],"#
        + #" "responses": {"class": "2xx"}, "closes": [[]], "silence": [{"cause": "a"}, {"ns": 1}]}"#,
    ])
  func strange(body: String) throws {
    #expect(try samples(body) == [])
  }

  @Test("Streams that were reset, and calls by status.")
  func streams() throws {
    let body = """
      "metrics": {"resets": [{"code": "CANCEL", "by": "client", "count": 3}, {"code": "CANCEL", "count": 1}],
        "calls": [{"status": "OK", "count": 7}, {"status": "none", "count": 1}, {"status": 3, "count": 1}]}
      """
    let expected = """
      streamscope_stream_resets{code="CANCEL",by="client"} 3
      streamscope_grpc_calls{status="OK"} 7
      streamscope_grpc_calls{status="none"} 1
      """
    #expect(try samples(body) == expected.split(separator: "\n"))
  }

  @Test(
    "Counts that do not belong to the bounds are left out.",
    arguments: [
      ("[10, 20]", "[1, 2]"), ("[10, 20]", "[1, 2, 3, 4]"), ("[20, 10]", "[1, 2, 3]"), ("[10, 10]", "[1, 2, 3]"),
      ("[]", "[1]"), ("[]", "[]"), ("[0]", "[1, 2]"), ("[-5]", "[1, 2]"), ("[10, 20]", "null"),
    ])
  func unfit(bounds: String, counts: String) throws {
    let body =
      #""metrics": {"buckets": \#(bounds), "histograms": [{"name": "http_wait", "kind": "sse", "counts": \#(counts)}]}"#
    #expect(try samples(body) == [])
  }

  @Test("Below nothing and beyond all bounds there is nothing, and no trap.")
  func extremes() throws {
    let most = Int64.max
    let body = """
      "capture": {"packets": -3, "durationNs": \(Int64.min)},
      "metrics": {"buckets": [1, \(most)], "histograms": [
        {"name": "http_wait", "kind": "sse", "counts": [-4, \(most), \(most)], "count": 1, "sumNs": \(Int64.min)},
        {"name": "stream_gap", "kind": "sse", "counts": [2, 0, 0], "count": 99, "sumNs": \(most)}]}
      """
    let expected = """
      streamscope_capture_packets 0
      streamscope_capture_duration_seconds 0
      streamscope_capture_packets_cut 0
      streamscope_capture_packets_undecoded 0
      streamscope_capture_time_reversals 0
      streamscope_http_wait_seconds_bucket{kind="sse",le="0.000000001"} 0
      streamscope_http_wait_seconds_bucket{kind="sse",le="9223372036.854775807"} 9223372036854775807
      streamscope_http_wait_seconds_bucket{kind="sse",le="+Inf"} 9223372036854775807
      streamscope_http_wait_seconds_sum{kind="sse"} 0
      streamscope_http_wait_seconds_count{kind="sse"} 9223372036854775807
      streamscope_stream_gap_seconds_bucket{kind="sse",le="0.000000001"} 2
      streamscope_stream_gap_seconds_bucket{kind="sse",le="9223372036.854775807"} 2
      streamscope_stream_gap_seconds_bucket{kind="sse",le="+Inf"} 2
      streamscope_stream_gap_seconds_sum{kind="sse"} 9223372036.854775807
      streamscope_stream_gap_seconds_count{kind="sse"} 2
      """
    #expect(try samples(body) == expected.split(separator: "\n"))
  }

  @Test("What a document says twice is added up: no series stands twice.")
  func twice() throws {
    let body = """
      "metrics": {"buckets": [1000000000], "histograms": [
        {"name": "http_wait", "kind": "sse", "counts": [1, 2], "sumNs": 5000000000},
        {"name": "http_wait", "kind": "sse", "counts": [10, 20], "sumNs": 500000000}],
        "closes": [{"kind": "fin", "by": "client", "count": 2}, {"kind": "fin", "by": "client", "count": \(Int64.max)}],
        "silence": [{"cause": "a", "ns": 1}, {"cause": "a", "ns": 2}]}
      """
    let expected = """
      streamscope_connection_ends{kind="fin",by="client"} 9223372036854775807
      streamscope_silence_seconds{cause="a"} 0.000000003
      streamscope_http_wait_seconds_bucket{kind="sse",le="1.0"} 11
      streamscope_http_wait_seconds_bucket{kind="sse",le="+Inf"} 33
      streamscope_http_wait_seconds_sum{kind="sse"} 5.5
      streamscope_http_wait_seconds_count{kind="sse"} 33
      """
    #expect(try samples(body) == expected.split(separator: "\n"))
  }

  @Test(
    "Seconds have as many digits as it takes.",
    arguments: [
      (0, "0"), (1, "0.000000001"), (1_000_000_000, "1"), (1_500_000_000, "1.5"), (10_000_000, "0.01"),
      (-1, "-0.000000001"), (-1_500_000_000, "-1.5"), (.max, "9223372036.854775807"), (.min, "-9223372036.854775808"),
    ] as [(Int64, String)])
  func seconds(nanoseconds: Int64, text: String) {
    #expect(MetricExposition.seconds(nanoseconds) == text)
  }
}
