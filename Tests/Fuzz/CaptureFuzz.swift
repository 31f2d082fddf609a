import Capture

// The first byte of an input chooses how the rest arrives: in pieces of its low six bits (0 is all at once), with the
// top bit as from a slow pipe, and with the bit below through a filter. However it arrives, the packets must be those
// that come of reading all at once.

@_cdecl("LLVMFuzzerTestOneInput")
public func captureFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 1 else { return 0 }
  let choice = start[0]
  let file = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let filter = choice & 0x40 != 0 ? "tcp port 80 or udp" : nil
  let whole = digest(MemorySource(file), capacity: 4096, filter)
  let pieces = MemorySource(
    file, pieceLength: choice & 0x3F == 0 ? .max : Int(choice & 0x3F), keepsReady: choice < 0x80)
  let parts = digest(pieces, capacity: 64, filter)
  // How much of corrupt data an unpacking library gives before it notices depends on the room it is given.
  if whole == parts || whole.contains(where: { $0.contains("corrupt") }) { return 0 }
  fatalError("the packets depend on the pieces: \(whole) \(parts)")
}

/// Everything the reader says, in a form that can be compared; what it promises of a window is checked on the way.
private func digest(_ source: MemorySource, capacity: Int, _ filter: String?) -> [String] {
  var said: [String] = []
  do throws(CaptureError) {
    let capture = try CaptureFile(source, name: "fuzz", filter: filter)
    var window = PacketWindow(capacity: capacity)
    var last: UInt64 = 0
    var hash: UInt64 = 0
    while try capture.fill(&window) {
      for packet in window.packets {
        precondition(packet.number > last && packet.wireLength >= packet.capturedLength)
        precondition(Int(packet.interface) < capture.info.interfaces.count)
        last = packet.number
        hash = (hash ^ packet.number) &* 0x100_0000_01B3
        hash = (hash ^ UInt64(bitPattern: packet.time.nanoseconds)) &* 0x100_0000_01B3
        for byte in window.bytes[packet.offset..<packet.offset + packet.capturedLength] {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
      }
    }
    said.append("\(last) \(hash) \(capture.info.interfaces.hashValue) \(capture.info.secrets.hashValue)")
    said += capture.info.problems.map(\.description)
  } catch {
    said.append(error.description)
  }
  return said
}
