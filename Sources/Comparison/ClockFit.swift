import Citation
import Events

/// The clock of B on that of A, from moments that both captures show.
///
/// Nothing is there before it was sent. Of what goes to the server, the later capture is the inner one; of what goes to
/// the client, the outer one. So each moment bounds the difference of the clocks from one side, and what lies between the
/// tightest two bounds is possible. Clocks that may show the same are taken to: a proxy that holds one direction back
/// widens the bounds to one side, and their middle would be wrong. Of clocks that are far apart the middle is taken.
struct ClockFit {
  struct Sample {
    var direction: Direction
    /// When it was at A, and how much more B showed.
    var at: Timestamp
    var difference: Int64
  }

  private struct Bounds {
    /// Of what went to the server and to the client: the least and the most.
    var toServer: (least: Int64, most: Int64)?
    var toClient: (least: Int64, most: Int64)?

    init(_ samples: some Sequence<Sample>) {
      for sample in samples {
        switch sample.direction {
        case .toServer: Self.extend(&toServer, sample.difference)
        case .toClient: Self.extend(&toClient, sample.difference)
        }
      }
    }

    private static func extend(_ bounds: inout (least: Int64, most: Int64)?, _ value: Int64) {
      bounds = bounds.map { (min($0.least, value), max($0.most, value)) } ?? (value, value)
    }

    /// What is possible, for the capture that is nearer to the client; the wrong way round where nothing is.
    func range(outer: CompareSide) -> (least: Int64, most: Int64)? {
      guard let toServer, let toClient else { return nil }
      return outer == .a ? (toClient.most, toServer.least) : (toServer.most, toClient.least)
    }
  }

  /// Moments at both ends of the captures that a drift is measured from.
  private static let leastSamples = 8
  private static let driftTime: Int64 = 30_000_000_000

  private(set) var outer: CompareSide?
  private(set) var alignment: ClockAlignment?
  /// One offset fits all moments.
  private(set) var isPossible = false

  init(_ pairs: [ComparedPair], _ bare: [ComparedConnection]) {
    var samples = pairs.flatMap(Self.samples) + bare.flatMap { Self.handshake($0.a, $0.b) }
    var known: Set<Int> = []
    for pair in pairs where known.insert(pair.a.connection.number).inserted {
      samples += Self.handshake(pair.a.connection, pair.b.connection)
    }
    self.init(samples)
  }

  init(_ samples: [Sample]) {
    let samples = samples.sorted { $0.at < $1.at }
    let bounds = Bounds(samples)
    guard let first = samples.first, let asA = bounds.range(outer: .a), let asB = bounds.range(outer: .b) else {
      return
    }
    // The wrong way round, nothing is possible: what is there before it was sent.
    let (widthA, widthB) = (asA.most &- asA.least, asB.most &- asB.least)
    outer = widthA == widthB ? nil : widthA > widthB ? .a : .b
    isPossible = max(widthA, widthB) >= 0
    var alignment = Self.alignment(widthA >= widthB ? asA : asB, samples.count, at: first.at)
    if let (drift, unsure) = drift(samples) {
      alignment.drift = Int64(clamping: drift.magnitude) > unsure ? drift : 0
      alignment.driftUncertainty = unsure
      if let drift = alignment.drift, drift != 0 { straighten(&alignment, samples, drift) }
    }
    self.alignment = alignment
  }

  private static func alignment(_ range: (least: Int64, most: Int64), _ samples: Int, at: Timestamp) -> ClockAlignment {
    let (least, most) = (min(range.least, range.most), max(range.least, range.most))
    let offset: Int64
    if least <= 0, most >= 0 {
      offset = 0
    } else {
      let nearest = least > 0 ? least : most
      let width = most &- least
      offset = Int64(clamping: nearest.magnitude) < width ? nearest : least &+ width / 2
    }
    return ClockAlignment(
      offset: offset, least: least, most: most, drift: nil, driftUncertainty: 0, samples: samples, at: at)
  }

