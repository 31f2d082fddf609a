import Citation
import Events
import Foundation
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("A capture against itself")
struct IdentityTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../samples")
    .standardized.path
  private static let samples =
    FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }.filter { $0.hasSuffix(".wire") }.sorted()
    ?? []

  /// Payload cut in two at the same time; frames that are anything but whole segments stay as they are.
  private static func cut(_ frame: CapturedFrame) -> [CapturedFrame] {
    let bytes = frame.bytes
    guard bytes.count == frame.wireLength, bytes.count > 54, bytes[12] == 8, bytes[13] == 0, bytes[14] == 0x45,
      bytes[23] == 6, bytes[47] & 0x27 == 0
    else { return [frame] }
    let head = 34 + Int(bytes[46] >> 4) * 4
    let payload = Array(bytes[head...])
    guard payload.count > 1 else { return [frame] }
    let half = payload.count / 2
    let parts: [(offset: Int, bytes: ArraySlice<UInt8>)] = [(0, payload.prefix(half)), (half, payload.dropFirst(half))]
    return parts.map { (offset, part) -> CapturedFrame in
      var piece: [UInt8] = Array(bytes[..<head]) + part
      let length = UInt16(piece.count - 14)
      piece[16] = UInt8(length >> 8)
      piece[17] = UInt8(length & 0xFF)
      var sequence: UInt32 = piece[38..<42].reduce(0) { $0 << 8 | UInt32($1) }
      sequence &+= UInt32(offset)
      for place in (38..<42).reversed() {
        piece[place] = UInt8(truncatingIfNeeded: sequence)
        sequence >>= 8
      }
      // The end of the stream comes with its last byte.
      if offset == 0 { piece[47] &= ~0x09 }
      return CapturedFrame(time: frame.time, bytes: piece)
    }
  }

  @Test("Every sample is identical to itself, at another time and in other segments.", arguments: samples)
  func sample(_ name: String) async throws {
    let capture = WireFile(try #require(TextFile.read("\(Self.root)/\(name)"))).capture
    let later = capture.frames.map { frame in
      CapturedFrame(time: frame.time + 3_600_500_000_000, bytes: frame.bytes, wireLength: frame.wireLength)
    }
    let shapes = [capture.bytes, CapturedFrame.file(later), CapturedFrame.file(capture.frames.flatMap(Self.cut))]
    for (index, shape) in shapes.enumerated() {
      let record = try await ComparisonRun(capture.bytes, shape).record
      #expect(record.isIdentical, "shape \(index): \(record.pairs.flatMap(\.told)) \(record.pairs.flatMap(\.words))")
      #expect(record.findings.isEmpty)
      #expect(record.pairs.isEmpty || record.relation.kind == .points)
      if index == 1, let clock = record.clock { #expect(clock.offset == 3_600_500_000_000) }
    }
  }

  @Test("There are samples.") func some() { #expect(Self.samples.count > 50) }
}
