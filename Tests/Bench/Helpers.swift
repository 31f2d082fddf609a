import Digests
import Reports

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
    let plain = "streamscope reads captures, and tells what went wrong; a plain text"
    await show("JSON, plain", bytes: documents(plain)) { keep(documents(plain)) }
    let hostile = String(repeating: "\u{1B}", count: 64)
    await show("JSON, escaped", bytes: documents(hostile)) { keep(documents(hostile)) }
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
