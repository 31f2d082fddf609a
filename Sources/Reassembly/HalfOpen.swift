import Citation
import Decode

/// A flow of which only a SYN was seen: most flows of a scan or a flood.
///
/// It holds what a connection needs to begin from and nothing else, so that hundreds of thousands of them fit beside the
/// one real connection among them.
struct HalfOpen: Sendable {
  let first: TCPSegment.Syn
  var last: PacketRef
  /// Of the newest SYN; zero stands for none.
  private var lastIdentification: UInt16
  private var lastTimeToLive: UInt8
  fileprivate var lastClock: UInt32
  var synCount: UInt32
  /// Recordings of a SYN beyond its first.
  var copies: UInt16 = 0

  init(_ segment: TCPSegment, _ window: Span<UInt8>) {
    first = TCPSegment.Syn(segment, segment.options(in: window))
    last = segment.packet
    lastIdentification = segment.identification ?? 0
    lastTimeToLive = segment.timeToLive
    lastClock = first.clock
    synCount = 1
  }

  /// A bare SYN opens a half-open flow; one with data is a connection at once.
  static func fits(_ segment: TCPSegment) -> Bool {
    segment.flags.contains(.syn) && segment.flags.lacks(.ack | .rst | .fin) && segment.payloadLength == 0
  }

  /// The same SYN again.
  func isRepeated(by segment: TCPSegment) -> Bool {
    HalfOpen.fits(segment) && segment.sequence == first.sequence && segment.sentByLower == first.sentByLower
  }

  var lastIdentity: PacketIdentity {
    PacketIdentity(
      time: last.time, identification: lastIdentification == 0 ? nil : lastIdentification,
      timeToLive: lastTimeToLive)
  }

  /// The SYN, where it was seen once.
  var lone: LoneSyn? { synCount == 1 && copies == 0 ? LoneSyn(first) : nil }

  /// Takes it: retransmitted, or only recorded again.
  mutating func take(_ segment: TCPSegment, _ window: Span<UInt8>) {
    guard !first.identity.isHandshake(recordedAgainIn: segment), !lastIdentity.isHandshake(recordedAgainIn: segment)
    else {
      if copies < .max { copies += 1 }
      return
    }
    last = segment.packet
    lastIdentification = segment.identification ?? 0
    lastTimeToLive = segment.timeToLive
    lastClock = segment.options(in: window).timestamp ?? 0
    synCount &+= 1
  }
}

/// A SYN that nothing followed, not even itself: one packet is all there is to know of its flow.
package struct LoneSyn: Sendable {
  package let packet: PacketRef
  package let client: Endpoint
  package let server: Endpoint
  package let encapsulation: Encapsulation
  package let linkSource: UInt32

  fileprivate init(_ syn: TCPSegment.Syn) {
    packet = syn.packet
    client = syn.sentByLower ? syn.key.lower : syn.key.upper
    server = syn.sentByLower ? syn.key.upper : syn.key.lower
    encapsulation = syn.encapsulation
    linkSource = syn.linkSource
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
    let identification: UInt16
    let timeToLive: UInt8
    /// The sender's; zero without time stamps.
    let clock: UInt32

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
      identification = segment.identification ?? 0
      timeToLive = segment.timeToLive
      clock = options.timestamp ?? 0
    }

    var identity: PacketIdentity {
      PacketIdentity(
        time: packet.time, identification: identification == 0 ? nil : identification, timeToLive: timeToLive)
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
    half.toServer.counters.packets = UInt64(flow.synCount) + UInt64(flow.copies)
    half.toServer.counters.duplicates = UInt64(flow.copies)
    handshake.clocks.toServer = [flow.first.clock, flow.lastClock]
    handshake.identities.toServer = [flow.first.identity, flow.lastIdentity]
    half.toClient.receiver.advertise(flow.first.window, isSyn: true)
    outputs.observe(TCPObservation(.syn, flow.first.packet, .toServer))
    if flow.synCount > 1 {
      outputs.observe(
        TCPObservation(
          .synRetry, flow.last, .toServer, earlier: flow.first.packet, value: UInt64(flow.synCount - 1)))
    }
  }
}
