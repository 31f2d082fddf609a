import Citation
import HTTP2Semantics

/// An HTTP/2 connection as reports show it.
package struct HTTP2Record: Sendable, Equatable {
  /// How it came to HTTP/2.
  package enum Beginning: String, Sendable {
    /// Agreed on in the handshake of TLS.
    case alpn
    /// The client knew that the server speaks it.
    case prior
    /// By a 101 to `Upgrade: h2c`.
    case upgrade
    /// The capture lacks the beginning.
    case midstream
  }

  package struct GoAway: Sendable, Equatable {
    package var direction: Direction
    package var lastStream: UInt32
    package var code: HTTP2ErrorCode
    /// At most HTTP2Frame.debugLimit of `debugBytes`. They are payload: reports redact them.
    package var debug: [UInt8]
    package var debugBytes: UInt32
    package var packet: PacketRef

    package init(
      direction: Direction, lastStream: UInt32, code: HTTP2ErrorCode, debug: [UInt8], debugBytes: UInt32,
      packet: PacketRef
    ) {
      self.direction = direction
      self.lastStream = lastStream
      self.code = code
      self.debug = debug
      self.debugBytes = debugBytes
      self.packet = packet
    }
  }

  /// How many GOAWAYs are kept.
  package static let goAwayLimit = 16

  package var beginning: Beginning
  package var sides = BothDirections(repeating: HTTP2SideRecord())
  /// Streams with an exchange, and the most of them at a time.
  package var opened: UInt64 = 0
  package var most = 0
  /// Resets by code, in the order in which codes came.
  package private(set) var resets: [(code: HTTP2ErrorCode, count: UInt64)] = []
  package private(set) var goAways: [GoAway] = []
  /// Times in which the connection's windows were empty, and the first of them while streams waited.
  package var blocked = BothDirections<Int64>(repeating: 0)
  package var credit = BothDirections(repeating: CreditRecord())
  /// Times in which the client could open no stream, before requests that waited for it.
  package private(set) var fullTimes: [FullTime] = []
  package var held = HeldStreams()

  package init(_ beginning: Beginning) {
    self.beginning = beginning
  }

  package mutating func reset(_ code: HTTP2ErrorCode) {
    if let at = resets.firstIndex(where: { $0.code == code }) {
      resets[at].count += 1
    } else if resets.count < Self.goAwayLimit {
      resets.append((code, 1))
    }
  }

  package mutating func goAway(_ goAway: GoAway) {
    if goAways.count < Self.goAwayLimit { goAways.append(goAway) }
  }

  package mutating func note(_ full: FullTime) {
    if fullTimes.count < Self.goAwayLimit { fullTimes.append(full) }
  }

  package static func == (left: HTTP2Record, right: HTTP2Record) -> Bool {
    left.beginning == right.beginning && left.sides == right.sides && left.opened == right.opened
      && left.most == right.most && left.goAways == right.goAways && left.resets.map(\.code) == right.resets.map(\.code)
      && left.resets.map(\.count) == right.resets.map(\.count) && left.blocked == right.blocked
      && left.credit == right.credit && left.fullTimes == right.fullTimes && left.held == right.held
  }
}

