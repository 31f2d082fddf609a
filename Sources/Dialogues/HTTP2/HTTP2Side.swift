import Citation
import Events
import HPACK
import HTTP2
import HTTP2Semantics

/// What is known of one direction of an HTTP/2 connection and of its sender.
struct HTTP2Side: Sendable {
  // First what each frame of data is counted in, so that it stands together.

  /// Whether its first bytes are not all known.
  private(set) var isOpening = true
  /// What this side may send on a stream at first, what it may send on the connection, and how many streams it may open:
  /// as the other side said.
  var window: Int64 = 65_535
  var initialWindow: Int64 = 65_535
  /// The credit of the connection as this side sees it, and the stream that most of it was missing for.
  var credit = HTTP2Credit()
  var lastData = PacketRef.none
  var pace = HTTP2Pace()
  var record = HTTP2SideRecord()
  var parser: HTTP2Parser
  /// Of the blocks that this side sends.
  var decoder: HPACKDecoder
  /// While frames are looked for.
  var search = Rare<HTTP2Search>()
  var end: SideEnd?
  var holder: UInt32?
  var streamLimit: UInt32?
  var mayPush = true
  /// Frames whose last bytes waited behind a hole.
  var held = HTTP2Held()
  /// The highest stream that it opened.
  var highest: UInt32 = 0
  /// PINGs of this side that the other one has not acknowledged, oldest first.
  private var pings: [(value: UInt64, packet: PacketRef)] = []
  private static let pingLimit = 256
  /// Settings of this side that the other one has not acknowledged, oldest first.
  private var announced: [[HTTP2Setting]] = []
  /// The limit of this side's table, as the other side set it.
  private var tableLimit: UInt32
  /// Nobody acknowledges so many late.
  private static let announcedLimit = 64

  private var hasHole = false
  /// Frames are looked for behind a hole, and not since the beginning.
  var isBehindHole: Bool { mutating get { hasHole && parser.isLost } }

  mutating func noteHole(at packet: PacketRef) {
    hasHole = true
    held.giveUp(at: packet)
  }

  mutating func countHeld() -> Int {
    parser.countHeld() + decoder.countHeld() + (search.isEmpty ? 0 : search.value.countHeld())
  }

  /// Nothing more is read of either side: lets go of what only reading needs.
  mutating func finish() {
    decoder = HPACKDecoder(startsAnywhere: false)
    search.remove()
  }

  @inline(__always)
  mutating func count(_ data: HTTP2DataFrame) {
    record.count(.data)
    if data.stream > 0, data.released.number > data.span.last.number {
      held.note(data.stream, data.length, last: data.span.last, data.released)
    }
  }

  /// Takes what a frame needs from the connection's window, and answers what was left of it before.
  @inline(__always)
  mutating func spendWindow(_ length: UInt32) -> Int64 {
    let left = window
    window = left - Int64(length)
    return left
  }

  @inline(__always)
  mutating func note(_ packet: PacketRef, _ bytes: UInt64, _ trip: Int64) -> HTTP2Pace.Sum {
    pace.note(packet, bytes, trip)
    return pace.sum
  }

  init(_ start: HTTP2Parser.Start, startsAnywhere: Bool) {
    parser = HTTP2Parser(start)
    decoder = HPACKDecoder(startsAnywhere: startsAnywhere)
    tableLimit = UInt32(HPACKDecoder.usualLimit)
    if startsAnywhere {
      var tokens: [HTTP2Token] = []
      parser.lose(0..<1, into: &tokens)
    }
  }

  mutating func open(_ chunk: borrowing CitedBytes) {
    var opening = record.opening ?? HTTP2SideRecord.Opening(packet: chunk.released)
    let kept = min(chunk.bytes.count, HTTP2SideRecord.Opening.limit - opening.bytes.count)
    chunk.bytes.extracting(first: kept).withUnsafeBufferPointer { opening.bytes.append(contentsOf: $0) }
    isOpening = opening.bytes.count < HTTP2SideRecord.Opening.limit
    record.opening = opening
  }

  mutating func ping(_ value: UInt64, in packet: PacketRef) {
    if pings.count >= Self.pingLimit { pings.removeFirst(Self.pingLimit / 2) }
    pings.append((value, packet))
  }

  /// Whether one of this side's is acknowledged.
  mutating func answerPing(_ value: UInt64, in packet: PacketRef) -> Bool {
    guard let at = pings.firstIndex(where: { $0.value == value }) else { return false }
    record.pingRoundTrips.add(packet.time.since(pings.remove(at: at).packet.time))
    return true
  }

  mutating func announce(_ settings: [HTTP2Setting]) {
    record.note(settings)
    if announced.count < Self.announcedLimit { announced.append(settings) }
  }

  mutating func acknowledged(in packet: PacketRef) -> [HTTP2Setting] {
    if !announced.isEmpty, record.acknowledged == nil { record.acknowledged = packet }
    return announced.isEmpty ? [] : announced.removeFirst()
  }

  /// An encoder may use a higher limit before its acknowledgement is seen.
  mutating func raiseTable(to limit: UInt32) {
    if limit > tableLimit { setTable(to: limit) }
  }

  mutating func setTable(to limit: UInt32) {
    tableLimit = limit
    decoder.setLimit(limit)
  }
}

/// Looks for the next frames of a direction, where it is not known where one begins: behind a hole, or in a capture that
/// began late.
///
/// Memory: `limit` bytes, and the chunks they came in.
struct HTTP2Search: Sendable {
  private static let limit = 64 << 10

  private var bytes: [UInt8] = []
  private var held: [HeldChunk] = []
  private var from = 0

  mutating func countHeld() -> Int { 2 * bytes.count + held.count * 96 }

  /// The chunks from the first frame on, once it is found.
  mutating func take(_ chunk: borrowing CitedBytes, largest: UInt32) -> [HeldChunk]? {
    if bytes.count + chunk.bytes.count > Self.limit { self = HTTP2Search() }
    chunk.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    held.append(HeldChunk(chunk))
    switch HTTP2Probe.search(bytes.span, from: from, largest: largest) {
    case .unsure(let place):
      from = place
      return nil
    case .found(let place): return rest(from: place)
    }
  }

  private func rest(from place: Int) -> [HeldChunk] {
    var start = 0
    var found: [HeldChunk] = []
    for piece in held {
      let end = start + piece.count
      if end > place { found.append(place > start ? HeldChunk(piece.chunk, from: place - start) : piece) }
      start = end
    }
    return found
  }
}
