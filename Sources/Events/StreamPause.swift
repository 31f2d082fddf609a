import Citation

/// Why a direction was silent for a part of a pause, with the packets that prove it.
package struct StreamPause: Sendable, Equatable {
  package enum Cause: UInt8, Sendable, CaseIterable {
    /// Everything sent was acknowledged and the receive window was open: the sender had nothing to send.
    case senderIdle
    /// Bytes were lost and retransmitted.
    case retransmission
    /// The receiver had closed its receive window.
    case zeroWindow
    /// The receive window was full of bytes in flight.
    case receiverLimited
    /// Bytes were in flight, and more followed as soon as they were acknowledged.
    case congestionLimited
    /// Bytes in the pause are missing from the capture.
    case captureLoss
    /// The sender sent packets that this capture point never saw: they were lost or held on the way to it.
    case heldUpstream
    /// A stream of HTTP/2 had no credit of its own, or the connection had none.
    case streamWindow
    case connectionWindow
    /// Other streams of the connection were sent.
    case peerStreams
    /// The receiver's packets are not in the capture, and without them there is no way to know.
    case unknown

    /// As documents call it.
    package var name: String { String(describing: self) }
  }

  /// How many packets are cited per pause.
  package static let proofLimit = 4

  package var cause: Cause
  /// The exchange whose body or WebSocket was silent; unknown where the bytes are not parsed.
  package var exchange = ExchangeKey(number: 0)
  /// The direction that was silent.
  package var direction: Direction
  package var from: PacketRef
  package var to: PacketRef
  package var confidence = Confidence.high
  /// In the order of the capture.
  package var proof: [PacketRef] = []
  /// How long the packet that ended it had been on its way, by its sender's clock; 0 where that does not show.
  package var underway: Int64 = 0
  /// Packets that the sender numbered meanwhile, and that never came this far.
  package var unseen: UInt16 = 0
  /// All that was sent before had been acknowledged when the bytes went on.
  package var isAcknowledged = true
  /// The end of the connection came behind it, and no bytes.
  package var isEnd = false
  /// How the lost bytes were retransmitted.
  package var resent: TCPObservation.Kind?

  package init(_ cause: Cause, _ direction: Direction, from: PacketRef, to: PacketRef) {
    self.cause = cause
    self.direction = direction
    self.from = from
    self.to = to
  }

  package var nanoseconds: Int64 { to.time.since(from.time) }

  /// The side whose doing it was: the sender that had nothing to send, or the receiver that took nothing; nil where it
  /// was neither's.
  package var by: Direction? {
    switch cause {
    case .senderIdle: direction
    case .zeroWindow, .receiverLimited, .streamWindow, .connectionWindow: direction.opposite
    case .retransmission, .congestionLimited, .captureLoss, .heldUpstream, .peerStreams, .unknown: nil
    }
  }

  /// `server idle`, as a line of a report says it.
  package var words: String { cause.words(direction) }
}

extension StreamPause.Cause {
  package func words(_ direction: Direction) -> String {
    let sender = direction == .toServer ? "client" : "server"
    let receiver = direction == .toServer ? "server" : "client"
    switch self {
    case .senderIdle: return "\(sender) idle"
    case .retransmission: return "retransmission"
    case .zeroWindow: return "\(receiver)'s receive window closed"
    case .receiverLimited: return "\(receiver)'s receive window full"
    case .congestionLimited: return "waiting for ACKs"
    case .captureLoss: return "capture loss"
    case .heldUpstream: return "held upstream"
    case .streamWindow: return "no credit for the stream from the \(receiver)"
    case .connectionWindow: return "no credit for the connection from the \(receiver)"
    case .peerStreams: return "other streams were sent"
    case .unknown: return "cause unknown"
    }
  }
}

/// Nanoseconds of silence by cause. Nothing is allocated until there is some.
package struct SilenceSums: Sendable, Equatable {
  private var sums: [Int64] = []

  package init() {}

  package var isEmpty: Bool { sums.isEmpty }
  package var total: Int64 { sums.reduce(0, &+) }

  package mutating func add(_ cause: StreamPause.Cause, _ nanoseconds: Int64) {
    if sums.isEmpty { sums = [Int64](repeating: 0, count: StreamPause.Cause.allCases.count) }
    sums[Int(cause.rawValue)] &+= nanoseconds
  }

  package mutating func add(_ other: SilenceSums) {
    for cause in StreamPause.Cause.allCases where other[cause] > 0 { add(cause, other[cause]) }
  }

  package subscript(cause: StreamPause.Cause) -> Int64 { sums.isEmpty ? 0 : sums[Int(cause.rawValue)] }

  package func total(of causes: [StreamPause.Cause]) -> Int64 { causes.reduce(0) { $0 &+ self[$1] } }

  /// Those that there are, the longest first.
  package var causes: [(cause: StreamPause.Cause, nanoseconds: Int64)] {
    StreamPause.Cause.allCases.filter { self[$0] > 0 }.map { ($0, self[$0]) }
      .sorted { ($1.nanoseconds, $0.cause.rawValue) < ($0.nanoseconds, $1.cause.rawValue) }
  }
}

/// The first bytes that one side sent after the whole connection had been silent.
package struct Resumption: Sendable, Equatable {
  package var direction: Direction
  /// The last packet with bytes before the silence, either way.
  package var from: PacketRef
  package var packet: PacketRef
  /// The longest such silence before that did no harm.
  package var survived: Int64

  package init(_ direction: Direction, from: PacketRef, packet: PacketRef, survived: Int64 = 0) {
    self.direction = direction
    self.from = from
    self.packet = packet
    self.survived = survived
  }

  package var nanoseconds: Int64 { packet.time.since(from.time) }
}
