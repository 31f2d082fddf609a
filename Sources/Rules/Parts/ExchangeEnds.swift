import Citation
import Events

extension ExchangeRecord {
  /// How the connection ended under a request that was not answered.
  var unansweredEnd: (packet: PacketRef, direction: Direction)? {
    guard response == nil, !isResponseMissing else { return nil }
    return firstEnd
  }

  /// The same, and who did it: a reset ends both directions at once.
  func unansweredEnd(in context: FlowContext) -> (packet: PacketRef, by: Direction)? {
    guard let (packet, first) = unansweredEnd else { return nil }
    return (packet, end.sides[first]?.end == .reset ? context.closing(of: self).by ?? first : first)
  }

  /// The first FIN or reset of either side.
  var firstEnd: (packet: PacketRef, direction: Direction)? { end.first.map { ($0.side.packet, $0.by) } }

  /// The answer, or this packet of it, came when the client had ended the connection, and reached no reader. On HTTP/1 a
  /// client may close its sending side and wait.
  func isAnsweredToNobody(in context: FlowContext, by packet: PacketRef? = nil) -> Bool {
    guard key.stream != nil, let request, let response else { return false }
    let closing = context.closing(of: self)
    guard closing.by == request.direction, let at = closing.firstBy == closing.by ? closing.firstEnd : closing.at else {
      return false
    }
    return at.number < (packet ?? response.first).number
  }

  /// The FIN or RST by which a side had ended when the exchange was over: a message knows why it has no end, and not in
  /// which packet.
  func closing(_ direction: Direction) -> PacketRef? {
    guard let side = end.sides[direction], side.end == .fin || side.end == .reset else { return nil }
    return side.packet
  }

  /// It is the request, and broke off when an answer was there that refused it or sent it elsewhere, or was whole.
  func stoppedForAnswer(_ message: Message) -> Bool {
    guard isRequest(message), let response, response.headReleased != nil, let end = closing(message.direction) else {
      return false
    }
    if response.status.code >= 300 { return response.first.number < end.number }
    return response.isComplete && response.status.code >= 200 && response.last.number < end.number
  }

  /// The other side had ended before this one did.
  func endedSecond(_ direction: Direction) -> Bool {
    guard let own = closing(direction), let other = closing(direction.opposite) else { return false }
    return other.number < own.number
  }
}

extension FlowContext {
  /// A side had ended the connection, as the first one, before this packet.
  func hasEnded(_ side: Direction, before packet: PacketRef) -> Bool {
    closing.firstBy == side && (closing.firstEnd?.number ?? .max) < packet.number
  }

  /// What an end is called as evidence: inside TLS it may have been close_notify.
  func endWords(isReset: Bool) -> String {
    isReset ? "the reset" : isSecure ? "the FIN or close_notify" : "the FIN"
  }
}
