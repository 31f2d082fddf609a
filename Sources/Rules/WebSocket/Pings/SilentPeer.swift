import Citation
import Events
import WebSocketSemantics

/// A side left, because the other one sent nothing for as long as their protocol allows: a client of MQTT that promised
/// to be heard, or a server of Engine.IO that asks by heartbeats.
struct SilentPeer: Sendable {
  /// Either timer may have begun a little before the last frame was here: by this part of it.
  private static let early: Int64 = 20
  private let direction: Direction
  private let silence: Int64
  private let words: String
  private let evidence: [Evidence]
  private let story: SocketStory

  init?(_ direction: Direction, _ socket: ClosedSocket, _ context: FlowContext) {
    let story = socket.story
    let peer = direction.opposite
    guard story.isWhole, let last = story.sides[peer].last?.released, let leaving = story.leaving(of: direction) else {
      return nil
    }
    silence = leaving.packet.time.since(last.time)
    var proof = [Evidence(.packet(last, peer), "the last frame of \(Wording.sender(peer))"), leaving.evidence]
    if let promise = socket.record.promise, promise.by == peer {
      guard silence >= promise.nanoseconds &- promise.nanoseconds / Self.early else { return nil }
      words = "\(Wording.duration(promise.nanoseconds)) are allowed (\(promise.words))"
      proof.insert(Evidence(.packet(promise.packet, peer), "it says how long it may be silent"), at: 0)
    } else {
      // The open packet came by polling, or was not captured: a timer of whole seconds, and questions without an answer.
      guard direction == story.client, AppHeartbeats.areSpoken(by: socket.record.application), silence >= Self.least,
        let seconds = RoundSilence.seconds(silence), story.order &- story.sides[peer].lastOrder >= Self.questions
      else { return nil }
      words = "it had been asked meanwhile, and \(seconds) s look like pingInterval and pingTimeout of Engine.IO"
    }
    self.evidence = proof
    self.direction = direction
    self.story = story
  }

  private static let least: Int64 = 3_000_000_000
  private static let questions: UInt64 = 2

  func finding(_ info: RuleInfo, in context: FlowContext) -> Finding {
    let peer = Wording.sender(direction.opposite)
    var finding = story.finding(
      info, direction,
      "\(Wording.sender(direction).atSentenceStart) ended the connection after \(Wording.duration(silence)) without a frame of \(peer); \(words).",
      cost: .failed(.connection), evidence, in: context)
    finding.fix =
      direction == story.client
      ? """
      Server: find what blocked it at this time (a handler that computes or waits on the loop that reads: use an \
      asynchronous call or a thread). Else raise pingInterval and pingTimeout (ping_interval, ping_timeout).
      """
      : """
      Client: find why it sent nothing (suspended, frozen, a loop that is blocked): its library sends pings by itself while \
      it runs. Else raise Keep Alive where it connects.
      """
    return finding
  }
}
