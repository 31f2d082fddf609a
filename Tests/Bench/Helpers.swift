import Citation
import Digests
import Reports
import WebSocket

/// Helpers that some captures spend their time in.
struct Helpers {
  let runs: Int

  func measure() async {
    print("")
    printRow("helper", "MB/s", "alloc/MB")
    let block = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    await show("SHA-1", bytes: 16 << 20) {
      var hash = SHA1()
      for _ in 0..<16 { hash.update(block.span) }
      keep(hash.finish())
    }
    await show("SHA-256", bytes: 16 << 20) {
      var hash = SHA256()
      for _ in 0..<16 { hash.update(block.span) }
      keep(hash.finish())
    }
    await unmasking(block)
    await frames()
    await sealedRecords()
    let plain = "streamscope reads captures, and tells what went wrong; a plain text"
    await show("JSON, plain", bytes: documents(plain)) { keep(documents(plain)) }
    let hostile = String(repeating: "\u{1B}", count: 64)
    await show("JSON, escaped", bytes: documents(hostile)) { keep(documents(hostile)) }
  }

  /// A gigabyte in pieces as segments bring them when a card joins them.
  private func unmasking(_ block: [UInt8]) async {
    let piece = 16 << 10
    var plain: [UInt8] = []
    await show("unmask", bytes: 1 << 30) {
      for _ in 0..<1 << 10 {
        for start in stride(from: 0, to: block.count, by: piece) {
          plain.removeAll(keepingCapacity: true)
          unmask(
            block.span.extracting(start..<start + piece), key: 0x37FA_213D, at: UInt64(start), into: &plain)
          keep(plain)
        }
      }
    }
  }

  /// Small frames, many to a segment, and large ones of which a segment holds a part.
  private func frames() async {
    let packet = PacketRef(number: 1, time: .zero)
    for (name, frame) in [
      ("frames of 6 bytes", [0x81, 0x04, 0x61, 0x62, 0x63, 0x64]),
      ("frames of 1 MiB", [0x82, 0x7F, 0, 0, 0, 0, 0, 0x10, 0, 0] + [UInt8](repeating: 0, count: 1 << 20)),
    ] {
      let segment = frame.count < 64 ? Array(repeatElement(frame, count: 10_000).joined()) : frame
      var tokens: [FrameToken] = []
      await show(name, bytes: UInt64(segment.count) * 16) {
        var parser = FrameParser()
        var offset: UInt64 = 0
        for _ in 0..<16 {
          for start in stride(from: 0, to: segment.count, by: 64 << 10) {
            tokens.removeAll(keepingCapacity: true)
            let bytes = segment.span.extracting(start..<min(segment.count, start + 64 << 10))
            parser.consume(CitedBytes(bytes, at: offset, in: packet, released: packet), into: &tokens)
            offset += UInt64(bytes.count)
          }
        }
      }
    }
  }

  /// Records of TLS 1.3 as large as they get, and as small as those of a stream of events.
  private func sealedRecords() async {
    #if OpenSSL
      for (name, size) in [("AES-128-GCM 16 KiB", 16 << 10), ("AES-128-GCM 1 KiB", 1 << 10)] {
        let count = (4 << 20) / size
        let records = SealedRecords.make(size: size, count: count)
        var opened = 0
        var room: [UInt8] = []
        await show(name, bytes: UInt64(size * count) * 32) {
          guard case .ready(var opener) = SealedRecords.setup else { return }
          for _ in 0..<32 {
            opener.sequence = 0
            for record in records {
              switch opener.open(type: 23, version: 0x0303, fragment: record.span, into: &room) {
              case .opened(_, let count): opened += count
              case .failed: return
              }
            }
          }
        }
        precondition(opened == size * count * 32 * max(1, runs), "a record did not open")
      }
    #endif
  }

  private func show(_ name: String, bytes: [UInt8], _ body: () -> Void) async {
    await show(name, bytes: UInt64(bytes.count), body)
  }

  private func show(_ name: String, bytes: UInt64, _ body: () -> Void) async {
    let least = await Cost.least(of: runs, body)
    printRow(name, "\(least.megabytesPerSecond(bytes))", ratio(least.allocations * 1_000_000, bytes))
  }

  /// Some megabytes of records like those of connections.
  private func documents(_ text: String) -> [UInt8] {
    var json = JSONWriter(.indented)
    json.array { list in
      for number in 0..<20_000 {
        list.object { record in
          record.field("id", UInt64(number))
          record.field("text", text)
          record.field("isMidstream", number & 1 == 0)
          record.array("numbers") { numbers in for value in 0..<4 { numbers.value(UInt64(value * number)) } }
        }
      }
    }
    return json.bytes
  }
}

/// What is made must be used, or the optimizer will not make it.
@inline(never)
private func keep(_ bytes: [UInt8]) {}
