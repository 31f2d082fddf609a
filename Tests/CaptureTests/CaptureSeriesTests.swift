import Capture
import Foundation
import Testing

/// A folder of files, gone after the test.
private final class Folder {
  let path = NSTemporaryDirectory() + "series-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  /// A file with a packet at each of these seconds; its first byte is the second.
  func pcap(_ name: String, _ seconds: [UInt32], cut: Int = 0, from port: UInt16 = 80) throws -> String {
    var file = CaptureBytes.pcap()
    for second in seconds { file.record(tcpFrame(from: port, to: UInt16(second)), seconds: second) }
    return try write(file.bytes.dropLast(cut), name)
  }
}

private struct SeriesReading {
  var seconds: [Int64] = []
  var numbers: [UInt64] = []
  var ports: [UInt16] = []
  var series: CaptureSeries
  var problems: [String] { series.info.problems.map(\.description) }

  init(_ paths: [String], filter: String? = nil, window capacity: Int = 1 << 16) throws(CaptureError) {
    series = try CaptureSeries(paths: paths, filter: filter)
    var window = PacketWindow(capacity: capacity)
    while try series.fill(&window) {
      for packet in window.packets {
        seconds.append(packet.time.nanoseconds / 1_000_000_000)
        numbers.append(packet.number)
        // Where the destination port stands: the bytes belong to the packet, wherever they were moved.
        let at = packet.offset + 36
        ports.append(UInt16(window.bytes[at]) << 8 | UInt16(window.bytes[at + 1]))
      }
    }
  }
}