/// The figures of what one side of an HTTP/2 connection sent.
package struct HTTP2SideRecord: Sendable, Equatable {
  package private(set) var dataFrames: UInt64 = 0
  /// Frames of the types 0 to 9, but for those of data.
  private var core = [UInt64](repeating: 0, count: 10)
  /// Those of others, by the order in which they came first.
  private var others: [UInt8: UInt64] = [:]
  /// Header blocks as they were sent, and the names and values that they stand for.
  package var headerBytes: UInt64 = 0
  package var plainHeaderBytes: UInt64 = 0
  /// The last value of each setting that was announced, in the order of their numbers.
  package private(set) var settings: [HTTP2Setting] = []
  private static let settingsLimit = 32
  /// Its first bytes, and the packet of the first.
  package struct Opening: Sendable, Equatable {
    package var bytes: [UInt8] = []
    package var packet: PacketRef
    package static let limit = 16

    package init(packet: PacketRef) { self.packet = packet }
  }

  package var opening: Opening?
  /// DATA without a byte that does not end its stream, and the first and last of them.
  package private(set) var emptyData: FrameRun?
  /// Credit that it gave, in how many frames; those of no byte are left out.
  package private(set) var updates: FrameRun?
  package private(set) var credited: UInt64 = 0
  package private(set) var left: WindowLeft?
  /// PINGs behind which neither side had sent data or a head since the one before; the first ones.
  package private(set) var quietPings: [MessageRecord.Pause] = []
  package private(set) var quietPingCount: UInt64 = 0
  private var lastPing: Ping?
  /// From PINGs of this side to their acknowledgements.
  package var pingRoundTrips = ExponentialHistogram()
  /// Where its first SETTINGS were acknowledged.
  package var acknowledged: PacketRef?

  /// A PING, and what both sides had sent before it.
  private struct Ping: Sendable, Equatable {
    var packet: PacketRef
    var traffic: UInt64
  }

  package struct FrameRun: Sendable, Equatable {
    package var count: UInt64 = 0
    package var first: PacketRef
    package var last: PacketRef

    fileprivate static func add(_ run: inout FrameRun?, _ packet: PacketRef) {
      if run == nil { run = FrameRun(first: packet, last: packet) }
      run?.count += 1
      run?.last = packet
    }
  }

  /// What of the connection's window was left when nobody had more to send.
  package struct WindowLeft: Sendable, Equatable {
    package var window: Int64
    package var most: Int64
    package var since: PacketRef
    package var nanoseconds: Int64
  }

  package init() {}

  @inline(__always)
  package mutating func count(_ type: HTTP2FrameType) {
    if type == .data {
      dataFrames &+= 1
    } else if type.isCore {
      core[Int(type.rawValue)] &+= 1
    } else {
      others[type.rawValue, default: 0] &+= 1
    }
  }

  /// HEADERS and DATA.
  package var traffic: UInt64 { dataFrames &+ core[1] }

  @inline(__always)
  package mutating func noteData(of length: UInt32, endsStream: Bool, in packet: PacketRef) {
    if length == 0, !endsStream { FrameRun.add(&emptyData, packet) }
  }

  package mutating func note(credit: UInt32, in packet: PacketRef) {
    guard credit > 0 else { return }
    FrameRun.add(&updates, packet)
    credited &+= UInt64(credit)
  }

  package mutating func noteLeft(_ window: Int64, of most: Int64, since: PacketRef, at packet: PacketRef) {
    let nanoseconds = packet.time.since(since.time)
    guard nanoseconds >= 200_000_000, left.map({ window < $0.window }) ?? true else { return }
    left = WindowLeft(window: window, most: most, since: since, nanoseconds: nanoseconds)
  }

  /// `traffic` is that of both sides.
  package mutating func notePing(_ packet: PacketRef, traffic: UInt64) {
    if let before = lastPing, before.traffic == traffic {
      quietPingCount += 1
      if quietPings.count < 8 { quietPings.append(MessageRecord.Pause(from: before.packet, to: packet)) }
    }
    lastPing = Ping(packet: packet, traffic: traffic)
  }

  /// By type, in the order of their numbers.
  package var frames: [(type: HTTP2FrameType, count: UInt64)] {
    let known = core.indices.map { (HTTP2FrameType(rawValue: UInt8($0)), $0 == 0 ? dataFrames : core[$0]) }
    let unknown = others.sorted { $0.key < $1.key }.map { (HTTP2FrameType(rawValue: $0.key), $0.value) }
    return (known + unknown).filter { $0.1 > 0 }.map { (type: $0.0, count: $0.1) }
  }

  package mutating func note(_ announced: [HTTP2Setting]) {
    for setting in announced {
      if let at = settings.firstIndex(where: { $0.id == setting.id }) {
        settings[at].value = setting.value
      } else if settings.count < Self.settingsLimit {
        settings.append(setting)
        settings.sort { $0.id < $1.id }
      }
    }
  }
}
