import Citation
import Decode

/// The SYNs of a connection and the round trips they show.
///
/// SYN → SYN-ACK is the path from the capture point to the server and back, SYN-ACK → ACK the one to the client. A
/// repeated SYN makes its half ambiguous (Karn), and then there is no figure, unless the answer echoes the clock of the
/// newest. One that echoes the first may be a copy of an answer that was lost: servers keep the clock of the first.
package struct Handshake: Sendable {
  package internal(set) var isAcknowledged = false
  package internal(set) var syn: PacketRef?
  package internal(set) var lastSyn: PacketRef?
  package internal(set) var synAck: PacketRef?
  package internal(set) var firstSynAck: PacketRef?
  /// The first ICMP error that came before any answer.
  package internal(set) var unreachable: PacketRef?
  /// What an earlier connection on these ports answered in place of this one.
  package internal(set) var challenge: Challenge?
  /// The first RST that answered a SYN.
  package internal(set) var refusal: PacketRef?
  package internal(set) var synCount = 0
  package internal(set) var synAckCount = 0
  package internal(set) var clientNanoseconds: Int64?
  package internal(set) var serverNanoseconds: Int64?
  /// From the first of several SYNs to the answer: no round trip is longer, where none is known.
  package internal(set) var openingNanoseconds: Int64 = 0
  package internal(set) var maximumSegmentSize = BothDirections<UInt16?>(repeating: nil)
  /// Of the first and the newest SYN and SYN-ACK.
  var identities = BothDirections<[2 of PacketIdentity?]>(repeating: [nil, nil])
  var scale = BothDirections<UInt8?>(repeating: nil)
  /// The senders' clocks in the first and the newest SYN and SYN-ACK; zero without time stamps.
  var clocks = BothDirections<[2 of UInt32]>(repeating: [0, 0])
  /// The SYN-ACK answers the first SYN, though there were several; the ACK takes the first of several SYN-ACKs.
  package internal(set) var answersFirstSyn = false
  package internal(set) var takesFirstAnswer = false

  package init() {}
}

extension Handshake {
  enum Echoed { case first, newest }

  /// Which of several SYNs, or SYN-ACKs, of a direction this answers, by its clock.
  fileprivate func echoed(by options: TCPOptions, _ direction: Direction) -> Echoed? {
    let (first, newest) = (clocks[direction][0], clocks[direction][1])
    guard let echo = options.timestampEcho, first != newest, first != 0 else { return nil }
    return echo == first ? .first : echo == newest ? .newest : nil
  }

  /// The one SYN that a SYN-ACK can answer.
  fileprivate func answered(_ echoed: Echoed?) -> PacketRef? {
    synCount == 1 ? syn : echoed == .newest ? lastSyn : nil
  }
}

extension Connection {
  func initialSequence(_ direction: Direction) -> SequenceNumber? {
    half[direction].origin.map { SequenceNumber($0.raw &- 1) }
  }

  mutating func orient(by segment: TCPSegment) {
    if !segment.flags.contains(.ack) {
      // Two SYNs that cross (simultaneous open) leave the first sender the client.
      if handshake.syn == nil, handshake.synAck == nil { setClient(isLower: segment.sentByLower, by: .syn) }
    } else {
      setClient(isLower: !segment.sentByLower, by: .synAck)
    }
  }

  /// Without a handshake the first bytes of either side may say who answers: no client begins with `HTTP/1.`.
  mutating func orient(byContentOf segment: TCPSegment, _ window: Span<UInt8>) {
    guard half.toServer.counters.bytes == 0, half.toClient.counters.bytes == 0 else { return }
    let payload = window.extracting(segment.payloadRange)
    let status: StaticString = "HTTP/1."
    guard payload.count >= status.utf8CodeUnitCount else { return }
    let isStatus = status.withUTF8Buffer { text in
      text.indices.allSatisfy { payload[$0] == text[$0] }
    }
    if isStatus { setClient(isLower: !segment.sentByLower, by: .content) }
  }

