import Capture
import Citation

/// Captures made by hand, in either byte order, so that every field can be wrong on purpose.
struct CaptureBytes {
  var bytes: [UInt8] = []
  var isBig = false

  mutating func u8(_ value: UInt8) { bytes.append(value) }
  mutating func u16(_ value: UInt16) { append(value) }
  mutating func u32(_ value: UInt32) { append(value) }
  mutating func u64(_ value: UInt64) { append(value) }

  private mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: isBig ? value.bigEndian : value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func raw(_ more: [UInt8]) { bytes += more }

  // MARK: pcap

  static func pcap(
    magic: UInt32 = 0xA1B2_C3D4, isBig: Bool = false, minor: UInt16 = 4, linkType: UInt32 = 1,
    snapLength: UInt32 = 65535
  ) -> CaptureBytes {
    var file = CaptureBytes(isBig: isBig)
    file.u32(magic)
    file.u16(2)
    file.u16(minor)
    file.u64(0)
    file.u32(snapLength)
    file.u32(linkType)
    return file
  }

  mutating func record(
    _ packet: [UInt8], seconds: UInt32 = 1, fraction: UInt32 = 0, captured: UInt32? = nil, wire: UInt32? = nil,
    patched: Bool = false
  ) {
    u32(seconds)
    u32(fraction)
    u32(captured ?? UInt32(packet.count))
    u32(wire ?? UInt32(packet.count))
    if patched { u64(0) }
    raw(packet)
  }

  // MARK: pcapng

  mutating func block(_ type: UInt32, length: UInt32? = nil, tail: UInt32? = nil, _ body: (inout CaptureBytes) -> Void)
  {
    var inner = CaptureBytes(isBig: isBig)
    body(&inner)
    while inner.bytes.count % 4 != 0 { inner.u8(0) }
    let total = UInt32(inner.bytes.count + 12)
    u32(type)
    u32(length ?? total)
    raw(inner.bytes)
    u32(tail ?? length ?? total)
  }

  mutating func section(isBig: Bool = false, major: UInt16 = 1) {
    self.isBig = isBig
    block(0x0A0D_0D0A) { body in
      body.u32(0x1A2B_3C4D)
      body.u16(major)
      body.u16(0)
      body.u64(.max)
    }
  }

  mutating func option(_ code: UInt16, _ value: [UInt8], claiming length: UInt16? = nil) {
    u16(code)
    u16(length ?? UInt16(value.count))
    raw(value)
    while bytes.count % 4 != 0 { u8(0) }
  }

  mutating func interface(
    linkType: UInt16 = 1, snapLength: UInt32 = 0, _ options: (inout CaptureBytes) -> Void = { _ in }
  ) {
    block(1) { body in
      body.u16(linkType)
      body.u16(0)
      body.u32(snapLength)
      options(&body)
    }
  }

  mutating func enhanced(
    _ packet: [UInt8], interface: UInt32 = 0, units: UInt64 = 1_000_000, captured: UInt32? = nil, wire: UInt32? = nil
  ) {
    block(6) { body in
      body.u32(interface)
      body.u32(UInt32(units >> 32))
      body.u32(UInt32(truncatingIfNeeded: units))
      body.u32(captured ?? UInt32(packet.count))
      body.u32(wire ?? UInt32(packet.count))
      body.raw(packet)
    }
  }

  mutating func statistics(interface: UInt32 = 0, _ options: (inout CaptureBytes) -> Void) {
    block(5) { body in
      body.u32(interface)
      body.u64(0)
      options(&body)
    }
  }
}

/// A packet with its bytes, as it outlives the window.
struct ReadPacket: Equatable {
  var number: UInt64
  var nanoseconds: Int64
  var bytes: [UInt8]
  var wireLength: Int
  var linkType: UInt16
  var interface: UInt16
}

struct Reading {
  var packets: [ReadPacket] = []
  var info: CaptureInfo
  var windowLength = 0

  var numbers: [UInt64] { packets.map(\.number) }
}

/// Reads to the end, checking what every window promises.
func read(
  _ source: any ByteSource, window capacity: Int = 1 << 16, filter: String? = nil
) throws(CaptureError) -> Reading {
  let file = try CaptureFile(source, name: "test", filter: filter)
  var reading = Reading(info: file.info)
  var window = PacketWindow(capacity: capacity)
  while try file.fill(&window) {
    for packet in window.packets {
      reading.packets.append(
        ReadPacket(
          number: packet.number, nanoseconds: packet.time.nanoseconds,
          bytes: Array(window.bytes[packet.offset..<packet.offset + packet.capturedLength]),
          wireLength: packet.wireLength, linkType: packet.linkType, interface: packet.interface))
    }
  }
  reading.info = file.info
  reading.windowLength = window.bytes.count
  return reading
}

func read(_ bytes: [UInt8], filter: String? = nil) throws(CaptureError) -> Reading {
  try read(MemorySource(bytes), filter: filter)
}

/// The error that opening or reading ends with.
func refusal(_ bytes: [UInt8], filter: String? = nil) -> String? {
  do throws(CaptureError) {
    _ = try read(bytes, filter: filter)
    return nil
  } catch {
    return error.description
  }
}

/// An Ethernet frame with an IPv4 packet of TCP between the ports, payload of `length` bytes.
func tcpFrame(from source: UInt16, to destination: UInt16, length: Int = 4) -> [UInt8] {
  var frame = CaptureBytes(isBig: true)
  frame.raw([UInt8](repeating: 2, count: 12))
  frame.u16(0x0800)
  frame.u16(0x4500)
  frame.u16(UInt16(40 + length))
  frame.u32(0)
  frame.u16(0x4006)
  frame.u16(0)
  frame.u32(0x0A00_0001)
  frame.u32(0x0A00_0002)
  frame.u16(source)
  frame.u16(destination)
  frame.u64(0)
  frame.u16(0x5010)
  frame.u16(0xFFFF)
  frame.u32(0)
  frame.raw([UInt8](repeating: 0x61, count: length))
  return frame.bytes
}
