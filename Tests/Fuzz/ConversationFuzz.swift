import Citation
// Fuzzes what is made of two directions: dialogues, exchanges, and every rule of a connection. Nothing may trap, every
// exchange is reported once, and every finding cites something.
//
// The input is what happens: the direction, a hole, an end, a pause.
//
// with: Steps.swift
import Dialogues
import Events
import HTTPSemantics
import Rules

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConversation(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 3 else { return 0 }
  var conversation = Conversation(data[0])
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  for (what, piece) in Steps(bytes[...]) { conversation.take(what, piece) }
  conversation.close()
  return 0
}

private struct Conversation {
  private var dialogue: Dialogue
  private var rules = ConnectionRules()
  private var capture = CaptureRules()
  private var events: [Event] = []
  private var packet = PacketRef(number: 0, time: .zero)
  private var offsets = BothDirections<UInt64>(repeating: 0)
  private var told: Set<Int> = []
  private let flow: (client: Endpoint, server: Endpoint, isMidstream: Bool)
  private var closing = Ending()
  /// What becomes of a guess that turns out wrong.
  private let mayTurn: Bool
  private var isTurned = false

  init(_ control: UInt8) {
    let isMidstream = control & 1 == 1
    mayTurn = control & 8 == 0
    dialogue = Dialogue(
      isMidstream: isMidstream, roles: RoleGuess(isOpen: isMidstream && control & 2 != 0, isByPorts: control & 4 != 0),
      DialogueOptions(tellsMoments: true, digests: true))
    flow = (
      Endpoint(address: IPAddress(v4: 0x0A00_0001), port: 40_000),
      Endpoint(address: IPAddress(v4: 0x0A00_0002), port: 80), isMidstream
    )
  }

  private var context: FlowContext {
    FlowContext(
      id: FlowID(firstPacket: 1), client: flow.client, server: flow.server,
      firstPacket: PacketRef(number: 0, time: .zero), isMidstream: flow.isMidstream,
      roundTrip: RoundTrip(clientNanoseconds: 1_000_000, serverNanoseconds: 20_000_000), closing: closing)
  }

  mutating func take(_ what: UInt8, _ piece: [UInt8]) {
    let direction: Direction = (what & 1 == 0) != isTurned ? .toServer : .toClient
    packet.number += 1
    packet.time = Timestamp(nanoseconds: packet.time.nanoseconds + (what & 2 == 0 ? 1_000_000 : 1_500_000_000))
    switch what >> 2 & 15 {
    case 15:
      let range = offsets[direction]..<offsets[direction] + UInt64(piece.count + 1)
      dialogue.skip(SequenceGap(range, .notCaptured, packet), direction, into: &events)
      offsets[direction] = range.upperBound
    case 14:
      let end: DirectionEnd = what & 0x40 == 0 ? .fin : .reset
      if closing.by == nil { closing.by = direction }
      dialogue.finish(SideEnd(end, packet), direction, into: &events)
      judge(.directionEnded(end, direction, packet))
    default:
      dialogue.consume(
        CitedBytes(piece.span, at: offsets[direction], in: packet, released: packet), direction, into: &events)
      offsets[direction] += UInt64(piece.count)
      if dialogue.wantsTurn {
        if mayTurn {
          isTurned = true
          offsets.turnRound()
        }
        dialogue.resume(isTurned: mayTurn, into: &events)
      }
    }
    hear()
  }

  mutating func close() {
    for direction in Direction.allCases { dialogue.finish(SideEnd(.captureEnded, packet), direction, into: &events) }
    dialogue.close(into: &events)
    hear()
    judge(.connectionClosed(ConnectionEnd(kind: .open, by: .none, packet: nil)))
    capture.observe(.captureEnded(CaptureRecord(file: "")), in: nil) { Self.check($0) }
  }

  private mutating func hear() {
    for event in events {
      if case .exchange(let exchange) = event {
        precondition(told.insert(exchange.number).inserted, "told twice")
        precondition(exchange.request != nil || exchange.response != nil || !exchange.interim.isEmpty, "empty")
      }
      judge(event)
    }
    events.removeAll(keepingCapacity: true)
  }

  private mutating func judge(_ event: Event) {
    guard case .exchange(let exchange) = event else { return rules.observe(event, in: context) { Self.check($0) } }
    rules.observe(exchange, in: context) { Self.check($0) }
    capture.observe(exchange, in: context) { Self.check($0) }
  }

  private static func check(_ finding: Finding) {
    precondition(!finding.evidence.isEmpty, "no evidence")
    precondition(!finding.message.text.isEmpty)
  }
}
