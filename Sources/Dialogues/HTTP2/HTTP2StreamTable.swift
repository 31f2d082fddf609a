import Citation

/// The streams of a connection that are not over, by their identifiers.
///
/// Invariant: `places` has the place in `streams` of each stream that is there; all other places are in `free`.
struct HTTP2StreamTable: Sendable {
  /// Streams that go on at a time; nobody allows as many.
  static let limit = 4_096

  var streams: [HTTP2Stream] = []
  private var places: [UInt32: Int] = [:]
  private var free: [Int] = []
  /// The one that was asked for last: frames of a stream come in runs.
  private var newest: (id: UInt32, place: Int) = (0, -1)
  /// Streams that are over, oldest first: what still comes of them is nothing new. Of those before, only the highest.
  private var closed: [UInt32: BothDirections<Bool>] = [:]
  private var closedOrder: [UInt32] = []
  private var forgotten: UInt32 = 0
  private static let closedLimit = 4_096

  var count: Int { places.count }
  var isEmpty: Bool { places.isEmpty }
  var isFull: Bool { places.count >= Self.limit }

  @inline(__always)
  func index(of id: UInt32) -> Int? {
    newest.id == id && newest.place >= 0 ? newest.place : places[id]
  }

  /// Places in the order in which the streams were opened.
  var inOrder: [Int] {
    places.values.sorted { streams[$0].exchange.number < streams[$1].exchange.number }
  }

  func wasClosed(_ id: UInt32) -> Bool { id <= forgotten || closed[id] != nil }

  /// Who had ended it; nil where it is not known to be over.
  func ends(of id: UInt32) -> BothDirections<Bool>? { closed[id] }

  mutating func insert(_ stream: HTTP2Stream) -> Int {
    let place = free.popLast() ?? streams.count
    if place == streams.count { streams.append(stream) } else { streams[place] = stream }
    places[stream.id] = place
    newest = (stream.id, place)
    return place
  }

  mutating func remove(_ place: Int) {
    let id = streams[place].id
    places[id] = nil
    closed[id] = streams[place].sentEnds
    closedOrder.append(id)
    if closedOrder.count > 2 * Self.closedLimit { forgetClosed() }
    if newest.place == place { newest = (0, -1) }
    free.append(place)
  }

  private mutating func forgetClosed() {
    for id in closedOrder.prefix(Self.closedLimit) {
      closed[id] = nil
      forgotten = max(forgotten, id)
    }
    closedOrder.removeFirst(Self.closedLimit)
  }
}
