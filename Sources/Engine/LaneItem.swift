import Citation
import Events

/// Something a lane has to report, with its place in the one order of all lanes.
package struct LaneItem: Sendable {
  package enum Content: Sendable {
    indirect case opened(FindingParties)
    indirect case finding(Finding)
    indirect case exchange(ExchangeRecord, FlowContext, EndpointName?)
    indirect case connection(ConnectionRecord)
    indirect case named(NameAnswer)
    indirect case piece(Item)
    indirect case loss(CaptureLoss)
  }

  let clock: Timestamp
  let packet: UInt64
  let flow: FlowID
  let content: Content

  init(clock: Timestamp, packet: UInt64, flow: FlowID, _ content: Content) {
    self.clock = clock
    self.packet = packet
    self.flow = flow
    self.content = content
  }
}
