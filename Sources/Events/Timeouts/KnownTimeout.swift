import Citation
import HTTPSemantics

/// A timer that ends a stream on its own: whose it is, how long it runs by default, and how its end looks on the wire.
package struct KnownTimeout: Sendable {
  /// The phase of the exchange in which it expires.
  package enum Phase: UInt8, Sendable {
    /// The body of a request, sent by the client.
    case upload
    /// The request is complete, the response has not begun.
    case wait
    /// The body of the response.
    case response
  }

  /// How the connection ends.
  package enum Close: Sendable, Equatable {
    case fin, reset
    case status(UInt16)
  }

  /// Further evidence for the layer besides the time.
  package enum Hint: Sendable {
    /// A part of the response's Server field, in lower case.
    case server(String)
    /// A part of a Via field.
    case via(String)
    /// A field that the response has, in lower case.
    case field(String)
    /// The beginning of the names of such fields, in lower case.
    case fields(String)
    /// The beginning of the name of a cookie that the response sets or the request sends.
    case cookie(String)
    /// A part of the request's User-Agent.
    case agent(String)
  }

  /// Layer and setting, as a sentence names it.
  package let name: String
  package let seconds: [Int64]
  package let phases: [Phase]
  /// Empty if the flow is dropped silently.
  package let closes: [Close]
  package let side: Direction
  package let hints: [Hint]
  /// It leaves no mark on forwarded responses, so that the time alone has to do.
  package let standsAlone: Bool
  /// As text: what it times, how it closes, the hint, and the source.
  package let texts: (times: String, close: String, hint: String, source: String)

  /// A time must be this near: a second, or 1.5 per cent.
  package static func tolerance(_ nanoseconds: Int64) -> Int64 { max(1_000_000_000, nanoseconds / 200 &* 3) }

  /// The default that a silence is as long as, bounds included.
  package func matching(_ silence: Int64) -> Int64? {
    seconds.first { silence.apart(from: $0 &* 1_000_000_000) <= Self.tolerance($0 &* 1_000_000_000) }
  }

  /// Timers fire when they are due or a little later, and never before.
  private static func isExact(_ silence: Int64, _ seconds: Int64) -> Bool {
    let late = silence &- seconds &* 1_000_000_000
    return (-20_000_000...500_000_000).contains(late)
  }

  /// `AWS ALB's idle timeout (60 s)`
  package func title(_ seconds: Int64) -> String { "\(name) (\(seconds) s)" }

  package func isHinted(request: MessageHead?, response: MessageHead?) -> Bool {
    hints.contains { hint in
      switch hint {
      case .server(let part): response?.block.value("server")?.lowercased().contains(part) ?? false
      case .via(let part): response?.block.value("via")?.lowercased().contains(part) ?? false
      case .field(let name): response?.block.fields.contains { response?.block.name($0).lowercased() == name } ?? false
      case .fields(let start):
        response?.block.fields.contains { response?.block.name($0).lowercased().hasPrefix(start) ?? false } ?? false
      case .cookie(let name): Self.sets(name, response) || Self.sends(name, request)
      case .agent(let part): request?.block.value("user-agent")?.contains(part) ?? false
      }
    }
  }
}

extension KnownTimeout {
  private static func sets(_ cookie: String, _ response: MessageHead?) -> Bool {
    response?.block.fields.contains { field in
      response?.block.isNamed("set-cookie", field) == true && response?.block.value(field).hasPrefix(cookie) == true
    } ?? false
  }

  private static func sends(_ cookie: String, _ request: MessageHead?) -> Bool {
    request?.block.value("cookie")?.split(separator: ";").contains {
      $0.drop { $0 == " " }.hasPrefix(cookie)
    } ?? false
  }

  /// The timers that fit what was seen; hinted ones alone, where there are such. Without a hint it takes a long silence,
  /// and for layers that mark forwarded responses, only if nothing was forwarded. A client always has a name.
  package static func fitting(
    _ silence: Int64, _ phase: Phase, _ close: Close, by side: Direction, shortest: Int64, request: MessageHead?,
    response: MessageHead?
  ) -> (rows: [(timeout: KnownTimeout, seconds: Int64)], isHinted: Bool) {
    let near = all.compactMap { row -> (timeout: KnownTimeout, seconds: Int64)? in
      guard row.side == side, row.phases.contains(phase), row.closes.contains(close),
        let seconds = row.matching(silence)
      else { return nil }
      return (row, seconds)
    }
    let hinted = near.filter { $0.timeout.isHinted(request: request, response: response) }
    if !hinted.isEmpty { return (hinted, true) }
    guard silence >= shortest, side == .toClient else { return ([], false) }
    let unmarked = near.filter { $0.timeout.standsAlone || response == nil }
    if !unmarked.isEmpty { return (unmarked, false) }
    // Where nothing is named at all, the names may have been taken out: then the time has to be exact.
    guard response?.block.first("server") == nil, response?.block.first("via") == nil else { return ([], false) }
    return (near.filter { Self.isExact(silence, $0.seconds) }, false)
  }
}