  /// From the first third of the moments to the last, in nanoseconds a second.
  private func drift(_ samples: [Sample]) -> (Int64, Int64)? {
    guard let outer, samples.count >= Self.leastSamples, let first = samples.first, let last = samples.last,
      last.at.since(first.at) >= Self.driftTime
    else { return nil }
    let third = samples.count / 3
    let early = samples.prefix(third)
    let late = samples.suffix(third)
    guard let before = Bounds(early).range(outer: outer), let after = Bounds(late).range(outer: outer) else {
      return nil
    }
    let time = { (part: ArraySlice<Sample>) in part[part.startIndex + part.count / 2].at }
    let middle = { (range: (least: Int64, most: Int64)) in range.least &+ (range.most &- range.least) / 2 }
    let seconds = time(late).since(time(early)) / 1_000_000_000
    guard seconds > 0 else { return nil }
    let unsure = before.most.apart(from: before.least) / 2 &+ after.most.apart(from: after.least) / 2
    return ((middle(after) &- middle(before)) / seconds, unsure / seconds + 1)
  }

  /// With the drift taken out, the bounds are those of the offset at the first moment.
  private func straighten(_ alignment: inout ClockAlignment, _ samples: [Sample], _ drift: Int64) {
    let straight = samples.map { sample in
      var sample = sample
      sample.difference = sample.difference &- drift &* (sample.at.since(alignment.at) / 1_000_000_000)
      return sample
    }
    guard let outer, let range = Bounds(straight).range(outer: outer) else { return }
    let fit = Self.alignment(range, samples.count, at: alignment.at)
    (alignment.offset, alignment.least, alignment.most) = (fit.offset, fit.least, fit.most)
  }

  // MARK: Moments

  /// Not the ends of messages, and not answers that differ: who ends or answers for another did not pass them on.
  private static func samples(_ pair: ComparedPair) -> [Sample] {
    var samples: [Sample] = []
    let a = pair.a.record
    let b = pair.b.record
    if let asked = a.request, let passed = b.request {
      samples.append(Sample(.toServer, asked.first, passed.first))
    }
    if let answered = a.response, let came = b.response, a.status == b.status {
      samples.append(Sample(.toClient, answered.first, came.first))
      // A proxy that compresses begins a body of its own, and may before it has any of the other.
      if let body = answered.firstBody, let other = came.firstBody, answered.coding == came.coding {
        samples.append(Sample(.toClient, body, other))
      }
    }
    return samples + messages(pair)
  }

  /// Of one connection, as TCP opened it.
  private static func handshake(_ a: ConnectionRecord, _ b: ConnectionRecord) -> [Sample] {
    guard a.hasSameEnds(as: b), let one = a.opening, let other = b.opening, one.synCount == 1, other.synCount == 1
    else { return [] }
    var samples = [Sample(.toServer, one.syn, other.syn)]
    if let answer = one.answer, let same = other.answer { samples.append(Sample(.toClient, answer, same)) }
    return samples
  }

  private static func messages(_ pair: ComparedPair) -> [Sample] {
    Direction.allCases.flatMap { direction -> [Sample] in
      let a = pair.a.messages(direction)
      let b = pair.b.messages(direction)
      return zip(a, b).prefix { $0.hash == $1.hash && $0.kind == $1.kind }.map {
        Sample(direction, $0.completed, $1.completed)
      }
    }
  }
}

extension ClockFit.Sample {
  fileprivate init(_ direction: Direction, _ a: PacketRef, _ b: PacketRef) {
    self.init(direction: direction, at: a.time, difference: b.time.since(a.time))
  }
}

extension ComparedExchange {
  /// What a WebSocket said in one direction.
  func messages(_ direction: Direction) -> [Item] {
    pieces.filter { $0.direction == direction && $0.kind != .chunk && $0.kind != .record }
  }
}
