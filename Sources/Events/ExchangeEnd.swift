import Citation

/// Who ended a connection, or one exchange of it, by which packets and after which silence, as far as that goes.
package struct Ending: Sendable {
  /// Who sent the first FIN or the RST, once one has.
  package var by: Direction?
  /// The packet of that FIN or RST.
  package var at: PacketRef?
  /// The first and the last of the FINs and the RST seen so far.
  package var firstEnd: PacketRef?
  /// Who sent the first.
  package var firstBy: Direction?
  package var lastEnd: PacketRef?
  /// The last packet with bytes, of either side, before that packet.
  package var silentSince: PacketRef?
  /// Whether that packet looks like its sender's others.
  package var origin: EndOrigin?
  /// Nothing of the other side was captured.
  package var isOneSided = false
  /// What the side that did not end it first had sent, and the capture lacks, was acknowledged before that: a FIN, most
  /// likely, so that it was first.
  package var answersUnseen = false
  /// The first of them is a RST: nobody had closed before.
  package var isReset = false

  package init() {}
}

/// The end of one direction, and the packet that brought it: a FIN or a reset or, where there was none, the last one.
package struct SideEnd: Sendable, Equatable {
  package var end: DirectionEnd
  package var packet: PacketRef

  package init(_ end: DirectionEnd, _ packet: PacketRef) {
    self.end = end
    self.packet = packet
  }
}

/// How an exchange ended. It is the exchange's own: where a connection carries several at a time, one may be reset while
/// the others go on.
package struct ExchangeEnd: Sendable {
  package enum Cause: Sendable, Equatable {
    /// Its messages have their ends.
    case messages
    /// The connection ended first, in this way.
    case connection(DirectionEnd)
    /// A side reset the stream that carried it, with a code of its protocol.
    case reset(code: UInt32)
    /// A side refused to take it; nothing of it was done.
    case refusal(code: UInt32)
  }

  package var cause = Cause.messages
  /// How each direction of it had ended, where it had when the exchange was told.
  package var sides = BothDirections<SideEnd?>(repeating: nil)
  /// Who ended it, where that is not who ended the connection.
  @Rare package var closing: Ending?

  package init() {}

  /// What ended it before its messages had their ends; nil where they have them. A reset of its stream is a reset.
  package var cut: DirectionEnd? {
    switch cause {
    case .messages: nil
    case .connection(let end): end
    case .reset, .refusal: .reset
    }
  }

  /// The code of a reset.
  package var resetCode: UInt32? {
    switch cause {
    case .reset(let code), .refusal(let code): code
    case .messages, .connection: nil
    }
  }

  /// One side ended it, and not the capture.
  package var isBroken: Bool { cut == .fin || cut == .reset }

  /// The side that ended first, by a FIN or a reset.
  package var first: (side: SideEnd, by: Direction)? {
    var first: (side: SideEnd, by: Direction)?
    for direction in Direction.allCases {
      guard let side = sides[direction], side.end == .fin || side.end == .reset else { continue }
      if first.map({ side.packet.number < $0.side.packet.number }) ?? true { first = (side, direction) }
    }
    return first
  }
}

extension FlowContext {
  /// Who ended an exchange: whoever ended the connection, unless the exchange had an end of its own.
  package func closing(of exchange: ExchangeRecord) -> Ending { exchange.end.closing ?? closing }
}
