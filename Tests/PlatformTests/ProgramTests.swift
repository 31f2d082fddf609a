import Foundation
import Platform
import Testing

@Suite struct ProgramTests {
  @Test("clocks go on, and the time of day is that of others")
  func clocks() {
    let before = SystemClock.monotonic
    SystemClock.pause(microseconds: 2_000)
    #expect(SystemClock.monotonic - before >= 2_000_000)
    let others = Date().timeIntervalSince1970
    #expect(abs(Double(SystemClock.sinceEpoch) / 1e9 - others) < 5)
  }

  @Test("local dates are the calendar's", arguments: [0, 951_782_400, 1_700_000_000, 4_102_444_799])
  func dates(seconds: Int) throws {
    let time = try #require(LocalTime(secondsSinceEpoch: seconds))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let expected = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
    #expect(time.year == expected.year && time.month == expected.month && time.day == expected.day)
    #expect(time.hour == expected.hour && time.minute == expected.minute && time.second == expected.second)
  }

  @Test("the process knows itself")
  func process() throws {
    #expect(Program.identifier == ProcessInfo.processInfo.processIdentifier)
    #expect(Program.variable("PATH") == ProcessInfo.processInfo.environment["PATH"])
    #expect(Program.variable("STREAMSCOPE_NO_SUCH_VARIABLE") == nil)
    #expect(Program.folder == FileManager.default.currentDirectoryPath)
    #expect(Program.cores >= 1)
    #expect(Program.threads >= 1)
    #expect(Program.peakMemory > 1 << 20)
    #expect(FileStatus(of: try #require(Program.path))?.kind == .file)
  }

  @Test("root has an account, and nobody has that of no name")
  func accounts() {
    #expect(UserAccount(named: "root")?.user == 0)
    #expect(UserAccount(named: "no such user") == nil)
    #expect(UserAccount.current.user == getuid())
  }

  @Test("an ignored signal is known to be")
  func signals() {
    #expect(!Signal.user1.isIgnored)
    Signal.user1.ignore()
    #expect(Signal.user1.isIgnored)
    Signal.user1.handle { _ in }
    #expect(!Signal.user1.isIgnored)
  }

  @Test("bytes are found, compared and wiped")
  func memory() {
    var bytes: [UInt8] = [1, 2, 3, 2, 5]
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      #expect(Memory.distance(to: 2, from: start, count: 5) == 1)
      #expect(Memory.distance(to: 2, from: start + 2, count: 3) == 1)
      #expect(Memory.distance(to: 5, from: start, count: 4) == nil)
      #expect(Memory.isEqual(start + 1, start + 3, count: 1))
      #expect(!Memory.isEqual(start + 1, start + 3, count: 2))
    }
    bytes.withUnsafeMutableBytes { Memory.wipe(UnsafeMutableRawBufferPointer(rebasing: $0[1..<4])) }
    #expect(bytes == [1, 0, 0, 0, 5])
  }

  @Test("an address of a device is text without a zone")
  func addresses() {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let text = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { PacketDevices.text(of: $0) }
    }
    #expect(text == "127.0.0.1")
    address.sin_family = sa_family_t(AF_UNIX)
    let none = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { PacketDevices.text(of: $0) }
    }
    #expect(none == nil)
  }
}
