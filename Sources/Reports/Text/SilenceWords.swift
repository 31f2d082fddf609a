import Citation
import Events

/// Silences in words.
enum SilenceWords {
  /// A shorter silence with one cause is only shown in the timeline.
  private static let least: Int64 = 2_000_000_000

  /// `silent 12.400 s: server idle`, with `in all` of several pauses, or `of 12.400 s silent: 11.200 s server idle, 1.200 s
  /// retransmission`; nil where it was short and has one cause.
  static func summary(_ sums: SilenceSums, _ direction: Direction, pauses: Int = 1) -> String? {
    let causes = sums.causes
    guard let first = causes.first, causes.count > 1 || sums.total > least else { return nil }
    guard causes.count > 1 else {
      let all = pauses > 1 ? " in all" : ""
      return "silent \(Wording.duration(sums.total))\(all): \(first.cause.words(direction))"
    }
    let parts = causes.map { "\(Wording.duration($0.nanoseconds)) \($0.cause.words(direction))" }
    return "of \(Wording.duration(sums.total)) silent: " + parts.joined(separator: ", ")
  }

  /// `: server idle`, what explains a silence between two lines; empty where nothing does.
  static func explanation(from: PacketRef, to: PacketRef, next: Direction?, _ pauses: [StreamPause]) -> String {
    let silence = to.time.since(from.time)
    // A pause of one direction that the other one's packets interrupt covers more than the line.
    let covering = { (direction: Direction) in
      pauses.filter { pause in
        pause.direction == direction && pause.from.time < to.time && from.time < pause.to.time
          && min(pause.to.time, to.time).since(max(pause.from.time, from.time)).saturatingMultiplied(by: 10) >= silence
      }
    }
    let own = next.map(covering) ?? []
    let parts = own.isEmpty ? covering(next?.opposite ?? .toClient) : own
    guard let first = parts.first else { return "" }
    if parts.count == 1 { return first.cause == .unknown ? "" : ": " + first.words }
    let words = parts.map { part in
      let inside = min(part.to.time, to.time).since(max(part.from.time, from.time))
      return "\(Wording.duration(inside)) \(part.words)"
    }
    return ": " + words.joined(separator: ", ")
  }

  /// `server idle 93 %`, of both directions together.
  static func share(_ sums: SilenceSums) -> String {
    guard let first = sums.causes.first, sums.total > 0 else { return "-" }
    let percent = first.nanoseconds / max(1, sums.total / 100)
    let name =
      switch first.cause {
      case .senderIdle: "sender idle"
      case .zeroWindow: "zero window"
      case .receiverLimited: "window full"
      default: first.cause.words(.toClient)
      }
    return percent >= 100 ? name : "\(name) \(percent) %"
  }
}
