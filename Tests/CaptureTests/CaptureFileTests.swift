import Capture
import Foundation
import Testing

@Suite struct CaptureFileTests {
  static func refusalOfFile(_ path: String) -> String? {
    do throws(CaptureError) {
      _ = try CaptureFile(path: path, filter: nil)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("a file that cannot be opened is refused in one line")
  func unreadable() {
    #expect(
      CaptureFileTests.refusalOfFile("/no/such/file")
        == "/no/such/file: cannot be opened: No such file or directory; check the path")
    #expect(CaptureFileTests.refusalOfFile("/") == "/: is a directory; name the capture files in it")
    #expect(CaptureFileTests.refusalOfFile("/dev/null")?.hasPrefix("/dev/null: empty") == true)
    #expect(
      CaptureFileTests.refusalOfFile("/no/\u{1B}[2J\n\u{202E}x")?.hasPrefix("/no/\\u{1b}[2J\\u{a}\\u{202e}x: ") == true)
  }

  @Test("a file on disk is read with its size reported")
  func onDisk() throws {
    var template = Array("/tmp/capture-test-XXXXXX\0".utf8).map(CChar.init)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    defer { unlink(path) }
    let bytes = PcapFlavour.all[0].file(packets: 100)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    let file = try CaptureFile(path: path, filter: nil)
    var window = PacketWindow(capacity: 500)
    var count = 0
    while try file.fill(&window) { count += window.packets.count }
    #expect(count == 100)
    #expect(file.progress.read == UInt64(bytes.count))
    #expect(file.progress.size == UInt64(bytes.count))
    #expect(try !file.fill(&window))
  }

  @Test("packets of a slow pipe come at once")
  func slowPipe() throws {
    let bytes = PcapFlavour.all[0].file(packets: 100)
    let file = try CaptureFile(MemorySource(bytes, pieceLength: 200, keepsReady: false), name: "pipe")
    var window = PacketWindow()
    #expect(try file.fill(&window))
    #expect(!window.packets.isEmpty)
    #expect(window.packets.count < 20)
  }

  @Test(
    "a file that is no capture is told what it is",
    arguments: [
      ([UInt8]("PK\u{3}\u{4}".utf8), "zip"), (Array("{\"log\":".utf8), "HAR"), (Array("<html>".utf8), "HTML"),
      (Array("hello there\n".utf8), "text"), (Array("BZh91AY".utf8), "bzip2"), ([0x7F, 0x45, 0x4C, 0x46], "program"),
      ([UInt8](repeating: 0, count: 99), "zeros"), ([0xDE, 0xAD, 0xBE, 0xEF, 1], "de ad be ef"), ([0xD4], "1 bytes"),
      ([0, 0, 1, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0xFF], "etl2pcapng"), ([], "empty"),
    ] as [([UInt8], String)])
  func otherFiles(_ bytes: [UInt8], _ hint: String) throws {
    let message = try #require(refusal(bytes))
    #expect(message.contains(hint))
    #expect(!message.contains("\n"))
  }
}
