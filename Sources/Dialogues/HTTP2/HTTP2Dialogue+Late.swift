import Citation
import Events
import HTTP2Semantics

// What waits for the other side to be read as far. A side's bytes wait behind a hole of their direction until that is given
// up, and what answers them is read before.
//
// A response whose request was not read is kept until its client is read beyond it, or ends. What one side may do because of
// what the other one said is a fault only if that was not said: it is told once the other side is read as far, and nothing
// of it was missing.
extension HTTP2Dialogue {
  struct Suspicion: Sendable {
    var fault: HTTP2Fault
    var direction: Direction
    var key: ExchangeKey?
  }

  private static let suspicionLimit = 64

  /// Whether the request of a stream that is over otherwise may be still to come. An upgrade's is not.
  mutating func isAwaited(_ at: Int) -> Bool {
    guard let answered = table.streams[at].answeredUnread() else { return false }
    return requestsReadTo < answered && !(mayFollowUpgrade && table.streams[at].id == 1)
  }

  /// So far the client was read.
  mutating func readRequests(to packet: UInt64, into events: inout [Event]) {
    requestsReadTo = packet
    guard hasAwaited else { return }
    hasAwaited = false
    for at in table.inOrder { tellIfOver(at, into: &events) }
  }

  mutating func suspect(_ fault: HTTP2Fault, _ direction: Direction, _ key: ExchangeKey?, into events: inout [Event]) {
    guard fault.kind.dependsOnOther, suspicions.count < Self.suspicionLimit else {
      events.append(.http2Fault(fault, direction, key))
      return
    }
    suspicions.append(Suspicion(fault: fault, direction: direction, key: key))
  }

  /// A request was read, though late: what was said on its stream was said on one that was open.
  mutating func trust(_ stream: UInt32) {
    suspicions.removeAll { $0.fault.kind == .streamIdle && $0.fault.frame.stream == stream }
  }

  /// A side is about to be read from a packet on.
  mutating func settle(_ direction: Direction, before packet: UInt64, into events: inout [Event]) {
    let isTrue = isWhole
    suspicions.removeAll { suspicion in
      guard suspicion.direction != direction, suspicion.fault.frame.released.number < packet else { return false }
      if isTrue { events.append(.http2Fault(suspicion.fault, suspicion.direction, suspicion.key)) }
      return true
    }
  }
}
