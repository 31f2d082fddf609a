import Citation
// From a script to the bytes of a capture file, so that a whole run can be made from text:
//
//   let capture = ScriptedCapture("> SYN\n< RST ack=0 ①\n")
//   let run = try await CaptureRun(capture.bytes)
//   capture.markers[1]                               // the packet number of ①
//
// Several conversations are merged by time, as one interface would have seen them; markers then keep their meaning as
// long as no two conversations use the same one.
import Decode

/// A frame as a capture file records it: the bytes may be fewer than were on the wire.
package struct CapturedFrame: Sendable {
  /// Nanoseconds since the epoch.
  package var time: Int64
  package var bytes: [UInt8]
  package var wireLength: Int

  package init(time: Int64, bytes: [UInt8], wireLength: Int? = nil) {
    self.time = time
    self.bytes = bytes
    self.wireLength = wireLength ?? bytes.count
  }

  /// A classic capture file of Ethernet frames, little-endian with nanoseconds.
  package static func file(_ frames: [CapturedFrame]) -> [UInt8] {
    var file = pcap([])
    for frame in frames { file += record(frame) }
    return file
  }

  /// One record of such a file.
  package static func record(_ frame: CapturedFrame) -> [UInt8] {
    let word = { (value: Int64) -> [UInt8] in UInt32(truncatingIfNeeded: value).wire.reversed() }
    return word(frame.time / 1_000_000_000) + word(frame.time % 1_000_000_000) + word(Int64(frame.bytes.count))
      + word(Int64(frame.wireLength)) + frame.bytes
  }
}

/// A script between two endpoints.
package struct Conversation: Sendable {
  package var client: Endpoint
  package var server: Endpoint
  package var script: WireScript

  package init(_ script: WireScript, client: Endpoint = "10.0.0.1:40000", server: Endpoint = "10.0.0.2:80") {
    self.client = client
    self.server = server
    self.script = script
  }

  package init(
    _ text: String, client: Endpoint = "10.0.0.1:40000", server: Endpoint = "10.0.0.2:80",
    start: Int64 = 1_700_000_000_000_000_000
  ) {
    self.init(WireScript(text, start: start), client: client, server: server)
  }

  /// The script's packets as Ethernet frames, in order.
  package var frames: [CapturedFrame] { script.packets.map(frame) }

  private func frame(_ packet: WireScript.Packet) -> CapturedFrame {
    let isClient = packet.direction == .toServer
    if packet.isDatagram {
      let (source, target) = isClient ? (client, server) : (server, client)
      let datagram = Wire.ip(
        from: source.address, to: target.address, protocol: 17,
        payload: Wire.udp(from: source, to: target, payload: packet.payload))
      let frame = Wire.ethernet(
        datagram, from: isClient ? Wire.clientMAC : Wire.serverMAC, to: isClient ? Wire.serverMAC : Wire.clientMAC)
      return CapturedFrame(time: packet.nanoseconds, bytes: frame)
    }
    if let error = packet.error {
      let (source, target) = isClient ? (client, server) : (server, client)
      let quoted = frame(script.packets[error.quoted]).bytes.dropFirst(14).prefix(28)
      let message = Wire.ip(
        from: source.address, to: target.address, protocol: 1,
        payload: Wire.icmp(
          from: source.address, to: target.address, type: error.type, code: error.code, payload: Array(quoted)))
      let frame = Wire.ethernet(
        message, from: isClient ? Wire.clientMAC : Wire.serverMAC, to: isClient ? Wire.serverMAC : Wire.clientMAC)
      return CapturedFrame(time: packet.nanoseconds, bytes: frame)
    }
    var builder = PacketBuilder(from: isClient ? client : server, to: isClient ? server : client)
    builder.flags = TCPFlags(rawValue: packet.flags)
    builder.sequence = packet.sequence
    builder.acknowledgment = packet.acknowledgment
    builder.window = packet.window
    builder.timeToLive = packet.timeToLive
    builder.identification = packet.identification
    builder.options =
      (packet.scale.map { TCPOption.nop + TCPOption.windowScale($0) } ?? [])
      + (packet.stamps.map { TCPOption.timestamps($0.value, echo: $0.echo) } ?? [])
      + (packet.selectiveAck.map { TCPOption.selectiveAcks([$0]) } ?? [])
    // What the snapshot length cut off was on the wire, so the headers count it.
    let cut = packet.wireLength - packet.payload.count
    builder.payload = packet.payload + [UInt8](repeating: 0, count: cut)
    let source = isClient ? Wire.clientMAC : Wire.serverMAC
    let frame = Wire.ethernet(
      builder.datagram, from: packet.linkSource.map { source.dropLast() + [$0] } ?? source,
      to: isClient ? Wire.serverMAC : Wire.clientMAC)
    return CapturedFrame(
      time: packet.nanoseconds, bytes: Array(frame.dropLast(cut)), wireLength: frame.count)
  }
}

/// Conversations as one capture.
package struct ScriptedCapture: Sendable {
  package private(set) var frames: [CapturedFrame] = []
  /// Packet numbers in the capture by marker, `1` for ①.
  package private(set) var markers: [Int: UInt64] = [:]
  /// Mistakes in the scripts; a test that uses one expects none.
  package private(set) var problems: [String] = []

  package init(_ conversations: [Conversation]) {
    problems = conversations.flatMap(\.script.problems)
    var merged: [(frame: CapturedFrame, conversation: Int, number: UInt64)] = []
    for (index, conversation) in conversations.enumerated() {
      for (number, frame) in conversation.frames.enumerated() { merged.append((frame, index, UInt64(number + 1))) }
    }
    // A single script keeps its own order: it may let time run backwards on purpose.
    if conversations.count > 1 {
      merged.sort { ($0.frame.time, $0.conversation, $0.number) < ($1.frame.time, $1.conversation, $1.number) }
    }
    for (index, conversation) in conversations.enumerated() {
      for (marker, number) in conversation.script.markers {
        if markers[marker] != nil { problems.append("marker \(marker) stands twice") }
        markers[marker] = merged.firstIndex { $0.conversation == index && $0.number == number }.map { UInt64($0 + 1) }
      }
    }
    frames = merged.map(\.frame)
  }

  package init(_ conversation: Conversation) { self.init([conversation]) }
  package init(_ text: String) { self.init(Conversation(text)) }

  /// The whole capture file.
  package var bytes: [UInt8] { CapturedFrame.file(frames) }
}
