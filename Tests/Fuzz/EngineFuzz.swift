// Fuzzes what follows a capture: one connection goes through the engine, every report tells it, and it is compared with
// itself without its end. Nothing may trap or stop, what is written as JSON is read again, and no text that people read holds a
// control character.
//
// The input is what happens, as that of the driver Conversation; a hole is a packet that was not captured. The first byte
// chooses the options.
//
// with: Steps.swift Waiting.swift
// fuzz: -max_len=2048
import Comparison
import Engine
import Events
import Reports
import RunSupport
import Support

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEngine(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 3 else { return 0 }
  let told = Told([UInt8](UnsafeBufferPointer(start: data, count: count)))
  wait { try await told.check() }
  return 0
}

private struct Told: Sendable {
  private static let hello = "> SYN\n< SYN ACK\n> ACK\n"
  private static let conversion = ConversionContext(version: "0", rules: [])

  private let control: UInt8
  /// Each is a packet, and what passes before it.
  private let lines: [String]

  init(_ input: [UInt8]) {
    control = input[0]
    lines = Steps(input.dropFirst()).map { Self.line($0.what, $0.piece) }
  }

  private static func line(_ what: UInt8, _ piece: [UInt8]) -> String {
    let pause = what & 2 == 0 ? "" : "+1500ms\n"
    let side = what & 1 == 0 ? ">" : "<"
    if what >> 2 & 15 == 14 { return pause + side + (what & 0x40 == 0 ? " FIN" : " RST") }
    let digits = piece.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    guard !digits.isEmpty else { return pause + side + " ACK" }
    return pause + side + " x\"\(digits)\"" + (what >> 2 & 15 == 15 ? " !lost" : "")
  }

  private func capture(_ lines: some Sequence<String>) -> ScriptedCapture {
    ScriptedCapture((control & 1 == 0 ? Self.hello : "") + lines.joined(separator: "\n") + "\n")
  }

  func check() async throws {
    var options = PipelineOptions()
    options.jobs = 1
    options.digests = true
    options.drawsWindows = true
    options.pieces = PieceOptions(isTold: true, previewLimit: 256)
    if control & 2 != 0 { options.streamInterval = 1_000_000_000 }
    let run = try await CaptureRun(capture(lines), options)
    let redaction = Redaction(isOn: control & 4 == 0, salt: [1])

    var style = TextStyle()
    style.timeline = .full
    style.showsLint = true
    style.showsPayload = control & 4 != 0
    style.isASCII = control & 8 != 0
    requireClean(try run.report(TextReporter(style, redaction)))
    // The first names all columns, which are a resource: drivers are built without.
    for line in try run.report(NDJSONReporter(redaction)).split(separator: "\n").dropFirst() { _ = try node(line) }
    let document = try node(run.report(JSONReporter(redaction)))
    var sink = MemorySink()
    for format in DocumentFormat.allCases { try format.write([document], Self.conversion, to: &sink) }

    guard control & 16 != 0 else { return }
    let comparison = try await ComparisonRun(capture(lines), capture(lines.prefix(lines.count / 2)))
    var text = MemorySink()
    try ComparisonText(style, redaction).write(comparison.record, to: &text)
    requireClean(text.text)
  }

  private func node(_ text: some StringProtocol) throws -> DocumentNode { try DocumentParser.parse(Array(text.utf8)) }

  private func requireClean(_ text: String) {
    for scalar in text.unicodeScalars {
      precondition(scalar == "\n" || scalar.properties.generalCategory != .control, "\(scalar.value) in a report")
    }
  }
}
