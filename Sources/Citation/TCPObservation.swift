/// Something seen of TCP itself, tied to the packet that showed it. In-order data and plain ACKs are not observations.
///
/// It lives here and not in Reassembly because rules read it and may not see Reassembly.
package struct TCPObservation: Hashable, Sendable {
  package var kind: Kind
  package var packet: PacketRef
  /// Whose packet it was: `.toServer` for one the client sent.
  package var direction: Direction
  /// Stream offsets the observation is about; empty where it is about no bytes.
  package var range: Range<UInt64>
  /// The packet it refers back to (the first copy, the probe that is answered), where there is one.
  package var earlier: PacketRef?
  /// A figure whose meaning the kind gives.
  package var value: UInt64

  package init(
    _ kind: Kind, _ packet: PacketRef, _ direction: Direction, range: Range<UInt64> = 0..<0, earlier: PacketRef? = nil,
    value: UInt64 = 0
  ) {
    self.kind = kind
    self.packet = packet
    self.direction = direction
    self.range = range
    self.earlier = earlier
    self.value = value
  }

  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case syn, synAck
    /// The same SYN or SYN-ACK again; `earlier` is the first.
    case synRetry
    /// A SYN-ACK whose sequence number differs from the one before.
    case synAckDiffers
    /// Data in the SYN (TCP Fast Open).
    case synData
    /// A new connection on the endpoints of an old one; reported on the new one.
    case portReused
    /// Retransmitted after duplicate ACKs asked for it.
    case retransmissionFast
    /// Retransmitted after the sender's timer ran out; `value` is the ns since the copy before.
    case retransmissionTimeout
    /// Retransmitted although the peer had acknowledged it.
    case retransmissionSpurious
    /// Retransmitted; the capture does not show why.
    case retransmission
    /// First seen copy of bytes that were sent before but lost before this capture point.
    case retransmissionOfUnseen
    /// An old copy that could not be compared with what was delivered; accompanies a retransmission.
    case notCompared
    /// Overtaken on the way, not retransmitted.
    case outOfOrder
    /// The same packet captured twice (two interfaces, two capture points).
    case duplicatePacket
    /// Bytes that the capture lacks although the peer acknowledged them.
    case ackOfUnseen
    /// Data that stands in the capture before bytes of the other side that it acknowledges: `earlier` brought these, `value`
    /// ns later.
    case aheadOfAcknowledged
    /// A retransmitted copy is acknowledged: `range` are its bytes, `earlier` is the last copy, `packet` the
    /// acknowledgement. `value` is 1 where that echoes an earlier clock than the copy's: the first one had arrived.
    case copyAcknowledged
    /// A segment without data that stands behind bytes of its own side that did not come: `range` are these bytes, of which
    /// nothing says that they arrived anywhere.
    case sentUnseen
    case duplicateAck
    /// An acknowledgement that was delayed, and the small segment that came when it was there: reported together, when
    /// the segment comes. `value` is the ns since the small segment before, which `earlier` is.
    case delayedAck
    /// `earlier` is that acknowledgement, `value` the ns since it.
    case heldWrite
    case zeroWindow
    case windowUpdate
    /// The sender filled the window that the receiver had offered.
    case windowFull
    /// More than half of the time the sender had filled that window and waited: from `earlier`, the segment that filled
    /// it first, to the last of the direction. `value` is the window, `range` what was sent after the first time.
    case windowLimited
    /// A run of segments close to each other, more than half of them small: from `earlier` on; `value` counts them.
    case smallSegments
    case zeroWindowProbe, zeroWindowProbeAck
    /// `value` is how far the other side's stream was.
    case keepAlive, keepAliveAck
    /// A FIN; `value` is the payload length of its segment.
    case fin
    /// Payload after the sender's own FIN.
    case dataAfterFin
    /// The first payload that a side sent after the other side's FIN, which `earlier` is.
    case dataAfterPeerFin
    /// What a side sent and the other never acknowledged, reported once when the connection is evicted: `range` are the
    /// bytes, `packet` the last of them, `value` counts the segments sent after the other side's FIN, and where these
    /// are several, `earlier` is the first.
    case neverAcknowledged
    /// A RST that the receiver accepts; `value` is the payload length, `earlier` the last that the receiver had sent.
    case reset
    /// The last payload of whoever resets the connection, reported with its reset when that came soon after and left
    /// data of the other side unacknowledged; `value` is the ns between the two.
    case dataBeforeReset
    /// A RST that answers a SYN.
    case refused
    /// A RST whose sequence number the receiver must ignore; `value` is its distance from the expected number, `earlier`
    /// the last that the receiver had sent.
    case resetOutOfWindow
    /// Payload after a RST that ended the connection.
    case dataAfterReset
    case urgent
    /// Payload cut by the capture's snapshot length; `value` counts the bytes cut.
    case snaplenCut
    /// An ICMP error that quotes this flow; `value` is type * 256 + code.
    case icmpError
    /// A segment far outside anything the connection could mean; it is counted and left aside.
    case outOfWindow
    /// An ACK in place of a SYN-ACK that acknowledges an earlier connection on these ports, which the server still holds
    /// (RFC 5961 §4).
    case challengeAck
    /// The client's reset of that earlier connection; `earlier` is the challenge ACK.
    case challengeReset

    /// It sums up what a story tells line by line already.
    package var isForRules: Bool {
      switch self {
      case .dataAfterPeerFin, .neverAcknowledged, .dataBeforeReset, .delayedAck, .heldWrite, .windowLimited,
        .smallSegments, .copyAcknowledged, .sentUnseen, .aheadOfAcknowledged:
        true
      default: false
      }
    }
  }
}

