import Capture
import Citation
import Decode
import Engine
import Events
import Reassembly

/// The stages between a file and a report that nobody prints.
struct Stages {
  let file: String
  let runs: Int

  func measure() async throws {
    var packets: UInt64 = 0
    var bytes: UInt64 = 0
    try read {
      packets += UInt64($0.packets.count)
      bytes += $0.packets.reduce(0) { $0 + UInt64($1.capturedLength) }
    }
    print("\(file): \(packets) packets, \(bytes) bytes captured\n")
    printRow("stage", "packets/s", "MB/s", "ns/packet", "own", "alloc/packet", "peak MiB")
    var previous: UInt64 = 0
    func show(_ name: String, _ cost: Cost) {
      let each = cost.nanoseconds / max(1, packets)
      let own = each >= previous ? "\(each - previous)" : "-\(previous - each)"
      let rate = packets * 1_000_000_000 / max(1, cost.nanoseconds)
      printRow(
        name, "\(rate)", "\(cost.megabytesPerSecond(bytes))", "\(each)", own, ratio(cost.allocations, packets),
        "\(peakMebibytes)")
      previous = each
    }
    show("read", try await Cost.least(of: runs) { try read { _ in } })
    show("+ decode", try await Cost.least(of: runs) { try decode { _, _ in } })
    show("+ streams", try await Cost.least(of: runs) { try follow() })
    show("whole, 1 job", try await Cost.least(of: runs) { try await analyze(jobs: 1) })
    show("whole, 2 jobs", try await Cost.least(of: runs) { try await analyze(jobs: 2) })
  }

  /// Windows take turns, so that those before can still be looked at, as the engine's lanes do.
  private func read(_ body: (PacketWindow) throws -> Void) throws {
    let source = try CaptureFile(path: file, filter: nil)
    var windows = (0...DeliveredHistory.windowCount).map { _ in PacketWindow() }
    var turn = 0
    while try source.fill(&windows[turn]) {
      try body(windows[turn])
      turn = (turn + 1) % windows.count
    }
  }

  /// Segments that came whole; the few put together from fragments are decoded and dropped.
  private func decode(begin: (PacketWindow) -> Void = { _ in }, _ body: (TCPSegment, Span<UInt8>) -> Void) throws {
    var decoder = FrameDecoder()
    var frame = DecodedFrame()
    try read { window in
      begin(window)
      let bytes = window.bytes.span
      for packet in window.packets {
        decoder.decode(
          bytes.extracting(packet.offset..<packet.offset + packet.capturedLength), linkType: packet.linkType,
          packet: PacketRef(number: packet.number, time: packet.time), wireLength: packet.wireLength,
          interface: packet.interface, base: packet.offset, into: &frame)
        if frame.content == .segment, !frame.isReassembled { body(frame.segment, bytes) }
      }
    }
  }

  /// One table instead of the engine's lanes, so all connections are in one index.
  private func follow() throws {
    var table = FlowTable(seed: 1)
    var limits = ReassemblyLimits()
    limits.laneBytes *= Lane.count
    var scene = StreamScene(limits: limits)
    var outputs = ReassemblyOutputs()
    try decode(begin: { scene.history.enter($0.bytes) }) { segment, bytes in
      outputs.removeAll()
      _ = table.receive(segment, bytes, &scene, into: &outputs)
      while table.hasLeftovers {
        while let slot = table.overdue.first { table.release(slot) }
        if let slot = table.takeAbandoned(into: &outputs) { table.release(slot) }
      }
    }
  }

  private func analyze(jobs: Int) async throws {
    var options = PipelineOptions()
    options.jobs = jobs
    var pipeline = Pipeline(try CaptureFile(path: file, filter: nil), file: file, options)
    _ = try await pipeline.run(stop: StopFlag(), progress: { _ in }, begin: { _ in }, emit: { _ in })
  }
}
