import Citation
import Decode

/// A flow of which only a SYN was seen: most flows of a scan or a flood.
///
/// It holds what a connection needs to begin from and nothing else, so that hundreds of thousands of them fit beside the
/// one real connection among them.
struct HalfOpen: Sendable {
  let first: TCPSegment.Syn
  var last: PacketRef
  var synCount: UInt32

  init(_ segment: TCPSegment, _ window: Span<UInt8>) {
    first = TCPSegment.Syn(segment, TCPOptions(window.extracting(segment.optionsRange)))
    last = segment.packet
    synCount = 1
  }

  /// A bare SYN opens a half-open flow; one with data is a connection at once.
  static func fits(_ segment: TCPSegment) -> Bool {
    segment.flags.contains(.syn) && segment.flags.isDisjoint(with: [.ack, .rst, .fin]) && segment.payloadLength == 0
  }

  /// The same SYN again.
  func isRepeated(by segment: TCPSegment) -> Bool {
    HalfOpen.fits(segment) && segment.sequence == first.sequence && segment.sentByLower == first.sentByLower
  }

  mutating func repeated(at packet: PacketRef) {
    last = packet
    synCount &+= 1
  }
}

extension TCPSegment {
  /// What is kept of a SYN.
  struct Syn: Sendable {
    let key: FlowKey
    let packet: PacketRef
    let sequence: UInt32
    let window: UInt16
    let encapsulation: Encapsulation
    let maximumSegmentSize: UInt16?
    let scale: UInt8?
    let sentByLower: Bool
    let linkSource: UInt32

    init(_ segment: TCPSegment, _ options: TCPOptions) {
      key = segment.key
      packet = segment.packet
      sequence = segment.sequence
      window = segment.window
      encapsulation = segment.encapsulation
      maximumSegmentSize = options.maximumSegmentSize
      scale = options.windowScale
      sentByLower = segment.sentByLower
      linkSource = segment.linkSource
    }
  }
}

extension Connection {
  /// The connection that a half-open flow becomes with its second packet, or at the end of the capture.
  init(_ flow: HalfOpen, into outputs: inout ReassemblyOutputs) {
    var syn = TCPSegment(packet: flow.first.packet, key: flow.first.key, sentByLower: flow.first.sentByLower)
    syn.flags = .syn
    syn.encapsulation = flow.first.encapsulation
    syn.linkSource = flow.first.linkSource
    self.init(first: syn)
    isMidstream = false
    lastPacket = flow.last
    handshake.syn = flow.first.packet
    handshake.lastSyn = flow.last
    handshake.synCount = Int(flow.synCount)
    handshake.maximumSegmentSize.toServer = flow.first.maximumSegmentSize
    handshake.scale.toServer = flow.first.scale ?? 0
    half.toServer.origin = SequenceNumber(flow.first.sequence).advanced(by: 1)
    half.toServer.counters.packets = UInt64(flow.synCount)
    half.toClient.receiver.advertise(flow.first.window, isSyn: true)
    outputs.observe(TCPObservation(.syn, flow.first.packet, .toServer))
    if flow.synCount > 1 {
      outputs.observe(
        TCPObservation(
          .synRetry, flow.last, .toServer, earlier: flow.first.packet, value: UInt64(flow.synCount - 1)))
    }
  }
}
