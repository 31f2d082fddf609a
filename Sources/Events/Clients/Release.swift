import Citation
import HTTPSemantics

/// What ends the wait of a client that buffers a number of bytes of a body.
package struct HoldEnd: Sendable, Equatable {
  package enum Cause: Sendable, Equatable {
    /// The byte it waited for.
    case reached
    /// The end of the body, before that byte.
    case bodyEnd
    /// A FIN or a reset, and whose; the body has no end.
    case connectionEnd(DirectionEnd, Direction)
    /// The capture shows no more: it was still waiting at the connection's last packet.
    case captureEnd
  }

  package var cause: Cause
  package var packet: PacketRef
  /// Body bytes received by then.
  package var bytes: UInt64
}

/// When a family of clients would deliver a response to its application.
package struct Release: Sendable, Equatable {
  package var client: ClientFamily
  package var packet: PacketRef
  package var bytes: UInt64
}

extension ExchangeRecord {
  /// When a client that waits for `bytes` bytes of the response's body, one of `MessageRecord.milestones`, stops
  /// waiting; nil where that cannot be determined, as in a body that the capture lacks bytes of.
  package func holdEnd(_ bytes: UInt64) -> HoldEnd? {
    guard let response, let first = response.firstBody, response.end?.isCaptured == true else { return nil }
    if let reached = response.reached(bytes) { return HoldEnd(cause: .reached, packet: reached, bytes: bytes) }
    if response.isComplete {
      let close = response.head?.framing == .close ? end.sides[response.direction]?.packet : nil
      return HoldEnd(cause: .bodyEnd, packet: close ?? response.last, bytes: response.bodyBytes)
    }
    switch response.incomplete?.cause {
    case .gap, .framingError, .evicted, nil: return nil
    case .fin, .reset, .captureEnded: break
    }
    var hold: HoldEnd?
    for direction in Direction.allCases {
      guard let side = end.sides[direction], side.packet.number > first.number, side.end != .evicted else { continue }
      let isEnd = side.end == .fin || side.end == .reset
      if let hold, hold.packet.number < side.packet.number || !isEnd { continue }
      hold = HoldEnd(
        cause: isEnd ? .connectionEnd(side.end, direction) : .captureEnd, packet: side.packet, bytes: response.bodyBytes
      )
    }
    return hold
  }

  /// When each family of clients that holds such a response would hand it over, where that is later than the first byte
  /// of its body. Unverified rows of ClientHold are left out.
  package var releases: [Release] {
    guard let response, let head = response.head, let first = response.firstBody, !isSocketStream else { return [] }
    // Most responses are not held by anybody, and need none.
    lazy var path = String(decoding: target.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    var releases: [Release] = []
    var seen: Set<ClientFamily> = []
    for hold in ClientHold.all {
      guard let bytes = hold.bytes, hold.confidence > .low, !seen.contains(hold.family), let end = holdEnd(bytes),
        end.packet.time > first.time, hold.applies(to: head, opening: response.opening, path: path)
      else { continue }
      seen.insert(hold.family)
      switch end.cause {
      case .reached, .bodyEnd, .connectionEnd(.fin, response.direction):
        releases.append(Release(client: hold.family, packet: end.packet, bytes: end.bytes))
      case .connectionEnd, .captureEnd: break
      }
    }
    return releases
  }
}
