import Citation
// Fuzzes a connection of TLS with its secrets at hand: records are sealed here, and then lost, damaged, repeated and
// cut. Nothing may trap; without holes what is reported must not depend on the cut; each record is counted once.
//
// The first byte says which kind of protection and which secrets are missing, the second how long segments are. Then
// come steps: a byte that says what happens, and a byte for how much.
//
// with: ../DialoguesTests/TLS/Sealer.swift ../DialoguesTests/TLS/Talk.swift
import Dialogues
import Events
import TLSProtection
import TLSSemantics

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTLSTalk(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 2 else { return 0 }
  let control = data[0]
  var talk = Talk(Sealer.Kind.allCases[Int(control & 3)])
  let request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
  if control & 4 == 0 { talk.shakeHands(early: control & 8 == 0 ? nil : request, isResumed: control & 8 != 0) }
  var hasHole = false
  // What a connection does not begin with is looked for in writes, and those follow the segments.
  var beginsWell = control & 4 == 0
  for position in stride(from: 2, to: min(count, 200) - 1, by: 2) {
    let direction: Direction = data[position] & 1 == 0 ? .toServer : .toClient
    let amount = Int(data[position + 1])
    switch data[position] >> 1 & 15 {
    case 0: talk.say(direction, request, by: amount + 1)
    case 1:
      talk.say(
        direction, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", by: amount + 1)
    case 2: talk.alert(direction, UInt8(amount))
    case 3: talk.updateKeys(direction)
    case 4:
      talk.steps.append(.hole(direction, amount + 1))
      hasHole = true
    case 5: if !talk.steps.isEmpty { hasHole = lose(&talk.steps, amount) || hasHole }
    case 6:
      guard !talk.steps.isEmpty else { continue }
      if isFirst(amount % talk.steps.count, of: talk.steps) { beginsWell = false }
      damage(&talk.steps, amount)
    case 7: if !talk.steps.isEmpty { talk.steps.append(talk.steps[amount % talk.steps.count]) }
    case 8: talk.send(direction, [UInt8](repeating: UInt8(amount), count: 7))
    case 9: talk.shakeHands(isResumed: amount & 1 == 1)
    case 10: if !talk.kind.is13 { talk.changeCipher(direction) }
    case 11: talk.send(direction, talk.sealed(direction, 22, talk.clientHello(offersEarly: amount & 1 == 1)))
    case 12: talk.send(direction, talk.sealed(direction, UInt8(amount), [1, 2, 3], padding: amount))
    case 13:
      guard talk.steps.count > 1 else { continue }
      talk.steps.swapAt(amount % talk.steps.count, talk.steps.count - 1)
      beginsWell = false
    case 14: talk.steps.append(.end(direction, amount & 1 == 0 ? .fin : .reset))
    default: talk.clientRandom[0] ^= UInt8(amount & 1)
    }
  }
  let labels = talk.lines.keys.sorted()
  let missing = Set(labels.enumerated().filter { control >> 4 & (1 << UInt8($0.offset & 3)) != 0 }.map(\.element))
  let isWrong = data[1] & 0x80 != 0
  let log = talk.keyLog(without: isWrong ? [] : missing, changing: isWrong ? missing : [])
  let whole = Talk.tell(talk.steps, keyLog: log, isMidstream: data[1] & 0x40 != 0, tellsMoments: true)
  check(whole)
  let cut = Talk.tell(
    pieces(talk.steps, of: Int(data[1] & 0x3F) + 1), keyLog: log, isMidstream: data[1] & 0x40 != 0)
  check(cut)
  if !hasHole, data[1] & 0x40 == 0, beginsWell {
    precondition(words(whole) == words(cut), "what is told depends on the cut")
  }
  return 0
}

/// Takes bytes out of a packet, and leaves a hole for them.
private func lose(_ steps: inout [Talk.Step], _ amount: Int) -> Bool {
  let place = amount % steps.count
  guard case .bytes(let direction, let bytes) = steps[place], !bytes.isEmpty else { return false }
  let from = amount * 7 % bytes.count
  let end = min(bytes.count, from + 1 + amount)
  steps.replaceSubrange(
    place...place,
    with: [
      .bytes(direction, Array(bytes[..<from])), .hole(direction, end - from), .bytes(direction, Array(bytes[end...])),
    ])
  return true
}

/// Whether a direction begins with this step.
private func isFirst(_ place: Int, of steps: [Talk.Step]) -> Bool {
  guard case .bytes(let direction, _) = steps[place] else { return false }
  return !steps[..<place].contains { step in
    if case .bytes(direction, _) = step { true } else { false }
  }
}

private func damage(_ steps: inout [Talk.Step], _ amount: Int) {
  let place = amount % steps.count
  guard case .bytes(let direction, var bytes) = steps[place], !bytes.isEmpty else { return }
  bytes[amount * 31 % bytes.count] ^= UInt8(amount | 1)
  steps[place] = .bytes(direction, bytes)
}

private func pieces(_ steps: [Talk.Step], of length: Int) -> [Talk.Step] {
  steps.flatMap { step -> [Talk.Step] in
    guard case .bytes(let direction, let bytes) = step else { return [step] }
    return stride(from: 0, to: bytes.count, by: length).map {
      .bytes(direction, Array(bytes[$0..<min($0 + length, bytes.count)]))
    }
  }
}

private func check(_ told: Told) {
  var numbers: Set<Int> = []
  for exchange in told.exchanges { precondition(numbers.insert(exchange.number).inserted, "told twice") }
  for session in told.sessions {
    precondition(session.alerts.count <= TLSSession.alertLimit && session.flaws.count <= TLSSession.flawLimit)
    precondition(session.tickets.count <= TLSSession.ticketLimit + 1)
    for direction in Direction.allCases {
      let side = session.sides[direction]
      precondition(side.application.count <= side.counts.applicationData)
      precondition(side.afterClose <= side.application.count)
    }
  }
}

private func words(_ told: Told) -> [String] {
  told.sessions.map { session in
    "\(session.opening) ".prefix(8) + Direction.allCases.map { "\(session.sides[$0].counts)" }.joined()
  } + told.exchanges.map { "\($0.title) \($0.response?.bodyBytes ?? 0)" }
}
