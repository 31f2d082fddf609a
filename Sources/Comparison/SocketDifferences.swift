import Citation
import Events
import WebSocketSemantics

/// What two captures of a WebSocket do not have in common: its messages, how they were cut and masked, its ends.
struct SocketDifferences {
  private(set) var found: [Difference] = []
  private let a: ComparedExchange
  private let b: ComparedExchange

  init(_ a: ComparedExchange, _ b: ComparedExchange) {
    self.a = a
    self.b = b
    guard let one = a.connection.webSocket, let other = b.connection.webSocket else { return }
    for direction in Direction.allCases {
      compareMessages(direction)
      compareFragments(direction, one.sides[direction], other.sides[direction])
      compareCloses(direction, one.sides[direction].close, other.sides[direction].close)
    }
    compareMasks(one, other)
  }

  private mutating func add(
    _ kind: Difference.Kind, _ direction: Direction?, _ a: String?, _ b: String?, _ packets: BothSides<PacketRef?>
  ) {
    found.append(
      Difference(.webSocket, kind, name: direction.map(Wording.sender) ?? "", a: a, b: b, packets: packets))
  }

  private mutating func compareMessages(_ direction: Direction) {
    let one = a.messages(direction)
    let other = b.messages(direction)
    for (index, (left, right)) in zip(one, other).enumerated() where !left.says(right) {
      add(
        .content, direction, left.words(index), right.words(index), BothSides(a: left.completed, b: right.completed))
      return
    }
    if a.isCut || b.isCut { return compareCounts(direction) }
    guard one.count != other.count else { return }
    add(
      .messages, direction, Wording.count(UInt64(one.count), "message"), Wording.count(UInt64(other.count), "message"),
      BothSides(a: one.last?.completed, b: other.last?.completed))
  }

  /// Where not all of them were kept: how many there were is known.
  private mutating func compareCounts(_ direction: Direction) {
    guard let one = a.connection.webSocket?.sides[direction], let other = b.connection.webSocket?.sides[direction],
      one.messages != other.messages
    else { return }
    add(
      .messages, direction, Wording.count(one.messages, "message"), Wording.count(other.messages, "message"),
      BothSides(a: one.firstMessage, b: other.firstMessage))
  }

  private mutating func compareFragments(_ direction: Direction, _ a: WebSocketDirection, _ b: WebSocketDirection) {
    let continuation = Int(Opcode.continuation.rawValue)
    guard a.frames[continuation] != b.frames[continuation], a.messages == b.messages else { return }
    add(
      .fragments, direction, Wording.count(a.frames[continuation], "continuation"),
      Wording.count(b.frames[continuation], "continuation"), BothSides(a: a.firstMessage, b: b.firstMessage))
  }

  private mutating func compareCloses(_ direction: Direction, _ a: Frame?, _ b: Frame?) {
    let words = { (frame: Frame?) -> String? in
      frame.map { $0.closeCode.map { "Close \($0)" } ?? "Close without a code" }
    }
    guard words(a) != words(b) else { return }
    add(.close, direction, words(a), words(b), BothSides(a: a?.span.first, b: b?.span.first))
  }

  private mutating func compareMasks(_ a: WebSocketRecord, _ b: WebSocketRecord) {
    let pairs = zip(a.firstMasks, b.firstMasks)
    guard let (one, other) = pairs.first(where: { $0.key != $1.key }) else { return }
    var difference = Difference(
      .webSocket, .masks, a: nil, b: nil, packets: BothSides(a: one.packet, b: other.packet))
    // A mask is made for one hop, as a key is.
    difference.role = .hop
    found.append(difference)
  }
}

extension Item {
  fileprivate func says(_ other: Item) -> Bool {
    guard kind == other.kind, hash == other.hash, label == other.label else { return false }
    // Of what could not be read to its end the length says how far that went.
    return bytes == other.bytes || hash == nil && (kind == .text || kind == .binary)
  }

  fileprivate func words(_ index: Int) -> String {
    "message \(index + 1): \(kind.name)\(label.isEmpty ? "" : " \(label)"), \(Wording.bytes(bytes))"
  }
}