  /// Whether a SYN on these endpoints opens another connection: other initial number, and this one is over, was never
  /// answered, or has nothing near that number.
  package func isReused(by segment: TCPSegment) -> Bool {
    let direction = direction(sentByLower: segment.sentByLower)
    guard let start = half[direction].offset(of: SequenceNumber(segment.sequence).advanced(by: 1)) else {
      return closing.kind != .open
    }
    if start == 0 { return false }
    // A SYN that was captured after other packets of its own connection, even after its end.
    if handshake.syn == nil, start <= 0, start > -(1 << 16) { return false }
    if closing.kind != .open { return true }
    if handshake.synAck == nil, half.read(direction.opposite, { $0.counters.packets == 0 }) { return true }
    let slack: Int64 = 1 << 16
    return start < Int64(half[direction].acked) - slack || start > Int64(half[direction].highest) + slack
  }

  /// Notes a SYN or SYN-ACK; false when it is only a copy of a packet seen before.
  mutating func beginHandshake(
    _ segment: TCPSegment, _ window: Span<UInt8>, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    let packet = segment.packet
    let isAnswer = segment.flags.contains(.ack)
    let isKnown = isAnswer ? handshake.synAck != nil : handshake.syn != nil
    if isKnown, isHandshakeRecordedAgain(segment, direction) {
      half[direction].counters.duplicates &+= 1
      outputs.observe(TCPObservation(.duplicatePacket, packet, direction))
      return false
    }
    let origin = SequenceNumber(segment.sequence).advanced(by: 1)
    // The client had acknowledged it before: directions that are recorded apart show no round trip.
    if isAnswer, handshake.synAck == nil, half.ask(direction, { $0.origin != nil }) { handshake.isAcknowledged = true }
    if let start = half.ask(direction, { $0.offset(of: origin) }), start != 0 {
      if isAnswer, handshake.synAck != nil {
        outputs.observe(TCPObservation(.synAckDiffers, packet, direction, earlier: handshake.synAck))
      }
      restart(direction, at: origin, start)
    } else {
      half[direction].origin = origin
    }
    remember(segment, direction)
    let options = segment.options(in: window)
    readOptions(options, direction)
    if let clock = options.timestamp {
      if !isKnown { handshake.clocks[direction][0] = clock }
      handshake.clocks[direction][1] = clock
    }
    if isAnswer {
      noteSynAck(packet, direction, echoed: handshake.echoed(by: options, direction.opposite), &outputs)
    } else {
      noteSyn(packet, direction, hasData: segment.payloadLength > 0, &outputs)
    }
    half[direction.opposite].receiver.advertise(segment.window, isSyn: true)
    return true
  }

  /// Another recording of the first or the newest SYN or SYN-ACK. A client that has acknowledged the SYN-ACK sends no SYN
  /// of this number, and a server that has acknowledged data no SYN-ACK: what looks like one is from another file.
  private func isHandshakeRecordedAgain(_ segment: TCPSegment, _ direction: Direction) -> Bool {
    guard half[direction].offset(of: SequenceNumber(segment.sequence).advanced(by: 1)) == 0 else { return false }
    let isDone = direction == .toServer ? handshake.isAcknowledged : half[direction.opposite].acked > 0
    return isDone || handshake.identities[direction][0]?.isHandshake(recordedAgainIn: segment) ?? false
      || handshake.identities[direction][1]?.isHandshake(recordedAgainIn: segment) ?? false
  }

  private mutating func remember(_ segment: TCPSegment, _ direction: Direction) {
    let identity = PacketIdentity(segment)
    if handshake.identities[direction][0] == nil { handshake.identities[direction][0] = identity }
    handshake.identities[direction][1] = identity
  }

