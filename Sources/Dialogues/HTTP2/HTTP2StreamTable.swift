import Citation
import HTTPSemantics

/// The streams of a connection that are not over, by their identifiers.
///
/// Invariants: `places` has the place in `streams` of each stream that is there, `inOrder` the same places; all other
/// places are in `free`.
struct HTTP2StreamTable: Sendable {
  /// Streams that go on at a time; nobody allows as many.
  static let limit = 1_024
  /// What their field sections may take together. A byte of a block can say a hundred that an earlier one said.
  private static let fieldLimit = 8 << 20

  var streams: [HTTP2Stream] = []
  private var places: [UInt32: Int] = [:]
  private var free: [Int] = []
  /// Places in the order in which the streams were opened.
  private(set) var inOrder: [Int] = []
  /// Those that the client opened.
  private(set) var requests = 0
  /// What the field sections of those that are there take.
  private var fieldBytes = 0
  /// Where streams are, by a part of their identifier: asked for each frame, and of those that go on at a time few share
  /// a place here. An identifier in the upper half, the place in the lower one.
  private var hints: [16 of UInt64] = InlineArray(repeating: 0)
  /// Streams that are over, oldest first: what still comes of them is nothing new. Of those before, only the highest of
  /// each side.
  private var closed: [UInt32: BothDirections<Bool>] = [:]
  private var closedOrder: [UInt32] = []
  private var forgotten: (even: UInt32, odd: UInt32) = (0, 0)
  private static let closedLimit = 4_096

  var count: Int { places.count }
  var isEmpty: Bool { places.isEmpty }
  var isFull: Bool { places.count >= Self.limit }
  /// The field sections of those that are there take more than they may.
  var holdsTooMuch: Bool { fieldBytes >= Self.fieldLimit }

  /// Of many streams a few stand for all: it is asked again and again.
  mutating func countHeld() -> Int {
    let step = max(1, inOrder.count / 16)
    var (sum, looked) = (0, 0)
    for rank in stride(from: 0, to: inOrder.count, by: step) {
      sum += streams[inOrder[rank]].countHeld()
      looked += 1
    }
    let kept = (streams.count - inOrder.count) * MemoryLayout<HTTP2Stream>.stride + closedOrder.count * 24
    return kept + (looked > 0 ? sum / looked * inOrder.count : 0)
  }

  /// No stream is opened any more: gives back the places of those that are over.
  mutating func finish() {
    guard isEmpty else { return }
    streams = []
    free = []
  }

  @inline(__always)
  func index(of id: UInt32) -> Int? {
    let hint = hints[Self.hint(of: id)]
    return hint >> 32 == UInt64(id) && id > 0 ? Int(truncatingIfNeeded: hint & 0xFFFF_FFFF) : places[id]
  }

  /// Of a side all are odd, or even.
  @inline(__always)
  private static func hint(of id: UInt32) -> Int { Int(truncatingIfNeeded: id >> 1 & 15) }

  func wasClosed(_ id: UInt32) -> Bool {
    id <= (id % 2 == 0 ? forgotten.even : forgotten.odd) || closed[id] != nil
  }

  /// Who had ended it; nil where it is not known to be over.
  func ends(of id: UInt32) -> BothDirections<Bool>? { closed[id] }

  mutating func insert(_ stream: consuming HTTP2Stream) -> Int {
    let id = stream.id
    let place = free.popLast() ?? streams.count
    if place == streams.count {
      // A few more at a time: twice as many would be megabytes where connections are many.
      if streams.count == streams.capacity { streams.reserveCapacity(streams.count + max(4, streams.count / 4)) }
      streams.append(stream)
    } else {
      streams[place] = stream
    }
    places[id] = place
    inOrder.append(place)
    requests += Int(id % 2)
    hints[Self.hint(of: id)] = UInt64(id) << 32 | UInt64(truncatingIfNeeded: place)
    return place
  }

  /// A field section of the stream is kept with it.
  mutating func hold(_ fields: HeaderBlock, at place: Int) {
    let count = fields.bytes.count + fields.fields.count * 64
    streams[place].fieldBytes += count
    fieldBytes += count
  }

  mutating func remove(_ place: Int) {
    let number = streams[place].exchange.key.number
    let (id, ends, bytes) = streams[place].leave()
    places[id] = nil
    fieldBytes -= bytes
    if inOrder.first == place { inOrder.removeFirst() } else { remove(rank: number) }
    requests -= Int(id % 2)
    closed[id] = ends
    closedOrder.append(id)
    if closedOrder.count > 2 * Self.closedLimit { forgetClosed() }
    if hints[Self.hint(of: id)] >> 32 == UInt64(id) { hints[Self.hint(of: id)] = 0 }
    free.append(place)
  }

  /// Takes the stream with an exchange's number, which has just left, out of the order: those numbers rise.
  private mutating func remove(rank number: Int) {
    var (low, high) = (0, inOrder.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if streams[inOrder[middle]].exchange.key.number < number { low = middle + 1 } else { high = middle }
    }
    inOrder.remove(at: low)
  }

  private mutating func forgetClosed() {
    for id in closedOrder.prefix(Self.closedLimit) {
      closed[id] = nil
      if id % 2 == 0 { forgotten.even = max(forgotten.even, id) } else { forgotten.odd = max(forgotten.odd, id) }
    }
    closedOrder.removeFirst(Self.closedLimit)
  }
}
