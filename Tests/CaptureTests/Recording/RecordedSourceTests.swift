import Citation
import Foundation
import Testing

@testable import Capture

@Suite struct RecordedSourceTests {
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString)").path()
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  }

  /// Windows as they are given, and counts that grow with them.
  private final class Packets: CaptureSource {
    var info = CaptureInfo(format: CaptureFormat(.live))
    var progress: (read: UInt64, size: UInt64?) { (0, nil) }
    private var windows: [[Int]]
    private var number: UInt64 = 0

    init(_ windows: [[Int]]) {
      self.windows = windows
      info.interfaces = [CaptureInterface(linkType: 1, snapLength: 100, clock: .nanoseconds, name: "eth0")]
      info.interfaces[0].filter = "tcp"
    }

    func fill(_ window: inout PacketWindow) -> Bool {
      window.packets.removeAll()
      guard !windows.isEmpty else { return false }
      var offset = 0
      for length in windows.removeFirst() {
        number += 1
        for at in 0..<length { window.bytes[offset + at] = UInt8(truncatingIfNeeded: number) }
        window.packets.append(
          PacketRecord(
            number: number, time: Timestamp(nanoseconds: Int64(number) * 1_001), offset: offset,
            capturedLength: length, wireLength: length + 1, linkType: 1, interface: 0))
        offset += length
      }
      info.interfaces[0].received = number + 3
      info.interfaces[0].droppedBySystem = 2
      info.interfaces[0].droppedByInterface = 1
      return true
    }
  }

  private func run(
    _ folder: Folder, _ windows: [[Int]], _ change: (inout RecordingOptions) -> Void = { _ in }
  ) throws -> (handed: [PacketRecord], info: CaptureInfo, status: DeviceStatus) {
    var options = RecordingOptions(path: folder.path + "/a.pcapng", application: "test")
    change(&options)
    let status = DeviceStatus()
    let source = try RecordedSource(Packets(windows), options, status)
    var window = PacketWindow()
    var handed: [PacketRecord] = []
    while try source.fill(&window) { handed += window.packets }
    return (handed, source.info, status)
  }

  private func read(_ path: String) throws -> (packets: [PacketRecord], info: CaptureInfo) {
    let file = try CaptureFile(path: path, filter: nil)
    var window = PacketWindow()
    var packets: [PacketRecord] = []
    while try file.fill(&window) { packets += window.packets }
    return (packets, file.info)
  }

  @Test("what is handed on is in the file, with what was counted")
  func whole() throws {
    let folder = try Folder()
    let (handed, _, status) = try run(folder, [[60, 61], [], [62]])
    #expect(folder.names == ["a.pcapng"])
    let (packets, info) = try read(folder.path + "/a.pcapng")
    #expect(packets.map(\.capturedLength) == [60, 61, 62])
    #expect(packets.map(\.time) == handed.map(\.time))
    #expect(packets.map(\.wireLength) == [61, 62, 63])
    #expect(info.problems.isEmpty)
    #expect(info.interfaces.map(\.filter) == ["tcp"])
    #expect(info.interfaces[0].received == 6)
    #expect(info.dropped == 3)
    #expect(status.failure == nil)
    #expect(
      try FileManager.default.attributesOfItem(atPath: folder.path + "/a.pcapng")[.posixPermissions] as? Int == 0o600)
  }

  @Test("without a packet there is a file that says so")
  func empty() throws {
    let folder = try Folder()
    _ = try run(folder, [])
    let (packets, info) = try read(folder.path + "/a.pcapng")
    #expect(packets.isEmpty && info.interfaces.count == 1 && info.problems.isEmpty)
  }

  @Test("files of as many packets, of which the last are kept, add up to the counts")
  func ring() throws {
    let folder = try Folder()
    let (handed, _, _) = try run(folder, [[60, 60, 60], [60, 60], [60, 60]]) {
      $0.next.packets = 2
      $0.filesKept = 3
    }
    #expect(handed.count == 7)
    #expect(folder.names.count == 3)
    let stamps = folder.names.map { $0.split(separator: "_") }
    #expect(stamps.map { $0[1] } == ["00002", "00003", "00004"])
    #expect(stamps.allSatisfy { $0[0] == "a" && $0[2].hasSuffix(".pcapng") && $0[2].utf8.count == 14 + 7 })
    let read = try folder.names.map { try self.read(folder.path + "/" + $0) }
    #expect(read.map(\.packets.count) == [2, 2, 1])
    #expect(read.map { $0.info.problems.count } == [0, 0, 0])
    // The first file, deleted, had all of the drops.
    #expect(read.compactMap(\.info.dropped) == [0, 0, 0])
  }

  @Test("files of a size end with the packet that reaches it")
  func size() throws {
    let folder = try Folder()
    _ = try run(folder, [[Int](repeating: 400, count: 10)]) { $0.next.bytes = 1_000 }
    let read = try folder.names.map { try self.read(folder.path + "/" + $0) }
    #expect(read.map(\.packets.count) == [3, 3, 3, 1])
    #expect(read.reduce(0) { $0 + ($1.info.dropped ?? 0) } == 3)
  }

  @Test("where the file's end is the capture's end, nothing after it is handed on")
  func stop() throws {
    let folder = try Folder()
    let (handed, _, status) = try run(folder, [[400, 400, 400, 400], [400]]) { $0.byteLimit = 1_000 }
    #expect(handed.count == 3)
    #expect(try read(folder.path + "/a.pcapng").packets.count == 3)
    #expect(status.failure == nil)
    let other = try Folder()
    let (rotated, _, _) = try run(other, [[400, 400, 400, 400], [400]]) {
      $0.next.packets = 2
      $0.fileLimit = 2
    }
    #expect(rotated.count == 4)
    #expect(other.names.count == 2)
  }

  @Test("what cannot be written is reported, before and while packets come")
  func full() throws {
    let error = #expect(throws: CaptureError.self) {
      try RecordedSource(
        Packets([]), RecordingOptions(path: "/nosuch/folder/a.pcapng", application: ""), DeviceStatus())
    }
    #expect(
      error?.description
        == "/nosuch/folder/a.pcapng: cannot be written: No such file or directory; make the folder first")
    #if os(Linux)
      let full = #expect(throws: CaptureError.self) {
        try RecordedSource(Packets([]), RecordingOptions(path: "/dev/full", application: ""), DeviceStatus())
      }
      #expect(full?.what == "cannot be written: No space left on device")
    #endif
  }

  @Test(
    "names are tshark's",
    arguments: [
      ("/x/a.pcapng", "/x/a_00007_", ".pcapng"), ("a", "a_00007_", ""), ("d.d/a", "d.d/a_00007_", ""),
      ("/x/.a", "/x/.a_00007_", ""), ("a.b.pcap", "a.b_00007_", ".pcap"),
    ])
  func names(path: String, start: String, end: String) {
    let name = RecordingNames.name(path, number: 7, at: 1_700_000_000)
    #expect(name.hasPrefix(start) && name.hasSuffix(end))
    #expect(name.utf8.count == start.utf8.count + 14 + end.utf8.count)
  }
}
