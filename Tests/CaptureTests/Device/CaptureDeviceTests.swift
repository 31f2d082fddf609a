import Citation
import Foundation
import Platform
import Testing

@testable import Capture

@Suite(.serialized) struct CaptureDeviceTests {
  static let isAllowed = (try? CaptureDevice(DeviceOptions(name: Loopback.name), DeviceStatus())) != nil

  @Test("devices are listed with their addresses")
  func list() throws {
    let devices = try CaptureDevices.list()
    #expect(devices.contains { $0.name == Loopback.name && $0.isLoopback && $0.addresses.contains("127.0.0.1") })
    #expect(devices.contains { $0.name == "any" } == Loopback.hasAny)
  }

  @Test("a device that is not there is reported with those that are", .enabled(if: isAllowed))
  func missing() {
    let error = #expect(throws: CaptureError.self) {
      try CaptureDevice(DeviceOptions(name: "nosuch9"), DeviceStatus())
    }
    #expect(error?.what == "no such device")
    #expect(error?.fix?.contains(Loopback.name) == true)
  }

  @Test("a filter is refused with libpcap's words", .enabled(if: isAllowed))
  func badFilter() {
    var options = DeviceOptions(name: Loopback.name)
    options.filter = "tcp.port == 80"
    let error = #expect(throws: CaptureError.self) { try CaptureDevice(options, DeviceStatus()) }
    #expect(error?.what.contains("syntax error") == true)
    #expect(error?.fix?.contains("display filter") == true)
  }

  @Test("who may not capture learns both ways out")
  func permission() {
    let error = DeviceHandle.error(-8, "", DeviceOptions(name: "eth0"))
    #expect(error.what == "no permission to capture")
    #if canImport(Darwin)
      #expect(error.fix?.contains("/dev/bpf") == true)
    #else
      if UserAccount.isRoot {
        #expect(error.fix?.contains("--cap-add NET_RAW") == true)
      } else {
        #expect(error.fix?.contains("sudo setcap cap_net_raw,cap_net_admin=eip /") == true)
      }
    #endif
  }

  @Test("what the filter lets through is captured, in order, and nothing after the end", .enabled(if: isAllowed))
  func capture() throws {
    let port = Datagrams.port()
    var options = DeviceOptions(name: Loopback.name)
    options.filter = "udp dst port \(port)"
    let status = DeviceStatus()
    let device = try CaptureDevice(options, status)
    let before = Self.now
    Datagrams.send(40, to: port)
    Datagrams.send(3, to: port &+ 1)
    var window = PacketWindow()
    var packets: [PacketRecord] = []
    for _ in 0..<4 where try device.fill(&window) { packets += window.packets }
    #expect(packets.map(\.number) == Array(1...40))
    #expect(
      packets.allSatisfy { $0.capturedLength == Loopback.headerLength + 20 + 8 + 5 && $0.linkType == Loopback.linkType }
    )
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(packets.allSatisfy { abs($0.time.since(before)) < 5_000_000_000 })
    // Time goes on without packets.
    #expect(try device.fill(&window) && window.packets.isEmpty)
    let clock = try #require(device.clock)
    #expect(abs(Self.now.since(clock)) < 5_000_000_000)
    Datagrams.send(7, to: port)
    status.stop()
    var rest = 0
    while try device.fill(&window) { rest += window.packets.count }
    #expect(rest == 7)
    #expect(status.current.captured == 47)
    #expect(status.current.dropped == 0)
    #expect(device.info.isComplete)
    Datagrams.send(2, to: port)
    #expect(try !device.fill(&window))
  }

  @Test("small windows go on from each other, and places in them stay what they were", .enabled(if: isAllowed))
  func continuing() throws {
    let port = Datagrams.port()
    var options = DeviceOptions(name: Loopback.name)
    options.filter = "udp dst port \(port)"
    let device = try CaptureDevice(options, DeviceStatus())
    var windows: [PacketWindow] = []
    for _ in 0..<3 {
      Datagrams.send(2, to: port)
      var window = PacketWindow()
      repeat { _ = try device.fill(&window) } while window.packets.isEmpty
      windows.append(window)
    }
    #expect(windows.map(\.continues) == [false, true, true])
    for (before, after) in zip(windows, windows.dropFirst()) {
      let end = before.packets.map { $0.offset + $0.capturedLength }.max() ?? 0
      #expect(after.bytes[..<end] == before.bytes[..<end])
      #expect(after.packets.allSatisfy { $0.offset >= end })
    }
  }

  @Test("a window without room is the last of its kind", .enabled(if: isAllowed))
  func full() throws {
    let port = Datagrams.port()
    var options = DeviceOptions(name: Loopback.name)
    options.filter = "udp dst port \(port)"
    let device = try CaptureDevice(options, DeviceStatus())
    var continues: [Bool] = []
    // What comes second fills the window behind the first so far that four of them hold what copies are compared over.
    for count in [1, 6, 1] {
      Datagrams.send(count, of: 60_000, to: port)
      var window = PacketWindow()
      repeat { _ = try device.fill(&window) } while window.packets.isEmpty
      continues.append(window.continues)
    }
    #expect(continues == [false, true, false])
  }

  @Test("it ends after as many packets as were asked for", .enabled(if: isAllowed))
  func limit() throws {
    let port = Datagrams.port()
    var options = DeviceOptions(name: Loopback.name)
    options.filter = "udp dst port \(port)"
    options.packetLimit = 5
    let device = try CaptureDevice(options, DeviceStatus())
    Datagrams.send(20, to: port)
    var window = PacketWindow()
    var count = 0
    while try device.fill(&window) { count += window.packets.count }
    #expect(count == 5)
  }

  @Test("it ends when its time is over", .enabled(if: isAllowed))
  func duration() throws {
    var options = DeviceOptions(name: Loopback.name)
    options.filter = "udp dst port \(Datagrams.port())"
    options.duration = 200_000_000
    let device = try CaptureDevice(options, DeviceStatus())
    let began = SystemClock.monotonic
    var window = PacketWindow()
    while try device.fill(&window) {}
    let elapsed = SystemClock.monotonic - began
    #expect((150_000_000..<5_000_000_000).contains(elapsed))
  }

  private static var now: Timestamp {
    Timestamp(nanoseconds: SystemClock.sinceEpoch)
  }
}

/// The loopback, as the system calls and captures it.
private enum Loopback {
  #if canImport(Darwin)
    static let name = "lo0"
    static let headerLength = 4
    static let linkType: UInt16 = 0
    static let hasAny = false
  #else
    static let name = "lo"
    static let headerLength = 14
    static let linkType: UInt16 = 1
    static let hasAny = true
  #endif
}

/// Datagrams on the loopback that nobody takes.
private enum Datagrams {
  static func port() -> UInt16 { UInt16.random(in: 20_000..<30_000) }

  static func send(_ count: Int, of length: Int = 5, to port: UInt16) {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_DGRAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let payload = [UInt8](repeating: 0x61, count: length)
    for _ in 0..<count {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = sendto(descriptor, payload, length, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }
}
