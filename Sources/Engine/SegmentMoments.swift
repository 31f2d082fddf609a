import Capture
import Citation
import Decode
import Events

/// When the segments of a capture were recorded, to be found in another capture of the same traffic.
///
/// A segment is known by its connection, its numbers, its length and its IP identification; one that is there twice shows
/// nothing. Of many, a share is kept: the same in each capture, because it is chosen by what is hashed.
package struct SegmentMoments {
  private static let limit = 1 << 16

  private struct Moment {
    var hosts: SharedMoment.Hosts
    var sentByLower: Bool
    /// nil for a segment that is there twice.
    var time: Timestamp?
  }

  private struct Segment: Hashable {
    var key: FlowKey
    var sentByLower: Bool
    var flags: UInt8
    var sequence: UInt32
    var acknowledgment: UInt32
    var length: Int
    var identification: UInt16?
  }

  private var moments: [Int: Moment] = [:]
  /// Bits of the hash that are zero of those that are kept.
  private var mask = 0

  /// Reads the capture to its end, or to a stop.
  package init(of source: any CaptureSource, while goesOn: () -> Bool) throws(CaptureError) {
    var decoder = FrameDecoder()
    var frame = DecodedFrame()
    var window = PacketWindow()
    while goesOn(), try source.fill(&window) {
      let bytes = window.bytes.span
      for record in window.packets {
        decoder.decode(
          bytes.extracting(record.offset..<(record.offset + record.capturedLength)), linkType: record.linkType,
          packet: PacketRef(number: record.number, time: record.time), wireLength: record.wireLength,
          interface: record.interface, base: record.offset, into: &frame)
        if case .segment = frame.content { add(frame.segment) }
      }
    }
  }

  private mutating func add(_ segment: TCPSegment) {
    // Acknowledgments alone are often alike.
    guard segment.payloadLength > 0 || segment.flags.contains(.syn) || segment.flags.contains(.fin) else { return }
    let hash = Segment(
      key: segment.key, sentByLower: segment.sentByLower, flags: segment.flags.rawValue, sequence: segment.sequence,
      acknowledgment: segment.acknowledgment, length: segment.payloadLength, identification: segment.identification
    ).hashValue
    guard hash & mask == 0 else { return }
    if moments[hash] != nil {
      moments[hash]?.time = nil
      return
    }
    let hosts = SharedMoment.Hosts(lower: segment.key.lower.address, upper: segment.key.upper.address)
    moments[hash] = Moment(hosts: hosts, sentByLower: segment.sentByLower, time: segment.packet.time)
    guard moments.count > Self.limit else { return }
    mask = mask << 1 | 1
    moments = moments.filter { $0.key & mask == 0 }
  }

  /// What `other` shows, too.
  package func shared(with other: SegmentMoments) -> [SharedMoment] {
    moments.compactMap { hash, moment in
      guard let a = moment.time, let b = other.moments[hash]?.time else { return nil }
      return SharedMoment(moment.hosts, sentByLower: moment.sentByLower, a: a, b: b)
    }
  }
}
