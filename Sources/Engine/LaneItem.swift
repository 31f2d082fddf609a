import Citation
import Events

/// Something a lane has to report, with its place in the one order of all lanes.
package struct LaneItem: Sendable {
  package enum Content: Sendable {
    indirect case opened(FindingParties)
    indirect case finding(Finding)
    indirect case exchange(ExchangeRecord, FlowContext, EndpointName?)
    indirect case connection(ConnectionRecord)
    indirect case streamBegan(PacketRef, FlowContext)
    indirect case named(NameAnswer)
    case piece(Shared<Item>)
    indirect case loss(CaptureLoss)
    indirect case silence(HostSilence)
    indirect case unanswered(UnansweredFlow)
    /// Of an item that was handed on: what it held is held no longer.
    case nothing
  }

  let clock: Timestamp
  let packet: UInt64
  let flow: FlowID
  private(set) var content: Content

  init(clock: Timestamp, packet: UInt64, flow: FlowID, _ content: Content) {
    self.clock = clock
    self.packet = packet
    self.flow = flow
    self.content = content
  }

  /// Nobody else holds it then.
  mutating func taken() -> Content {
    var content = Content.nothing
    swap(&content, &self.content)
    return content
  }
}

extension LaneItem {
  /// What decides the order of items, without the items: sorting moves it about.
  struct Place: Comparable {
    let clock: Timestamp
    let packet: UInt64
    let flow: FlowID
    let ordinal: Int

    init(_ item: LaneItem, _ ordinal: Int) {
      clock = item.clock
      packet = item.packet
      flow = item.flow
      self.ordinal = ordinal
    }

    static func < (left: Place, right: Place) -> Bool {
      if left.clock != right.clock { return left.clock < right.clock }
      if left.packet != right.packet { return left.packet < right.packet }
      if left.flow != right.flow { return left.flow < right.flow }
      return left.ordinal < right.ordinal
    }
  }
}
