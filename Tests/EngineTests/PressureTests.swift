import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

@Suite("Bounds under load")
struct PressureTests {
  private static let start: Int64 = 1_700_000_000_000_000_000

  @Test("Memory pressure evicts the idle connections first, and says so.")
  func eviction() async throws {
    // More connections than the smallest budget holds, all open, and one of them busy to the end.
    let count = 4_000
    let busy = Endpoint("10.1.0.1:50000")
    let server = Endpoint("10.0.0.2:80")
    var frames: [CapturedFrame] = []
    var sent: UInt32 = 1_001
    var busyPackets: UInt64 = 0
    for index in 0..<count {
      let client = Endpoint(address: IPAddress(v4: 0x0A02_0000 | UInt32(index)), port: 40_000)
      let time = Self.start + Int64(index) * 1_000_000
      let syn = PacketBuilder(from: client, to: server, flags: .syn, sequence: 1_000)
      let hello = PacketBuilder(from: client, to: server, sequence: 1_001, payload: "hello")
      frames.append(CapturedFrame(time: time, bytes: syn.frame))
      frames.append(CapturedFrame(time: time, bytes: hello.frame))
      if index % 8 == 0 {
        let packet = PacketBuilder(from: busy, to: server, sequence: sent, payload: "busy")
        frames.append(CapturedFrame(time: time + 1, bytes: packet.frame))
        sent += 4
        busyPackets += 1
      }
    }
    var options = PipelineOptions()
    options.memory = 1
    let run = try await CaptureRun(CapturedFrame.file(frames), options)
    let evicted = run.connections.filter { $0.end.kind == .evicted }
    #expect(run.connections.count == count + 1)
    #expect(evicted.count > 1_000)
    #expect(
      run.summary.capture.limits == [
        "\(Wording.number(UInt64(evicted.count))) connections evicted early to stay within the memory limit (raise --memory)"
      ])
    let record = try #require(run.connections.first { $0.client == busy })
    #expect(record.end.kind == .open)
    #expect(record.sides.toServer.bytes == 4 * busyPackets)
    // Of the idle ones the youngest are still there: a lane keeps those that spoke last.
    #expect(run.connections.suffix(200).allSatisfy { $0.end.kind == .open })
    #expect(run.connections.prefix(200).filter { $0.client != busy }.allSatisfy { $0.end.kind == .evicted })
  }

  /// More streams than there is room for, all in use: the client says a byte on each of them in turn.
  private static let streams = 4_000

  private static func said(_ stream: Int, round: Int, at time: Int64) -> CapturedFrame {
    let client = Endpoint(address: IPAddress(v4: 0x0A02_0000 | UInt32(stream)), port: 40_000)
    let packet =
      round < 0
      ? PacketBuilder(from: client, to: "10.0.0.2:80", flags: .syn, sequence: 1_000)
      : PacketBuilder(from: client, to: "10.0.0.2:80", sequence: 1_001 + UInt32(round), payload: "x")
    return CapturedFrame(time: start + time, bytes: packet.frame)
  }

  @Test("Streams that find room are followed to their end, whatever the others say that did not.")
  func crowd() async throws {
    var frames: [CapturedFrame] = []
    for round in -1..<6 {
      for stream in 0..<Self.streams {
        frames.append(Self.said(stream, round: round, at: Int64(round * Self.streams + stream) * 10_000))
      }
    }
    var options = PipelineOptions()
    options.memory = 1
    let run = try await CaptureRun(CapturedFrame.file(frames), options)
    #expect(run.connections.count == Self.streams)
    let open = run.connections.filter { $0.end.kind == .open }
    #expect(open.count > 500)
    #expect(open.allSatisfy { $0.sides.toServer.packets == 7 })
    let read = run.connections.reduce(0) { $0 + $1.sides.toServer.packets }
    #expect(run.summary.capture.unread == UInt64(frames.count) - read)
    #expect(
      run.summary.capture.limits == [
        "\(Wording.number(UInt64(Self.streams - open.count))) connections evicted early to stay within the memory limit (raise --memory)",
        "\(Wording.number(UInt64(frames.count) - read)) packets not read after that, of connections that were evicted or began before the capture",
      ])
  }

  @Test("Where nobody else has said anything for a minute, what comes again is read again.")
  func quietCrowd() async throws {
    var frames = (-1..<1).flatMap { round in
      (0..<Self.streams).map { Self.said($0, round: round, at: Int64(round * Self.streams + $0) * 10_000) }
    }
    frames.append(Self.said(0, round: 1, at: 59_000_000_000))
    frames.append(Self.said(0, round: 2, at: 61_000_000_000))
    var options = PipelineOptions()
    options.memory = 1
    let run = try await CaptureRun(CapturedFrame.file(frames), options)
    let again = run.connections.filter { $0.client.address == IPAddress(v4: 0x0A02_0000) }
    #expect(again.count == 2)
    #expect(again.first?.end.kind == .evicted)
    #expect(again.last?.firstPacket.number == UInt64(frames.count))
  }

  @Test("Where others have closed, what comes again is read again.")
  func endedCrowd() async throws {
    var frames = (-1..<1).flatMap { round in
      (0..<Self.streams).map { Self.said($0, round: round, at: Int64(round * Self.streams + $0) * 10_000) }
    }
    for stream in 0..<Self.streams {
      let client = Endpoint(address: IPAddress(v4: 0x0A02_0000 | UInt32(stream)), port: 40_000)
      let reset = PacketBuilder(from: client, to: "10.0.0.2:80", flags: .rst, sequence: 1_002)
      frames.append(CapturedFrame(time: Self.start + 1_000_000_000 + Int64(stream), bytes: reset.frame))
    }
    frames.append(Self.said(0, round: 1, at: 2_000_000_000))
    var options = PipelineOptions()
    options.memory = 1
    let run = try await CaptureRun(CapturedFrame.file(frames), options)
    let again = run.connections.filter { $0.client.address == IPAddress(v4: 0x0A02_0000) }
    #expect(again.map(\.end.kind) == [.evicted, .open])
    #expect(again.last?.firstPacket.number == UInt64(frames.count))
  }

  @Test("A flood of 50,000 SYNs does not hide the one real connection among them.")
  func flood() async throws {
    let real = Conversation(
      MixedCapture.hello
        + "> \"ask\"\n+200ms\n< \"answer\"\n+200ms\n> \"GET /good\" \n> \"GET /evil\" @3\n< ACK\n> FIN\n< FIN\n> ACK\n",
      client: "10.9.9.9:40000", server: "10.0.0.2:443", start: Self.start)
    var frames = real.frames
    for index in 0..<50_000 {
      let client = Endpoint(address: IPAddress(v4: 0xC000_0000 | UInt32(index)), port: UInt16(1_024 + index % 60_000))
      let packet = PacketBuilder(from: client, to: "10.0.0.2:443", flags: .syn, sequence: UInt32(index))
      frames.append(CapturedFrame(time: Self.start + Int64(index) * 10_000, bytes: packet.frame))
    }
    frames.sort { $0.time < $1.time }
    let run = try await CaptureRun(CapturedFrame.file(frames))
    #expect(run.summary.connections == 50_001)
    #expect(run.summary.capture.limits.isEmpty)
    let record = try #require(run.connections.first { $0.client == real.client })
    #expect(record.sides.toServer.bytes == 12)
    #expect(record.sides.toClient.bytes == 6)
    #expect(record.end.kind == .fin)
    #expect(record.end.by == .client)
    let finding = try #require(run.findings.first)
    #expect(run.findings.count == 1)
    #expect(finding.rule == "tcp/overlap-conflict")
    #expect(finding.connection == record.number)
    // Every packet before its first one opened a connection of its own.
    #expect(record.number == frames.filter { $0.time < record.firstPacket.time.nanoseconds }.count + 1)
    #expect(Set(run.connections.map(\.number)).count == 50_001)
  }
}
