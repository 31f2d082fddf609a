import Citation

/// Bytes of a body that were ready, and why they were not sent or not usable yet.
package struct StreamHold: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// A small segment that waited until the one before it was acknowledged; each one of a message, up to a bound.
    case write
    /// Data of a chunk whose line end came only with the next chunk: the longest of a message.
    case chunkEnd
    /// An event or line whose end arrived only with the next one: the longest of a message.
    case itemEnd
  }

  package var kind: Kind
  package var direction: Direction
  package var from: PacketRef
  package var to: PacketRef
  /// How many of its kind the message has.
  package var count: UInt64
}

extension ExchangeRecord {
  /// In the order in which they began.
  package var holds: [StreamHold] {
    var holds: [StreamHold] = []
    for message in messages {
      let writes = UInt64(message.heldWrites.count)
      for write in message.heldWrites {
        holds.append(
          StreamHold(kind: .write, direction: message.direction, from: write.before, to: write.packet, count: writes))
      }
      if let chunks = message.chunks, let end = chunks.heldEnd {
        holds.append(
          StreamHold(kind: .chunkEnd, direction: message.direction, from: end.from, to: end.to, count: chunks.heldEnds))
      }
      if let stream = message.stream, let end = stream.heldEnd {
        holds.append(
          StreamHold(kind: .itemEnd, direction: message.direction, from: end.from, to: end.to, count: stream.heldEnds))
      }
    }
    guard holds.count > 1 else { return holds }
    return holds.sorted {
      ($0.from.number, $0.to.number, $0.kind.rawValue) < ($1.from.number, $1.to.number, $1.kind.rawValue)
    }
  }
}
