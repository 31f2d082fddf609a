import Capture
import Citation
import Support

extension ScriptedCapture {
  /// The capture as a pcapng file whose statistics say how many packets the host dropped.
  package func counted(dropped: UInt64) -> [UInt8] {
    var output: [UInt8] = []
    var writer = PcapNGWriter()
    writer.begin(application: "test", into: &output)
    let interface = writer.interface(linkType: 1, snapLength: 262_144, name: nil, into: &output)
    for frame in frames {
      writer.packet(
        frame.bytes.span, interface: interface, time: Timestamp(nanoseconds: frame.time), wireLength: frame.wireLength,
        into: &output)
    }
    writer.statistics(
      interface: interface, time: Timestamp(nanoseconds: frames.last?.time ?? 0), received: nil,
      delivered: UInt64(frames.count), droppedByInterface: 0, droppedBySystem: dropped, into: &output)
    return output
  }
}
