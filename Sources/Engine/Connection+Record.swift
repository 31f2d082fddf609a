import Citation
import Dialogues
import Events
import Reassembly

// What is known of a connection, for rules while it lasts and for reports when it is over.

extension Connection {
  /// Of one that began before the capture.
  var roles: RoleGuess { RoleGuess(isOpen: isMidstream && orientation == .guess, isByPorts: portsDiffer) }

  /// Mutating, or the whole connection is copied for it.
  mutating func context(
    _ thresholds: Thresholds, _ unanswered: Resumption?, _ goodbye: Goodbye?, isSecure: Bool
  ) -> FlowContext {
    var ending = Ending()
    ending.by = closing.isByBoth ? nil : closing.by
    ending.at = closing.packet
    ending.firstEnd = closing.first
    ending.firstBy = closing.firstBy
    ending.lastEnd = closing.last
    ending.silentSince = closing.silentSince
    ending.origin = endOrigin
    ending.isOneSided = isOneSided
    ending.answersUnseen = ending.isOneSided ? isAnswerToUnseen : isAnswerToLostFin
    ending.isReset = closing.kind == .reset && closing.first == closing.packet
    // Who ended what is inside is who said so first, whoever sent the first FIN then.
    if let goodbye, goodbye.at.number < closing.first?.number ?? .max {
      ending.by = goodbye.by
      ending.at = goodbye.at
      ending.firstEnd = goodbye.at
      ending.firstBy = goodbye.by
      ending.lastEnd = closing.last ?? goodbye.at
      ending.silentSince = goodbye.silentSince
      ending.origin = nil
      ending.isReset = false
    }
    return FlowContext(
      id: id, client: client, server: server, firstPacket: firstPacket, isMidstream: isMidstream, roundTrip: roundTrip,
      closing: ending, unanswered: unanswered, isSecure: isSecure, thresholds: thresholds)
  }

  @inline(__always)
  var roundTrip: RoundTrip {
    RoundTrip(
      clientNanoseconds: handshake.clientNanoseconds, serverNanoseconds: handshake.serverNanoseconds,
      openingNanoseconds: handshake.openingNanoseconds)
  }

  /// One side spoke, and nothing of the other was captured; a SYN without an answer is no such thing.
  @inline(__always)
  var isOneSided: Bool {
    if half.toServer.counters.packets > 0, half.toClient.counters.packets > 0 { return false }
    return handshake.syn == nil || half.toServer.counters.bytes > 0
  }

  var recordedEnd: ConnectionEnd {
    let kind: ConnectionEnd.Kind =
      switch closing.kind {
      case .open: wasEvicted ? .evicted : .open
      case .fin: .fin
      case .reset: .reset
      case .evicted: .evicted
      }
    let side: ConnectionEnd.Side =
      closing.isByBoth ? .both : closing.by.map { $0 == .toServer ? .client : .server } ?? .none
    var end = ConnectionEnd(kind: kind, by: side, packet: closing.packet)
    end.first = closing.first
    end.isFirstByOther = closing.firstBy != nil && closing.firstBy == closing.by?.opposite
    end.isUnanswered = isCloseUnanswered
    end.answer = closeAnswer
    end.origin = endOrigin
    return end
  }

  private var opening: ConnectionOpening? {
    guard let syn = handshake.syn, !isMidstream else { return nil }
    var opening = ConnectionOpening(
      syn: syn, lastSyn: handshake.lastSyn ?? syn, synCount: UInt64(max(0, handshake.synCount)),
      answer: handshake.synAck, unreachable: handshake.unreachable,
      isUsed: half.toServer.counters.bytes > 0 || half.toClient.counters.bytes > 0, linkSource: linkSource)
    if handshake.synAckCount > 1 { opening.firstAnswer = handshake.firstSynAck }
    opening.isFirstSynAnswered = handshake.answersFirstSyn
    opening.isFirstAnswerTaken = handshake.takesFirstAnswer
    opening.challenge = handshake.challenge?.packet
    opening.challengeReset = handshake.challenge?.reset
    opening.refusal = handshake.refusal
    return opening
  }

  var record: ConnectionRecord {
    var record = ConnectionRecord(
      id: id, client: client, server: server, isMidstream: isMidstream,
      isOneSided: isOneSided,
      firstPacket: firstPacket, lastPacket: lastPacket, roundTrip: roundTrip, end: recordedEnd,
      sides: BothDirections(toServer: half.toServer.record, toClient: half.toClient.record))
    record.encapsulation = encapsulation.names
    record.opening = opening
    return record
  }
}

extension HalfConnection {
  fileprivate var record: DirectionRecord {
    var record = DirectionRecord()
    record.packets = counters.packets
    record.bytes = counters.bytes
    record.retransmittedBytes = counters.retransmittedBytes
    record.outOfOrder = counters.outOfOrder
    record.missingBytes = counters.missingBytes
    record.overlapConflicts = counters.overlapConflicts
    record.duplicatePackets = counters.duplicates
    return record
  }
}
