// Fuzzes what people write: conditions of --where, limits of --assert, points in time, and configuration files. None may
// trap, and what is understood is asked of a capture.
//
// The capture is held to the end, by references whose spare bits the search for leaks does not know.
// asan: detect_leaks=0
// with: Waiting.swift
import Engine
import Events
import JSON5
import Queries
import RunSupport

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzQueries(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: count))
  _ = try? JSON5Parser.parse(bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  if let point = TimePoint(text) { _ = point.resolved(from: .distantFuture) }
  for series in ["exchanges", "connections", "findings"] { judge("count(\(series) where \(text)) >= 1") }
  judge(text)
  return 0
}

private func judge(_ text: String) {
  guard let assertion = try? Assertion(text, AssertionSeries.catalogue) else { return }
  var run = AssertionRun([assertion])
  run.begin(at: sample.origin ?? .zero)
  for item in sample.items { run.take(item) }
  let results = run.results(sample.summary)
  precondition(results.count == 1)
}

/// An exchange that failed, and an event stream with a pause that was reset.
private let sample: CaptureRun = {
  let head = #"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"#
  let script = """
    > SYN
    < SYN ACK
    > ACK
    > "GET /missing?page=2 HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n"
    < "HTTP/1.1 404 Not Found\\r\\nContent-Length: 0\\r\\n\\r\\n"
    > "GET /events HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n"
    < "\(head)data: 1\\n\\n"
    +3s
    < "data: 2\\n\\n"
    < RST

    """
  return wait {
    var options = PipelineOptions()
    options.pieces = PieceOptions(isTold: true, previewLimit: 64)
    return try await CaptureRun(script, options)
  }
}()