/// Two copies of the same stream bytes that differ. The first one seen was delivered.
package struct OverlapConflict: Hashable, Sendable {
  /// From the first byte that differs to the last.
  package var range: Range<UInt64>
  package var differing: UInt64
  package var first: PacketRef
  package var second: PacketRef
  package var firstBytes: Excerpt
  package var secondBytes: Excerpt

  package init(
    range: Range<UInt64>, differing: UInt64, first: PacketRef, second: PacketRef, firstBytes: Excerpt,
    secondBytes: Excerpt
  ) {
    self.range = range
    self.differing = differing
    self.first = first
    self.second = second
    self.firstBytes = firstBytes
    self.secondBytes = secondBytes
  }
}

/// Stream bytes that will never be delivered, and why.
package struct SequenceGap: Hashable, Sendable {
  package var range: Range<UInt64>
  package var cause: Cause
  /// The packet after which the bytes were given up: the ACK that covers them, or the last one of the capture.
  package var packet: PacketRef
  /// The last packet of the direction before the hole, where there was one.
  package var before: PacketRef?
  /// Not so of plaintext that is missing between padded records: then the range stands for any length.
  package var isLengthKnown = true
  /// Where their receiver still asked for them when it had what came behind them.
  package var loss: Loss?
  /// The network lost them, not the capture.
  package var isLostOnPath: Bool { loss != nil }

  package init(_ range: Range<UInt64>, _ cause: Cause, _ packet: PacketRef, before: PacketRef? = nil) {
    self.range = range
    self.cause = cause
    self.packet = packet
    self.before = before
  }

  package struct Loss: Hashable, Sendable {
    /// The first packet behind them.
    package var behind: PacketRef
    /// The largest segment of the direction that came at all, and of the first behind them.
    package var largestPassed: Int
    package var largestBehind: Int
    /// The last packet of the sender.
    package var heard: PacketRef?

    package init(behind: PacketRef, largestPassed: Int, largestBehind: Int, heard: PacketRef?) {
      self.behind = behind
      self.largestPassed = largestPassed
      self.largestBehind = largestBehind
      self.heard = heard
    }
  }

  package enum Cause: UInt8, Hashable, Sendable {
    /// Acknowledged by the receiver, so they were on the wire: the capture lost them.
    case notCaptured
    /// Cut off by the snapshot length.
    case snaplen
    /// Still missing when the stream ended.
    case neverArrived
    /// More data waited behind the hole than the bounds allow.
    case holdLimit
  }
}
