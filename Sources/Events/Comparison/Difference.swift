import Citation

/// A difference between two captures of an exchange.
package struct Difference: Sendable {
  /// Where it is, in the order in which an exchange goes.
  package enum Part: String, Sendable, CaseIterable {
    case connection, tls, request, upload, interim, response, download, webSocket = "websocket"
  }

  package enum Kind: String, Sendable, CaseIterable {
    /// The letter case of `chunked`.
    case codingCase
    case method, target, version, status, framing
    case fieldCase, fieldValue, fieldAdded, fieldRemoved, fieldOrder
    case contentCoding, trailers
    /// How a chunked body is cut.
    case chunks
    /// Bytes of a body or a message.
    case content
    /// A message that has its end in one capture only.
    case end
    case interim
    /// Frames of a WebSocket: how many, how they are cut, how they are masked.
    case messages, fragments, masks, close
    case tls
  }

  /// Its role in the explanation.
  package enum Role: String, Sendable {
    /// The requests differ, and so do the responses.
    case cause
    /// It came after a difference that may be its cause.
    case consequence
    /// It varies between exchanges anyway: a date, an id.
    case individual
    /// Every hop sets it itself.
    case hop
    case plain
  }

  package var part: Part
  package var kind: Kind
  /// The name of the field, as A spells it, or B where A has none; else empty.
  package var name: String
  /// The value; nil if there is none. For fields their value, which reports redact.
  package var a: String?
  package var b: String?
  package var role = Role.plain
  /// Where to look.
  package var packets: BothSides<PacketRef?>
  /// Of content: the first byte that differs, or the range in which it is.
  package var from: UInt64?
  package var to: UInt64?

  package init(
    _ part: Part, _ kind: Kind, name: String = "", a: String?, b: String?,
    packets: BothSides<PacketRef?> = BothSides(a: nil, b: nil)
  ) {
    self.part = part
    self.kind = kind
    self.name = name
    self.a = a
    self.b = b
    self.packets = packets
  }

  package subscript(side: CompareSide) -> String? { side == .a ? a : b }

  /// How much it matters on the way between two points: 0 where the receiver reads something else, or not at all; 1 where
  /// it is framed or coded in another way; 2 for what else hops write into a head.
  package var rank: Int {
    switch kind {
    case .codingCase, .method, .target, .status, .content, .end, .messages, .close, .trailers: 0
    case .version, .framing, .contentCoding, .chunks, .fragments, .masks, .interim, .tls: 1
    case .fieldCase, .fieldValue, .fieldAdded, .fieldRemoved, .fieldOrder: 2
    }
  }

  /// It changes the content, not only the framing.
  package var altersMeaning: Bool {
    guard role != .hop, role != .individual else { return false }
    // Where one is still open, its capture was over before.
    if part == .connection, kind == .end { return a != ConnectionEnd.stillOpen && b != ConnectionEnd.stillOpen }
    switch kind {
    case .method, .target, .status, .fieldValue, .fieldAdded, .fieldRemoved, .content, .trailers, .messages, .close,
      .interim:
      return true
    case .codingCase, .version, .framing, .fieldCase, .fieldOrder, .contentCoding, .chunks, .end, .fragments, .masks,
      .tls:
      return false
    }
  }

  /// It changes only the framing.
  package var reframes: Bool {
    switch kind {
    case .version, .framing, .chunks, .contentCoding, .fragments, .masks, .codingCase, .fieldCase, .fieldOrder: true
    default: false
    }
  }
}
