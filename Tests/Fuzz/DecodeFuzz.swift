import Citation
// libFuzzer driver of the frame decoder. Built outside the package, since libFuzzer brings its own main.
//
// Input: two bytes that choose the link type, then frames, each behind one byte of length (in words of four) and one
// byte that moves the clock. One decoder sees them all, so that fragments of one input meet.
import Decode

private let linkTypes: [UInt16] = [0, 1, 9, 12, 14, 50, 51, 101, 104, 105, 108, 113, 127, 149, 204, 228, 229, 258, 276]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecode(_ input: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let input, count > 2 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: input, count: count))
  let chosen = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  // The first byte alone chooses a known type; a first byte of 255 leaves the number to the second.
  let linkType = bytes[0] == 255 ? chosen : linkTypes[Int(bytes[0]) % linkTypes.count]
  var decoder = FrameDecoder()
  var frame = DecodedFrame()
  // The long way alone: it gives the same segments.
  var walker = FrameDecoder()
  var walked = DecodedFrame()
  var frames: UInt64 = 0
  var results: UInt64 = 0
  var time: Int64 = 0
  var at = 2
  while at + 2 <= bytes.count {
    let length = min(Int(bytes[at]) * 4, bytes.count - at - 2)
    time += Int64(bytes[at + 1]) * 100_000_000
    at += 2
    frames += 1
    let packet = PacketRef(number: frames, time: Timestamp(nanoseconds: time))
    decoder.decode(
      bytes.span.extracting(at..<at + length), linkType: linkType, packet: packet, wireLength: length, interface: 0,
      base: 0, into: &frame)
    walker.walk(
      through: bytes.span.extracting(at..<at + length), linkType: linkType, packet: packet, wireLength: length,
      interface: 0, base: 0, into: &walked)
    precondition(frame.content == walked.content && (frame.content != .segment || frame.segment == walked.segment))
    if case .none = frame.kind {} else { results += 1 }
    if case .tcp(let segment) = frame.kind {
      let room = frame.isReassembled ? decoder.reassembled.count : length
      precondition(segment.payloadRange.upperBound <= room && segment.optionsRange.upperBound <= room)
      precondition(segment.payloadCaptured <= segment.payloadLength)
    }
    at += length
  }
  let counted = decoder.undecoded.reduce(0) { $0 + $1.count }
  precondition(results + counted + decoder.joinedFragments == frames, "a frame was neither decoded nor counted")
  return 0
}
