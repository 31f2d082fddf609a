import Citation
import Events

extension JSONWriter {
  /// A finding as a log record.
  mutating func logRecord(
    _ finding: Finding, fingerprint: String, _ uid: String, _ trace: TraceContext?, origin: Timestamp
  ) {
    let time = finding.firstPacket.number > 0 ? finding.firstPacket.time : origin
    object { json in
      json.nanoseconds("timeUnixNano", time)
      // The collector's clock would differ from run to run.
      json.nanoseconds("observedTimeUnixNano", time)
      json.field("severityNumber", finding.shownSeverity.logNumber)
      json.field("severityText", finding.shownSeverity.name)
      json.field("eventName", "streamscope.finding")
      json.object("body") { $0.field("stringValue", finding.message.text) }
      json.array("attributes") { list in
        list.attribute("streamscope.finding.rule", finding.rule.text)
        list.attribute("streamscope.finding.class", finding.isDiagnosis ? "diagnosis" : "lint")
        list.attribute("streamscope.finding.confidence", finding.confidence.name)
        list.attribute("streamscope.finding.fingerprint", fingerprint)
        list.attribute("streamscope.finding.count", count: finding.count)
        list.attribute("streamscope.finding.fix", finding.fix)
        list.attribute("streamscope.finding.caused_by", finding.causedBy?.text)
        list.cost(of: finding)
        list.attribute("streamscope.uid", uid)
        list.attribute("streamscope.connection", finding.connection.map(Int64.init))
        list.attribute("streamscope.exchange", finding.exchange.map(Int64.init))
        list.attribute("streamscope.direction", finding.direction?.name)
        list.attribute("http.request.method", finding.place?.method)
        list.attribute("url.template", finding.place?.path)
        if let host = finding.place?.host, !host.isEmpty {
          list.attribute("server.address", FindingName.withoutPort(host))
        }
        list.attribute("streamscope.packet.first", count: finding.firstPacket.number)
        list.attribute("streamscope.packet.last", count: finding.lastPacket.number)
        list.attribute(
          "streamscope.packets", packets: Array(Set(finding.evidence.compactMap { $0.packet?.number })).sorted())
      }
      if let trace {
        json.field("traceId", trace.trace)
        json.field("spanId", trace.span)
      }
    }
  }

  private mutating func cost(of finding: Finding) {
    switch finding.cost {
    case .none: break
    case .delay(let nanoseconds): attribute("streamscope.finding.delay_ns", nanoseconds)
    case .lost(let bytes): attribute("streamscope.finding.lost_bytes", count: bytes)
    case .failed(let what): attribute("streamscope.finding.failed", what.rawValue)
    }
  }

  /// A capture that could not be read, or not to its end.
  mutating func logRecord(ofError text: String, at time: Timestamp) {
    object { json in
      json.nanoseconds("timeUnixNano", time)
      json.nanoseconds("observedTimeUnixNano", time)
      json.field("severityNumber", Severity.error.logNumber)
      json.field("severityText", Severity.error.name)
      json.field("eventName", "streamscope.capture.error")
      json.object("body") { $0.field("stringValue", text) }
    }
  }
}

extension Severity {
  /// SEVERITY_NUMBER_ERROR, _WARN and _INFO.
  fileprivate var logNumber: Int {
    switch self {
    case .error: 17
    case .warning: 13
    case .note: 9
    }
  }
}