@Suite("A series of files is read as one capture")
struct CaptureSeriesTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("Files are read in the order of their first packets, whatever the given order, and their packets numbered on.")
  func order() throws {
    let first = try folder.pcap("cap.pcap", [1, 2])
    let second = try folder.pcap("cap.pcap1", [3])
    let third = try folder.pcap("cap.pcap10", [6, 7])
    let middle = try folder.pcap("cap.pcap2", [4, 5])
    let reading = try SeriesReading([first, second, third, middle])
    #expect(reading.seconds == [1, 2, 3, 4, 5, 6, 7])
    #expect(reading.ports == [1, 2, 3, 4, 5, 6, 7])
    #expect(reading.numbers == [1, 2, 3, 4, 5, 6, 7])
    #expect(reading.series.isReordered)
    #expect(reading.series.name == first + " … " + third)
    #expect(try !SeriesReading([first, second, middle, third]).series.isReordered)
  }

  @Test("Of equal times names decide, with numbers in them read as numbers.")
  func ties() throws {
    let names = ["cap.pcap10", "cap.pcap9"]
    let paths = try names.enumerated().map { try folder.pcap($1, [5], from: UInt16($0)) }
    let reading = try SeriesReading(paths)
    #expect(reading.series.firstPath == paths[1])
  }

  @Test("A packet is in its file, under the number that it has there.", arguments: [64, 300, 1 << 16])
  func places(window: Int) throws {
    let first = try folder.pcap("a0.pcap", [1, 2])
    let second = try folder.pcap("a1.pcap", [3, 4, 5])
    let third = try folder.pcap("a2.pcap", [6])
    let reading = try SeriesReading([first, second, third], window: window)
    let table = reading.series.table
    #expect(table.place(of: 0) == nil)
    let expected: [(String, UInt64)] = [(first, 1), (first, 2), (second, 1), (second, 2), (second, 3), (third, 1)]
    for (number, place) in zip(reading.numbers, expected) {
      #expect(table.place(of: number)?.file == place.0)
      #expect(table.place(of: number)?.number == place.1)
    }
  }

  @Test("Packets that a filter drops keep their numbers, also at the end of a file.")
  func filtered() throws {
    let first = try folder.pcap("a0.pcap", [1, 2, 3])
    let second = try folder.pcap("a1.pcap", [4, 5])
    let reading = try SeriesReading([first, second], filter: "dst port 1 or dst port 5")
    #expect(reading.numbers == [1, 5])
    #expect(reading.series.table.place(of: 5)?.number == 2)
    #expect(throws: CaptureError.self) { try SeriesReading([first, second], filter: "no such thing") }
  }

  @Test("Empty files are named, and are no failure.")
  func empty() throws {
    let first = try folder.pcap("a0.pcap", [1])
    let header = try folder.pcap("a1.pcap", [])
    let nothing = try folder.write([], "a2.pcap")
    let last = try folder.pcap("a3.pcap", [90])
    let reading = try SeriesReading([first, header, nothing, last])
    #expect(reading.seconds == [1, 90])
    #expect(reading.problems == [header + " has no packets", nothing + " has no packets"])
    #expect(reading.series.info.unreadableMembers == 0)
    #expect(reading.series.info.isComplete)
    #expect(reading.series.info.losses == [])
  }

  @Test("A file that is cut short or unreadable is named, and the others are read.")
  func damaged() throws {
    let first = try folder.pcap("a0.pcap", [1, 2])
    let cut = try folder.pcap("a1.pcap", [3, 4], cut: 5)
    let text = try folder.write(Array("what is this?".utf8), "a2.pcap")
    let missing = folder.path + "/a3.pcap"
    let last = try folder.pcap("a4.pcap", [9, 10])
    let reading = try SeriesReading([missing, text, last, first, cut])
    #expect(reading.seconds == [1, 2, 3, 9, 10])
    #expect(reading.numbers == [1, 2, 3, 4, 5])
    #expect(reading.series.info.unreadableMembers == 3)
    #expect(!reading.series.info.isComplete)
    #expect(reading.problems.count == 4)
    #expect(reading.problems.contains { $0.hasPrefix(text + " was not read: not a capture") })
    #expect(reading.problems.contains { $0.hasPrefix(missing + " was not read: cannot be opened") })
    #expect(reading.problems.contains { $0.hasPrefix(cut + ": the capture is cut short at byte") })
    // By number, a2 and a3 are missing between a1 and a4.
    #expect(reading.problems.contains { $0.hasPrefix("2 files between \(cut) and \(last) missing or unread") })
    #expect(reading.series.info.losses.map(\.after.number) == [3])
    #expect(throws: CaptureError.self) { try SeriesReading([missing, text]) }
  }

  @Test("A pause that no other is like may be a missing file; where a counter goes on, it is none.")
  func gaps() throws {
    let named = try [folder.pcap("night.pcap", [1, 2, 3]), folder.pcap("day.pcap", [60, 61])]
    let reading = try SeriesReading(named)
    #expect(reading.problems.count == 1)
    #expect(reading.problems[0].hasPrefix("57.000 s without packets between"))
    #expect(reading.series.info.losses.map(\.before.number) == [4])
    let counted = try [folder.pcap("b1.pcap", [1, 2, 3]), folder.pcap("b2.pcap", [60, 61])]
    #expect(try SeriesReading(counted).problems == [])
    let slow = try [folder.pcap("one.pcap", [1, 31]), folder.pcap("two.pcap", [61])]
    #expect(try SeriesReading(slow).problems == [])
  }

  @Test("A ring that wrapped begins where its oldest file is.")
  func ring() throws {
    let ring = try [(0, [21, 22]), (1, [31]), (2, [1, 2]), (3, [11])].map { number, seconds in
      try folder.pcap("ring_0000\(number)", seconds.map(UInt32.init))
    }
    let reading = try SeriesReading(ring)
    #expect(reading.seconds == [1, 2, 11, 21, 22, 31])
    #expect(reading.problems == [])
  }

  @Test("Time that two files share is named.")
  func overlap() throws {
    let paths = try [folder.pcap("a0.pcap", [1, 2, 10]), folder.pcap("a1.pcap", [7, 12])]
    let reading = try SeriesReading(paths)
    #expect(reading.problems == ["\(paths[1]) begins 3.000 s before \(paths[0]) ends"])
    #expect(reading.series.info.losses.count == 1)
  }

  @Test("The same interface in several files is one.")
  func interfaces() throws {
    let paths = try (0..<3).map { number in
      var file = CaptureBytes()
      file.section()
      file.interface()
      file.enhanced(tcpFrame(from: 80, to: 90), units: UInt64(number + 1) * 1_000_000)
      file.statistics { body in body.option(5, [7, 0, 0, 0, 0, 0, 0, 0]) }
      return try folder.write(file.bytes, "n\(number).pcapng")
    }
    let reading = try SeriesReading(paths)
    #expect(reading.series.info.interfaces.count == 1)
    #expect(reading.series.info.dropped == 21)
  }

  @Test("A window does not grow, whatever the lengths of the files.")
  func windows() throws {
    let paths = try (1...40).map { number in
      let first = UInt32(number * 100)
      return try folder.pcap("w\(number).pcap", Array(first..<first + (number % 2 == 0 ? 60 : 5)))
    }
    let series = try CaptureSeries(paths: paths, filter: nil)
    var window = PacketWindow(capacity: 2_000)
    var packets = 0
    while try series.fill(&window) {
      packets += window.packets.count
      #expect(window.bytes.count == 2_000)
    }
    #expect(packets == 20 * 65)
  }

  /// A file of pcapng with secrets before or behind its packets.
  private func pcapng(
    _ name: String, _ seconds: Range<Int>, secrets: [[UInt8]], areLast: Bool = false
  ) throws -> String {
    var packets = CaptureBytes()
    for second in seconds { packets.enhanced(tcpFrame(from: 80, to: 90), units: UInt64(second) * 1_000_000) }
    var blocks = CaptureBytes()
    for secret in secrets {
      blocks.block(10) { body in
        body.u32(DecryptionSecrets.tlsKeyLog)
        body.u32(UInt32(secret.count))
        body.raw(secret)
      }
    }
    var file = CaptureBytes()
    file.section()
    file.interface()
    let rest = areLast ? packets.bytes + blocks.bytes : blocks.bytes + packets.bytes
    return try folder.write(file.bytes + rest, name)
  }

  @Test("Secrets that several files hold are kept once, also those behind the packets.")
  func secrets() throws {
    let paths = try [
      pcapng("s0.pcapng", 1..<3, secrets: [Array("a key log".utf8)]),
      pcapng("s1.pcapng", 3..<5, secrets: [Array("a key log".utf8)]),
      pcapng("s2.pcapng", 5..<7, secrets: [Array("another".utf8)], areLast: true),
    ]
    let secrets = try SeriesReading(paths).series.info.secrets
    #expect(secrets.map { String(decoding: $0.bytes, as: UTF8.self) } == ["a key log", "another"])
  }

  @Test("Secrets beyond the limit are counted once, however many windows their file fills.")
  func secretsCut() throws {
    let allowed = (0..<256).map { [UInt8](repeating: UInt8($0), count: CaptureLimits.secrets / 256) }
    let paths = try [
      pcapng("s0.pcapng", 1..<3, secrets: allowed, areLast: true),
      pcapng("s1.pcapng", 3..<3_000, secrets: [[UInt8](repeating: 0x62, count: 8_192)]),
    ]
    let reading = try SeriesReading(paths)
    #expect(reading.series.info.secrets.count == allowed.count)
    #expect(reading.series.info.problems == [.secretsCut(bytes: 8_192)])
  }
}
