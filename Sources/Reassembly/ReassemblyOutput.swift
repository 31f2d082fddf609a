// Reassembly turns TCP segments into exact byte streams: FlowTable finds the connection, Connection follows both
// directions, HalfConnection puts one direction's bytes in order. What comes out is appended to a ReassemblyOutputs that the
// caller reuses: data that knows its packet, holes that know their cause, and observations of TCP itself. There is no
// callback and no knowledge of what the bytes mean.
//
//   SequenceNumber      32-bit arithmetic as a type
//   HalfConnection          one direction: order, overlap, holes            HoldQueue, DeliveredHistory
//   Connection          both directions, handshake, acknowledgements, end
//   FlowTable           all connections of a lane, bounds and eviction
import Citation

/// In-order bytes of one direction, by where they can be read while the segment that released them is at hand.
package struct Delivery: Sendable, Equatable {
  package enum Source: Sendable, Equatable {
    /// A range of the window's bytes.
    case window(Range<Int>)
    /// A range of one of `ReassemblyOutputs.held`.
    case held(Int, Range<Int>)
  }

  package var direction: Direction
  package var offset: UInt64
  package var packet: PacketRef
  package var released: PacketRef
  package var source: Source
  /// The acknowledgement that had covered all bytes before these when they came; `.none` when some were outstanding.
  package var acknowledged = PacketRef.none
  /// The packet stands before bytes that it acknowledges; in its place among them is the one that released it.
  package var isAhead = false

  package var count: Int {
    switch source {
    case .window(let range), .held(_, let range): range.count
    }
  }
}

package enum ReassemblyOutput: Sendable {
  case data(Delivery)
  case gap(SequenceGap, Direction)
  case observation(TCPObservation)
  /// Nothing was given for a while; reported before what comes next.
  case pause(DeliveryPause)
  /// An index into `ReassemblyOutputs.conflicts`.
  case conflict(Int, Direction)
  /// No more bytes will come in this direction.
  case end(DirectionEnd, Direction, PacketRef)
}

/// What one segment (or one ending) made of the streams, in order. Its items are plain values, so the steady path
/// appends without reference counting; the rare owners of memory stand beside them.
package struct ReassemblyOutputs: Sendable {
  package var items: [ReassemblyOutput] = []
  package var held: [[UInt8]] = []
  package var conflicts: [OverlapConflict] = []

  package init() {}

  @inline(__always)
  package mutating func removeAll() {
    items.clear()
    held.clear()
    conflicts.clear()
  }

  /// Client and server change places.
  package mutating func turnRound() {
    for index in items.indices {
      switch items[index] {
      case .data(var delivery):
        delivery.direction = delivery.direction.opposite
        items[index] = .data(delivery)
      case .gap(let gap, let direction): items[index] = .gap(gap, direction.opposite)
      case .observation(var seen):
        seen.direction = seen.direction.opposite
        items[index] = .observation(seen)
      case .pause(var pause):
        pause.direction = pause.direction.opposite
        items[index] = .pause(pause)
      case .conflict(let at, let direction): items[index] = .conflict(at, direction.opposite)
      case .end(let end, let direction, let packet): items[index] = .end(end, direction.opposite, packet)
      }
    }
  }

  @inline(__always)
  mutating func observe(_ observation: TCPObservation) {
    items.append(.observation(observation))
  }
}
