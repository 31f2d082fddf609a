import Citation

/// One of the two captures of a comparison, in the order they were named.
package enum CompareSide: UInt8, Sendable, CaseIterable {
  case a, b

  package var other: CompareSide { self == .a ? .b : .a }
  /// As reports call it.
  package var name: String { self == .a ? "A" : "B" }
  /// As documents do.
  package var key: String { self == .a ? "a" : "b" }
}

/// One value for each of the two captures.
package struct BothSides<Value> {
  package var a: Value
  package var b: Value

  package init(a: Value, b: Value) {
    self.a = a
    self.b = b
  }

  package subscript(side: CompareSide) -> Value {
    get { side == .a ? a : b }
    set { if side == .a { a = newValue } else { b = newValue } }
  }

  package func map<Other>(_ transform: (Value) -> Other) -> BothSides<Other> {
    BothSides<Other>(a: transform(a), b: transform(b))
  }
}

extension BothSides: Sendable where Value: Sendable {}
extension BothSides: Equatable where Value: Equatable {}

/// An exchange of one of the captures, with the pieces of its streams.
package struct ComparedExchange: Sendable {
  package var record: ExchangeRecord
  package var connection: ConnectionRecord
  /// Chunks, and the messages and control frames of a WebSocket, in the order in which they were complete.
  package var pieces: [Item]
  /// Some of them were too many to keep.
  package var isCut = false

  package init(_ record: ExchangeRecord, _ connection: ConnectionRecord, _ pieces: [Item]) {
    self.record = record
    self.connection = connection
    self.pieces = pieces
  }

  package var leg: ExchangeKey { record.key }
}

/// How two exchanges were matched.
package enum MatchReason: String, Sendable, CaseIterable {
  /// The same key of a WebSocket handshake: the same request, on another hop.
  case socketKey = "websocket key"
  /// Method and target, in order.
  case target
  /// Method and the shape of the path: what names one thing of many differs.
  case path
  /// The same body that was sent, to another target.
  case content
  /// Nothing else of this method was left on either side.
  case remaining = "the only ones left"
}

/// The same exchange in both captures, or its counterpart.
package struct ComparedPair: Sendable {
  package var a: ComparedExchange
  package var b: ComparedExchange
  package var reason: MatchReason
  /// The most useful first.
  package var differences: [Difference] = []
  package var verdicts: [ComparisonVerdict] = []
  /// Where both captures show the same traffic: what was between the two points.
  package var passage: Passage?
  /// When each piece was at both points: of the upload, and of the download.
  package var holds = BothDirections<[HeldPiece]>(repeating: [])
  package var holdsCut = BothDirections<UInt64>(repeating: 0)
  /// Progress of each body in bursts; for a WebSocket, its messages. Bounded.
  package var lanes = BothDirections(repeating: BothSides<[MessageRecord.Milestone]>(a: [], b: []))

  package init(_ a: ComparedExchange, _ b: ComparedExchange, _ reason: MatchReason) {
    self.a = a
    self.b = b
    self.reason = reason
  }

  package subscript(side: CompareSide) -> ComparedExchange { side == .a ? a : b }

  /// `POST /uplink`, as A asked for it.
  package var title: String {
    a.record.request?.head?.requestTitle ?? b.record.request?.head?.requestTitle ?? "(no request)"
  }

  package var isIdentical: Bool { verdicts.allSatisfy { $0.word == .identical } }

  package func verdict(_ word: ComparisonVerdict.Word) -> ComparisonVerdict? { verdicts.first { $0.word == word } }

  /// Differences of the requests, if the responses differ: possible causes.
  package var causes: [Difference] { differences.filter { $0.role == .cause } }
}

/// What is between the two points that captured the same traffic.
package struct Passage: Sendable, Equatable {
  /// The capture nearer to the client.
  package var outer: CompareSide
  /// Both captures show the same connection: no proxy in between.
  package var isSameConnection: Bool
  /// The name that the proxy gives itself, if any.
  package var proxy: String?

  package init(outer: CompareSide, isSameConnection: Bool, proxy: String?) {
    self.outer = outer
    self.isSameConnection = isSameConnection
    self.proxy = proxy
  }

  package var holder: String {
    isSameConnection ? "the network between the two points" : proxy ?? "the proxy between the two points"
  }
}

/// A piece of a body or of a WebSocket, and when it was at both points.
package struct HeldPiece: Sendable, Equatable {
  /// From 0, in its direction.
  package var index: Int
  /// Body bytes up to and including it; for a message its length.
  package var bytes: UInt64
  package var a: PacketRef
  package var b: PacketRef
  /// Time from the first point to the second, on one clock.
  package var held: Int64

  package init(index: Int, bytes: UInt64, a: PacketRef, b: PacketRef, held: Int64) {
    self.index = index
    self.bytes = bytes
    self.a = a
    self.b = b
    self.held = held
  }
}
