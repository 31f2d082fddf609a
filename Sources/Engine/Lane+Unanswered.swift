import Citation
import Decode
import Events
import Reassembly

// Connections on which something is retransmitted to a host that is silent on all of them; see HostSilences.

extension Lane {
  @inline(never)
  mutating func noteUnanswered(_ segment: TCPSegment, _ slot: Int) {
    let (id, side) = table.ask(slot) { ($0.id, $0.direction(sentByLower: !segment.sentByLower)) }
    noteUnanswered(segment, id, of: table.hasTakenPart(side, in: slot) ? side : nil)
  }

  mutating func noteUnanswered(_ segment: TCPSegment, _ id: FlowID, of side: Direction?) {
    let (packet, host) = (segment.packet, segment.sentByLower ? segment.key.upper.address : segment.key.lower.address)
    items.append(
      LaneItem(clock: packet.time, packet: packet.number, flow: id, .unanswered(UnansweredFlow(host, side, packet))))
  }
}
