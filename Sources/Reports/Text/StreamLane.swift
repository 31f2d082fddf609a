import Citation
import Events

/// A stream as a bar over time: when it was open, when bytes of it came, and why they did not.
///
/// What happened in a column of the bar is what happened at its middle, so that a bar is no longer than it was; a stall
/// that is told in words has a column all the same.
struct StreamLane {
  /// A time without bytes, and why.
  struct Silence {
    var from: Timestamp
    var to: Timestamp
    var cause: StreamPause.Cause
  }

  /// The columns of all bars of a connection, as times.
  struct Scale {
    let begin: Timestamp
    let nanoseconds: Int64
    let columns: Int

    init(_ lanes: [StreamLane], columns: Int) {
      begin = lanes.map(\.start).min() ?? .zero
      nanoseconds = max(1, (lanes.map(\.end).max() ?? begin).since(begin))
      self.columns = max(1, columns)
    }

    func column(_ time: Timestamp) -> Int {
      let passed = UInt64(max(0, min(time.since(begin), nanoseconds)))
      // Without overflow, whatever the clock of a capture says.
      let place = UInt64(nanoseconds).dividingFullWidth(passed.multipliedFullWidth(by: UInt64(columns))).quotient
      return min(columns - 1, Int(place))
    }

    func middle(of column: Int) -> Timestamp {
      let half = UInt64(2 * column + 1).multipliedFullWidth(by: UInt64(nanoseconds))
      return begin.advanced(by: Int64(UInt64(2 * columns).dividingFullWidth(half).quotient))
    }
  }

  /// A shorter stall is only drawn where it fills a column.
  static let told: Int64 = 200_000_000

  let exchange: ExchangeRecord
  let start: Timestamp
  let end: Timestamp
  private let silences: [Silence]

  init(_ exchange: ExchangeRecord, _ http2: HTTP2Record) {
    self.exchange = exchange
    start = exchange.first.time
    let ends = Direction.allCases.compactMap { exchange.end.sides[$0]?.packet.time } + [exchange.last.time]
    end = max(start, ends.max() ?? start)
    silences = Self.silences(exchange, http2)
  }

  /// What the windows explain comes last, and is drawn over the rest.
  private static func silences(_ exchange: ExchangeRecord, _ http2: HTTP2Record) -> [Silence] {
    let pauses = exchange.messages.flatMap(\.stalls).map {
      Silence(from: $0.from.time, to: $0.to.time, cause: $0.cause)
    }
    let waits = exchange.messages.flatMap { message -> [Silence] in
      let first = message.first.time
      // One that never came to an end waited to the last.
      let end = message.isComplete ? message.last.time : Timestamp.distantFuture
      return http2.credit[message.direction].stalls.filter { $0.emptied.time < end && first <= $0.resumed.time }
        .map { Silence(from: max(first, $0.emptied.time), to: min(end, $0.resumed.time), cause: .connectionWindow) }
    }
    let stalls = Direction.allCases.flatMap { exchange.credit?[$0].stalls ?? [] }
    return pauses + waits
      + stalls.map { Silence(from: $0.emptied.time, to: $0.resumed.time, cause: .streamWindow) }
  }

  /// What its windows kept it from, of which there is something to tell.
  var stalls: [(direction: Direction, stall: CreditRecord.Stall)] {
    Direction.allCases.flatMap { direction in
      (exchange.credit?[direction].stalls ?? []).filter { $0.nanoseconds >= Self.told }.map { (direction, $0) }
    }
  }

  /// Something happened to it.
  var isHurt: Bool {
    exchange.end.cut != nil || !stalls.isEmpty || silences.contains { $0.cause.mark != nil }
  }

  // MARK: The bar

  /// What a column shows.
  enum Look: Hashable {
    case closed, waiting, sending, silent, reset
    case held(StreamPause.Cause)

    func mark(_ style: TextStyle) -> String {
      switch self {
      case .closed: " "
      case .waiting: style.dot
      case .sending: style.isASCII ? "#" : "█"
      case .silent: style.isASCII ? "." : "░"
      case .reset: style.isASCII ? "x" : "✗"
      case .held(let cause): cause.mark ?? "?"
      }
    }

    var paint: TextStyle.Paint? {
      switch self {
      case .closed, .waiting, .sending, .silent: nil
      case .reset: .error
      case .held: .warning
      }
    }
  }

  func looks(_ scale: Scale) -> [Look] {
    var looks = (0..<scale.columns).map { look(at: scale.middle(of: $0)) }
    let (first, last) = (scale.column(start), scale.column(end))
    // What is shorter than a column is shown as it ended.
    if looks[last] == .closed || looks[last] == .waiting { looks[last] = look(at: end) }
    if looks[first] == .closed { looks[first] = look(at: start) }
    for silence in silences where silence.to.since(silence.from) >= Self.told && silence.cause.mark != nil {
      let middle = scale.column(silence.from.advanced(by: silence.to.since(silence.from) / 2))
      if case .held = looks[middle] { continue }
      looks[middle] = .held(silence.cause)
    }
    if exchange.end.resetCode != nil { looks[last] = .reset }
    return looks
  }

  static func bar(_ looks: [Look], _ style: TextStyle) -> String {
    var text = ""
    var at = 0
    while at < looks.count {
      let next = looks[at...].firstIndex { $0 != looks[at] } ?? looks.count
      let run = String(repeating: looks[at].mark(style), count: next - at)
      text += looks[at].paint.map { style.paint(run, $0) } ?? run
      at = next
    }
    return text
  }

  private func look(at time: Timestamp) -> Look {
    guard start <= time, time <= end else { return .closed }
    if let silence = silences.last(where: { $0.from < time && time < $0.to }) {
      return silence.cause.mark == nil ? .silent : .held(silence.cause)
    }
    let isAsking = exchange.request.map { request in
      request.firstBody.map { $0.time <= time && time <= request.last.time } ?? false
    }
    let isAnswering = exchange.response.map { $0.first.time <= time && time <= $0.last.time }
    let isSending = isAsking == true || isAnswering == true
    return isSending ? .sending : .waiting
  }
}

extension StreamPause.Cause {
  /// A letter for what kept the bytes back; nil where the sender had none, or nobody knows. The page has the same ones.
  var mark: String? {
    switch self {
    case .senderIdle, .unknown: nil
    case .retransmission: "R"
    case .zeroWindow: "Z"
    case .receiverLimited: "F"
    case .congestionLimited: "C"
    case .captureLoss: "L"
    case .heldUpstream: "H"
    case .streamWindow: "S"
    case .connectionWindow: "W"
    case .peerStreams: "P"
    }
  }
}
