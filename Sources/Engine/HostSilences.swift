import Citation
import Decode
import Events

/// Finds hosts of which nothing comes any more while others send to them: no connection alone can tell a host from a path
/// or a program.
///
/// It is asked with every segment, so what is usual must cost little: a table holds when a host was heard last, in a place
/// that is a part of its address. Hosts of one place are heard together; then a silence is missed, and none is made up.
/// More is kept of a host only while it has been silent for half a second and is sent something. Bounded.
struct HostSilences {
  private static let hostLimit = 64
  private static let flowLimit = 64
  /// No acknowledgement takes longer.
  private static let quiet: Int64 = 500_000_000
  /// No middlebox evicts a connection after a shorter silence.
  private static let idle: Int64 = 30_000_000_000
  /// A copy that comes sooner is one that was recorded twice.
  private static let apart: Int64 = 50_000_000
  /// One connection alone may have been dropped by something on the way.
  private static let leastFlows = 2
  /// How often it is reported how a silence goes on.
  private static let anew: Int64 = 5_000_000_000

  /// What was sent on one connection first, and whether it was retransmitted.
  private struct Flow {
    let key: FlowKey
    let sequence: UInt32
    var last: Timestamp
    var isRepeated = false
  }

  private struct Silent {
    var silence: HostSilence
    var flows: [Flow] = []
    /// When it was reported last.
    var reported: Timestamp?
  }

  /// When a host was heard last, and until when it is not silent: of hosts that were never heard, for ever.
  private struct Heard {
    var until = Timestamp.distantFuture
    var number: UInt64 = 0

    var packet: PacketRef { PacketRef(number: number, time: until.advanced(by: -HostSilences.quiet)) }
  }

  private var heard = InlineArray<512, Heard>(repeating: Heard())
  private var silent: [Silent] = []
  private let least: Int64
  /// Those that began or ended since they were taken last.
  private(set) var changed: [HostSilence] = []

  init(least: Int64) { self.least = least }

  /// Whether sender or receiver was silent before: then it is to be looked at. Not handed the segment, which would be
  /// copied.
  @inline(__always)
  mutating func hears(_ key: FlowKey, sentByLower: Bool, _ packet: PacketRef) -> Bool {
    let (lower, upper) = (Self.place(of: key.lower.address), Self.place(of: key.upper.address))
    let (from, to) = sentByLower ? (lower, upper) : (upper, lower)
    let isLate = heard[to].until < packet.time || heard[from].until < packet.time
    heard[from] = Heard(until: packet.time.advanced(by: Self.quiet), number: packet.number)
    return isLate
  }

  @inline(__always)
  private static func place(of address: IPAddress) -> Int {
    Int(truncatingIfNeeded: (address.low &* 0x9E37_79B9_7F4A_7C15) >> 55)
  }

  mutating func taken() -> [HostSilence] {
    defer { changed = [] }
    return changed
  }

  /// Answers whether the segment is the first that repeats something on its connection.
  @inline(never)
  mutating func look(at segment: TCPSegment) -> Bool {
    let (source, destination) =
      segment.sentByLower
      ? (segment.key.lower.address, segment.key.upper.address) : (segment.key.upper.address, segment.key.lower.address)
    let packet = segment.packet
    if !silent.isEmpty { end(source, packet) }
    let place = heard[Self.place(of: destination)]
    guard Self.needsAnswer(segment), place.until < packet.time else { return false }
    let heard = place.packet
    guard let at = known(destination, since: heard, asked: packet, by: source) else { return false }
    silent[at].silence.last = packet
    silent[at].silence.packets &+= 1
    if silent[at].silence.peer != source { silent[at].silence.peer = nil }
    let isFirst = note(segment, at: at)
    if isLong(silent[at]), silent[at].reported.map({ packet.time.since($0) >= Self.anew }) ?? true {
      silent[at].reported = packet.time
      changed.append(silent[at].silence)
    }
    return isFirst
  }

  /// A host is heard again; others of its place may be heard unnoticed from here on.
  private mutating func end(_ host: IPAddress, _ packet: PacketRef) {
    if let at = silent.firstIndex(where: { $0.silence.host == host }) {
      silent[at].silence.back = packet
      if isLong(silent[at]) { changed.append(silent[at].silence) }
    }
    silent.removeAll { Self.place(of: $0.silence.host) == Self.place(of: host) }
  }

  /// Those that are silent at the end, as far as is known then.
  func atEnd() -> [HostSilence] { silent.filter { $0.reported != nil }.map(\.silence) }

  /// What is known of a silent host; of the others the one that was asked least recently is forgotten for it. nil where it
  /// was idle for long when it was asked: then something on the way may have evicted each of its connections.
  private mutating func known(
    _ host: IPAddress, since heard: PacketRef, asked: PacketRef, by peer: IPAddress
  ) -> Int? {
    if let known = silent.firstIndex(where: { $0.silence.host == host }) { return known }
    guard asked.time.since(heard.time) < Self.idle else { return nil }
    if silent.count == Self.hostLimit,
      let oldest = silent.indices.min(by: { silent[$0].silence.last.number < silent[$1].silence.last.number })
    {
      silent.remove(at: oldest)
    }
    silent.append(Silent(silence: HostSilence(of: host, since: heard, asked: asked, by: peer)))
    return silent.count - 1
  }

  private mutating func note(_ segment: TCPSegment, at: Int) -> Bool {
    guard let flow = silent[at].flows.firstIndex(where: { $0.key == segment.key }) else {
      guard silent[at].flows.count < Self.flowLimit else { return false }
      silent[at].flows.append(
        Flow(key: segment.key, sequence: segment.sequence, last: segment.packet.time))
      return false
    }
    // The first that was seen may be a copy of what was sent before the host was silent for long.
    guard Int32(bitPattern: segment.sequence &- silent[at].flows[flow].sequence) <= 0,
      segment.packet.time.since(silent[at].flows[flow].last) >= Self.apart
    else { return false }
    silent[at].flows[flow].last = segment.packet.time
    guard !silent[at].flows[flow].isRepeated else { return false }
    silent[at].flows[flow].isRepeated = true
    silent[at].silence.flows += 1
    return true
  }

  private func isLong(_ known: Silent) -> Bool {
    known.silence.nanoseconds >= least && known.silence.flows >= Self.leastFlows
  }

  /// Nothing answers a bare acknowledgement or a reset, and whoever floods with SYNs answers no SYN-ACK.
  private static func needsAnswer(_ segment: TCPSegment) -> Bool {
    if segment.flags.contains(.rst) { return false }
    if segment.flags.contains(.syn) { return !segment.flags.contains(.ack) }
    return segment.payloadLength > 0 || segment.flags.contains(.fin)
  }
}
