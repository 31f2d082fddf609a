import Citation
import Events
import HTTP2Semantics
import HTTPSemantics

/// Counts of durations in fixed buckets: those of several captures can be added up.
struct BucketCounts {
  /// Upper bounds, from 10 ms on each twice the one before, as OpenTelemetry has them for streamed answers.
  static let bounds: [Int64] = (0..<14).map { 10_000_000 << $0 }

  /// The last one is of what is beyond all bounds. Not cumulative.
  private(set) var counts = [UInt64](repeating: 0, count: bounds.count + 1)
  private(set) var count: UInt64 = 0
  private(set) var sum: Int64 = 0

  mutating func add(_ nanoseconds: Int64, samples: UInt64 = 1) {
    let value = max(0, nanoseconds)
    let place = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
    counts[place] &+= samples
    count &+= samples
    let (more, overflow) = value.multipliedReportingOverflow(by: Int64(clamping: samples))
    let (total, isTooMuch) = sum.addingReportingOverflow(overflow ? .max : more)
    // What documents can hold exactly.
    sum = isTooMuch ? Self.limit : min(total, Self.limit)
  }

  private static let limit = JSONWriter.largestExact
}

/// The figures of a whole run by name and kind, whatever of its exchanges and findings a document holds in full.
struct Measurements {
  private struct Key: Hashable, Comparable {
    var name: String
    var kind: String
    static func < (left: Key, right: Key) -> Bool { (left.name, left.kind) < (right.name, right.kind) }
  }

  private struct RuleKey: Hashable, Comparable {
    var rule: RuleID
    var severity: Severity
    var isDiagnosis: Bool
    static func < (left: RuleKey, right: RuleKey) -> Bool {
      if left.rule != right.rule { return left.rule < right.rule }
      return (left.severity, left.isDiagnosis ? 1 : 0) < (right.severity, right.isDiagnosis ? 1 : 0)
    }
  }

  private var histograms: [Key: ExponentialHistogram] = [:]
  /// As OpenMetrics wants them: single durations are in the right ones, of others that came in histograms most.
  private var buckets: [Key: BucketCounts] = [:]
  private var rules: [RuleKey: UInt64] = [:]
  private var responses: [Key: UInt64] = [:]
  private var ends: [Key: UInt64] = [:]
  private var silence: [String: Int64] = [:]
  /// Of streams by code and side, and of calls of gRPC by status. What has no name is counted together: a sender may
  /// write any number.
  private var resets: [Key: UInt64] = [:]
  private var calls: [String: UInt64] = [:]
  private static let other = "other"

  mutating func add(_ exchange: ExchangeRecord) {
    let kind = exchange.kind.rawValue
    let status = exchange.status.code
    responses[Key(name: status == 0 ? "none" : "\(status / 100)xx", kind: kind), default: 0] += 1
    measure("http_wait", kind, exchange.wait)
    measure("http_first_body", kind, exchange.timeToFirstBody)
    if exchange.kind != .websocket { measure("http_total", kind, exchange.total) }
    for (cause, nanoseconds) in exchange.silence.causes { addSilence(cause.name, nanoseconds) }
    if let code = exchange.end.resetCode, let by = exchange.end.closing?.by {
      let name = HTTP2ErrorCode(code).knownName ?? Self.other
      resets[Key(name: name, kind: by == .toServer ? "client" : "server"), default: 0] += 1
    }
    if exchange.isCall {
      let name = exchange.grpcStatus.map { GRPCStatus.name(UInt64($0)) ?? Self.other }
      calls[name ?? "none", default: 0] += 1
    }
    guard let stream = exchange.stream else { return }
    measure("stream_first_item", stream.kind.rawValue, exchange.timeToFirstItem)
    add("stream_gap", stream.kind.rawValue, stream.items > 0 ? stream.itemGaps : stream.gaps)
    guard let answer = stream.answer else { return }
    measure("llm_first_token", answer.dialect.name, exchange.timeToFirstToken)
    measure("llm_time_per_token", answer.dialect.name, answer.timePerToken)
    add("llm_gap", answer.dialect.name, answer.gaps)
  }

