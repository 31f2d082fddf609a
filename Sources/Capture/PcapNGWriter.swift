import Citation

/// Writes a pcapng section: interfaces, and packets with comments. Pure: it appends to an array.
///
/// Little endian and with nanoseconds, whatever the packets came from. Texts are cut at the length an option can have.
package struct PcapNGWriter {
  private enum Option {
    static let end: UInt16 = 0
    static let comment: UInt16 = 1
    static let name: UInt16 = 2
    static let application: UInt16 = 4
    static let resolution: UInt16 = 9
    static let filter: UInt16 = 11
    static let received: UInt16 = 4
    static let droppedByInterface: UInt16 = 5
    static let droppedBySystem: UInt16 = 7
    static let delivered: UInt16 = 8
  }

  private var interfaceCount: UInt32 = 0

  package init() {}

  /// Begins the section; everything else comes after it.
  package mutating func begin(application: String, into output: inout [UInt8]) {
    interfaceCount = 0
    block(PcapNGParser.Block.section, into: &output) { output in
      append(UInt32(0x1A2B_3C4D), to: &output)
      append(UInt16(1), to: &output)
      append(UInt16(0), to: &output)
      // The section's length, not given: it is not known before the end.
      append(UInt64.max, to: &output)
      option(Option.application, application, to: &output)
      option(Option.end, "", to: &output)
    }
  }

  /// Declares an interface and returns its number.
  package mutating func interface(
    linkType: UInt16, snapLength: UInt32, name: String?, filter: String? = nil, into output: inout [UInt8]
  ) -> UInt32 {
    block(PcapNGParser.Block.interface, into: &output) { output in
      append(linkType, to: &output)
      append(UInt16(0), to: &output)
      append(snapLength, to: &output)
      if let name { option(Option.name, name, to: &output) }
      append(Option.resolution, to: &output)
      append(UInt16(1), to: &output)
      append(UInt32(9), to: &output)
      // The first byte tells the filter's language; 0 is text.
      if let filter { option(Option.filter, "\0" + filter, to: &output) }
      option(Option.end, "", to: &output)
    }
    interfaceCount += 1
    return interfaceCount - 1
  }

  /// Times before 1970 cannot be written without an offset and become 1970.
  package func packet(
    _ bytes: Span<UInt8>, interface: UInt32, time: Timestamp, wireLength: Int, comments: [String] = [],
    into output: inout [UInt8]
  ) {
    let units = UInt64(max(0, time.nanoseconds))
    block(PcapNGParser.Block.packet, into: &output) { output in
      append(interface, to: &output)
      append(UInt32(truncatingIfNeeded: units >> 32), to: &output)
      append(UInt32(truncatingIfNeeded: units), to: &output)
      append(UInt32(clamping: bytes.count), to: &output)
      append(UInt32(clamping: wireLength), to: &output)
      bytes.withUnsafeBufferPointer { output.append(contentsOf: $0) }
      pad(&output, bytes.count)
      guard !comments.isEmpty else { return }
      for comment in comments { option(Option.comment, comment, to: &output) }
      option(Option.end, "", to: &output)
    }
  }

  /// Counts of an interface so far; the last block of an interface is valid.
  package func statistics(
    interface: UInt32, time: Timestamp, received: UInt64?, delivered: UInt64, droppedByInterface: UInt64,
    droppedBySystem: UInt64, into output: inout [UInt8]
  ) {
    let units = UInt64(max(0, time.nanoseconds))
    block(PcapNGParser.Block.statistics, into: &output) { output in
      append(interface, to: &output)
      append(UInt32(truncatingIfNeeded: units >> 32), to: &output)
      append(UInt32(truncatingIfNeeded: units), to: &output)
      let counts: [(code: UInt16, count: UInt64?)] = [
        (Option.received, received), (Option.droppedByInterface, droppedByInterface),
        (Option.droppedBySystem, droppedBySystem), (Option.delivered, delivered),
      ]
      for case (let code, let count?) in counts {
        append(code, to: &output)
        append(UInt16(8), to: &output)
        append(count, to: &output)
      }
      option(Option.end, "", to: &output)
    }
  }

  /// Wraps what `body` writes in a block's head and tail, which both hold its length.
  private func block(_ type: UInt32, into output: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    let start = output.count
    append(type, to: &output)
    append(UInt32(0), to: &output)
    body(&output)
    let length = UInt32(clamping: output.count - start + 4)
    append(length, to: &output)
    withUnsafeBytes(of: length.littleEndian) { bytes in
      output.replaceSubrange(start + 4..<start + 8, with: bytes)
    }
  }

  private func option(_ code: UInt16, _ text: String, to output: inout [UInt8]) {
    var value = Array(text.utf8.prefix(Int(UInt16.max) - 3))
    // Not in the middle of a character.
    if value.count < text.utf8.count {
      while let last = value.last, last & 0xC0 == 0x80 { value.removeLast() }
      if !value.isEmpty { value.removeLast() }
    }
    append(code, to: &output)
    append(UInt16(value.count), to: &output)
    output.append(contentsOf: value)
    pad(&output, value.count)
  }

  private func pad(_ output: inout [UInt8], _ count: Int) {
    for _ in 0..<(-count & 3) { output.append(0) }
  }

  private func append(_ value: some FixedWidthInteger, to output: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { output.append(contentsOf: $0) }
  }
}