  /// Moves the beginning of a direction to what its SYN says, as far as nothing was delivered and no FIN has placed the
  /// end: where that is counts from the beginning.
  private mutating func restart(_ direction: Direction, at origin: SequenceNumber, _ start: Int64) {
    if half.ask(direction, { $0.next == 0 && $0.hold.isEmpty && $0.fin == nil && !$0.isEnded }) {
      half[direction].origin = origin
      half[direction].acked = 0
      half[direction].unseen = nil
    } else if start < 0, start > -(1 << 16) {
      // Bytes were delivered before the SYN was captured; those between the two were on the wire, but not here.
      half[direction].counters.missingBytes &+= UInt64(-start)
    }
  }

  private mutating func readOptions(_ options: TCPOptions, _ direction: Direction) {
    handshake.scale[direction] = options.windowScale ?? 0
    if let size = options.maximumSegmentSize { handshake.maximumSegmentSize[direction] = size }
    // Scaling is in force only if both SYNs carried the option (RFC 7323 §2.2).
    if let mine = handshake.scale[direction], let theirs = handshake.scale[direction.opposite] {
      let isScaled = mine > 0 || options.windowScale != nil
      half[direction.opposite].receiver.scale = isScaled ? mine : 0
      half[direction].receiver.scale = isScaled ? theirs : 0
    }
  }

  private mutating func noteSyn(
    _ packet: PacketRef, _ direction: Direction, hasData: Bool, _ outputs: inout ReassemblyOutputs
  ) {
    handshake.synCount += 1
    isMidstream = false
    outputs.observe(
      TCPObservation(handshake.syn == nil ? .syn : .synRetry, packet, direction, earlier: handshake.syn))
    if hasData { outputs.observe(TCPObservation(.synData, packet, direction)) }
    if handshake.syn == nil { handshake.syn = packet }
    handshake.lastSyn = packet
  }

  private mutating func noteSynAck(
    _ packet: PacketRef, _ direction: Direction, echoed: Handshake.Echoed?, _ outputs: inout ReassemblyOutputs
  ) {
    handshake.synAckCount += 1
    isMidstream = false
    if closing.isReset { reviveAfterRefusal() }
    outputs.observe(
      TCPObservation(handshake.synAck == nil ? .synAck : .synRetry, packet, direction, earlier: handshake.synAck))
    if handshake.synAck == nil {
      handshake.answersFirstSyn = handshake.synCount > 1 && echoed == .first
      if handshake.synCount > 1, let syn = handshake.syn {
        handshake.openingNanoseconds = packet.time.since(syn.time)
      }
      if let syn = handshake.answered(echoed) { handshake.serverNanoseconds = packet.time.since(syn.time) }
    }
    handshake.firstSynAck = handshake.firstSynAck ?? packet
    // One that the client had taken is only retransmitted.
    if !handshake.isAcknowledged || handshake.synAck == nil { handshake.synAck = packet }
  }

  /// A SYN-ACK after a refusal: the RST was not what the client believed (some systems ignore odd ones, and forgers send
  /// them), so the connection is only beginning.
  private mutating func reviveAfterRefusal() {
    guard half.toServer.next == 0, half.toClient.next == 0, handshake.synAck == nil, half.toServer.fin == nil,
      half.toClient.fin == nil
    else { return }
    closing = Closing()
    half.toServer.isEnded = false
    half.toClient.isEnded = false
  }

  /// The client's first word after several SYN-ACKs, before it is taken for that: which of them it answers.
  mutating func noteEcho(_ segment: TCPSegment, _ window: Span<UInt8>) {
    guard !handshake.isAcknowledged, let first = handshake.firstSynAck, let newest = handshake.synAck,
      let echoed = handshake.echoed(by: segment.options(in: window), .toClient)
    else { return }
    handshake.takesFirstAnswer = echoed == .first
    handshake.clientNanoseconds = segment.packet.time.since((echoed == .first ? first : newest).time)
  }

  /// The client's first word after the SYN-ACK.
  @inline(__always)
  mutating func noteHandshakeAck(_ packet: PacketRef) {
    guard !handshake.isAcknowledged, let synAck = handshake.synAck else { return }
    handshake.isAcknowledged = true
    if handshake.synAckCount == 1 { handshake.clientNanoseconds = packet.time.since(synAck.time) }
  }
}
