import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

@Suite("Bounds under load")
struct PressureTests {
  private static let start: Int64 = 1_700_000_000_000_000_000

  @Test("Memory pressure puts the idle connections away first, and says so.")
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
      frames.append(CapturedFrame(time: time, bytes: PacketBuilder(from: client, to: server, payload: "hello").frame))
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
