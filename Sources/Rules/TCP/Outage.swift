import Citation
import Events

/// The longest pause of a body in which bytes were lost: of an outage the receiver's side sees a copy, and then what is
/// missing, so that no copy shows a wait of its own.
struct Outage: Sendable {
  /// No timer is shorter.
  private static let timer: Int64 = 200_000_000

  private var pause: StreamPause?
  private var answer = FirstCopyAnswer()

  mutating func note(_ pause: StreamPause) {
    // A copy of what had been acknowledged delays nothing by itself; nor does what was recorded twice, at the beginning
    // or at the end.
    guard !pause.isEnd, pause.resent != .retransmissionSpurious,
      pause.proof.contains(where: { copy in
        copy.number < pause.to.number && copy.time.since(pause.from.time) >= Self.timer
          && !pause.to.sharesMoment(with: copy)
      })
    else { return }
    if pause.nanoseconds > self.pause?.nanoseconds ?? 0 { self.pause = pause }
  }

  mutating func note(copy packet: PacketRef) { answer.note(copy: packet) }
  mutating func note(answer packet: PacketRef) { answer.note(answer: packet) }

  /// The pause, if it is as long and its bytes were lost; where the first copy was answered, they had waited on the way.
  func lasting(_ least: Int64) -> StreamPause? {
    guard let pause, pause.nanoseconds >= least else { return nil }
    let isAnswered = answer.packet.map { pause.from.number...pause.to.number ~= $0.number } ?? false
    return isAnswered ? nil : pause
  }
}
