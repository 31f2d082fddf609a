import Citation
import HTTPSemantics

/// A call of gRPC as its messages tell it.
package struct GRPCRecord: Sendable, Equatable {
  /// The messages of one direction.
  package struct Side: Sendable, Equatable {
    /// Those that came whole.
    package var messages: UInt64 = 0
    package var bytes: UInt64 = 0
    /// The largest that was announced, and the packet that did it.
    package var largest: UInt64 = 0
    package var largestAt: PacketRef?
    /// The first and the last packet that completed one.
    package var first: PacketRef?
    package var last: PacketRef?
    /// The longest time in which nothing came of a message that had begun.
    package var longestPause: MessageRecord.Pause?
    /// A prefix whose first byte cannot be: the messages end there.
    package var badPrefix: BadPrefix?
    /// What was there of a message that was not whole, prefix included, and what it needed; the prefix where that is
    /// not whole either.
    package var open: Part?
    /// Of gRPC-Web: the trailers came as a frame of the body, and in it the status.
    package var hasTrailer = false
    package var status: CitedStatus?
    /// From somewhere on its messages could not be read.
    package var isUnread = false

    package init() {}
  }

  /// A status in a body, and the packet that completed its frame.
  package struct CitedStatus: Sendable, Equatable {
    package var code: UInt32
    package var packet: PacketRef

    package init(code: UInt32, packet: PacketRef) {
      self.code = code
      self.packet = packet
    }
  }

  package struct BadPrefix: Sendable, Equatable {
    package var bytes: [UInt8]
    package var packet: PacketRef

    package init(bytes: [UInt8], packet: PacketRef) {
      self.bytes = bytes
      self.packet = packet
    }
  }

  package struct Part: Sendable, Equatable {
    package var have: UInt64
    package var need: UInt64

    package init(have: UInt64, need: UInt64) {
      self.have = have
      self.need = need
    }
  }

  package var sides = BothDirections(repeating: Side())
  /// It is gRPC-Web.
  package var isWeb = false

  package init() {}
}

extension ExchangeRecord {
  /// How a call of gRPC ended, wherever that stands: in trailers, in a frame of the body, in a head without a body.
  package var grpcStatus: UInt32? {
    guard let response else { return nil }
    if let trailers = response.trailers, let field = trailers.first("grpc-status") {
      return trailers.number(field).flatMap { UInt32(exactly: $0) }
    }
    if let told = grpc?.sides[response.direction].status { return told.code }
    return response.head?.block.number("grpc-status").flatMap { UInt32(exactly: $0) }
  }
}