  mutating func add(_ record: ConnectionRecord) {
    ends[Key(name: record.end.kind.rawValue, kind: record.end.by.rawValue), default: 0] += 1
    if let rtt = record.roundTrip.total { measure("tcp_handshake", "tcp", rtt) }
    if let session = record.tls {
      measure("tls_handshake", session.isResumed == true ? "resumed" : "full", session.phases.handshakeNanoseconds)
    }
    for socket in record.sockets {
      for direction in Direction.allCases {
        add("websocket_message_gap", direction.name, socket.sides[direction].gaps)
        add("websocket_ping_rtt", direction.name, socket.pingRoundTrips[direction])
      }
    }
  }

  mutating func add(_ finding: Finding) {
    let key = RuleKey(rule: finding.rule, severity: finding.shownSeverity, isDiagnosis: finding.isDiagnosis)
    rules[key, default: 0] += 1
  }

  private mutating func addSilence(_ cause: String, _ nanoseconds: Int64) {
    silence[cause] = (silence[cause] ?? 0) &+ nanoseconds
  }

  private mutating func measure(_ name: String, _ kind: String, _ nanoseconds: Int64?) {
    guard let nanoseconds else { return }
    histograms[Key(name: name, kind: kind), default: ExponentialHistogram()].add(nanoseconds)
    buckets[Key(name: name, kind: kind), default: BucketCounts()].add(nanoseconds)
  }

  private mutating func add(_ name: String, _ kind: String, _ values: ExponentialHistogram) {
    guard values.count > 0 else { return }
    let key = Key(name: name, kind: kind)
    histograms[key, default: ExponentialHistogram()].add(values)
    values.forEach { buckets[key, default: BucketCounts()].add($0, samples: $1) }
  }

  /// The `metrics` object of streamscope.result/1.
  func write(to json: inout JSONWriter) {
    json.object("metrics") { json in
      json.key("buckets")
      json.line(BucketCounts.bounds)
      json.list("histograms", buckets) { (json, key, counts) in
        json.field("name", key.name)
        json.field("kind", key.kind)
        json.key("counts")
        json.line(counts.counts.map { Int64(clamping: $0) })
        json.field("count", counts.count)
        json.field("sumNs", counts.sum)
        if let values = histograms[key] { json.object("exponential") { $0.histogram(values) } }
      }
      json.list("rules", rules) { (json, key, count) in
        json.field("rule", key.rule.text)
        json.field("severity", key.severity.name)
        json.field("class", key.isDiagnosis ? "diagnosis" : "lint")
        json.field("count", count)
      }
      json.list("responses", responses) { (json, key, count) in
        json.field("class", key.name)
        json.field("kind", key.kind)
        json.field("count", count)
      }
      json.list("closes", ends) { (json, key, count) in
        json.field("kind", key.name)
        json.field("by", key.kind)
        json.field("count", count)
      }
      json.list("silence", silence) { (json, cause, nanoseconds) in
        json.field("cause", cause)
        json.field("ns", nanoseconds)
      }
      // Additions: a document of HTTP/1 alone is what it was.
      if !resets.isEmpty {
        json.list("resets", resets) { (json, key, count) in
          json.field("code", key.name)
          json.field("by", key.kind)
          json.field("count", count)
        }
      }
      if !calls.isEmpty {
        json.list("calls", calls) { (json, status, count) in
          json.field("status", status)
          json.field("count", count)
        }
      }
    }
  }
}

extension JSONWriter {
  /// An object for each entry, in the order of the keys.
  fileprivate mutating func list<Key: Comparable, Value>(
    _ name: FieldName, _ entries: [Key: Value], _ fields: (inout JSONWriter, Key, Value) -> Void
  ) {
    array(name) { list in
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        list.object { fields(&$0, key, value) }
      }
    }
  }
}
