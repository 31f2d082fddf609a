import Citation

// What the connections of a lane hold, and which of them go where that is too much.
extension FlowTable {
  /// With its place in the index, and the number that the connection is known by.
  private static let connectionBytes = MemoryLayout<Connection>.stride * 5 / 4 + 96
  private static let fewSlots = 32
  private static let halfOpenBytes = MemoryLayout<HalfOpen?>.stride * 3 / 2 + 96

  package func isLive(_ slot: Int) -> Bool { isLive[slot] }

  /// The lane has counted what it keeps of a connection.
  package mutating func count(_ slot: Int, _ bytes: Int) {
    costSum += bytes - costs[slot]
    costs[slot] = bytes
    if costliest == slot {
      if bytes == 0 { costliest = nil }
    } else if bytes > 0, bytes > costliest.map({ costs[$0] }) ?? 0 {
      costliest = slot
    }
  }

  var liveConnections: Int { connections.count - freeSlots.count }

  /// What all of it takes.
  package func usedBytes(_ limits: ReassemblyLimits) -> Int {
    liveConnections * (Self.connectionBytes + limits.besideBytes) + halfOpen.liveCount * Self.halfOpenBytes + heldBytes
      + costSum
  }

  package mutating func makeRoom(_ limits: ReassemblyLimits) {
    let spared = min(costliest.map { costs[$0] } ?? 0, limits.slackBytes)
    let used = usedBytes(limits) - spared
    guard used > limits.laneBytes else { return }
    // A sixteenth at a time: the search for the idle ones is paid by many segments, and what is reported of them is not
    // much at a time.
    var excess = used - limits.laneBytes * 15 / 16
    let waiting = Set(overdue)
    for closed in lingering where excess > 0 && !waiting.contains(closed.slot) {
      overdue.append(closed.slot)
      excess -= bytes(of: closed.slot, limits)
    }
    guard excess > 0 else { return }
    if halfOpen.liveCount * Self.halfOpenBytes > limits.laneBytes / 2 {
      evictHalfOpen(max(1, halfOpen.liveCount / 16))
    } else {
      evictIdle(excess, limits)
    }
  }

  /// Whether a connection that is joined in its middle would evict another that is in use.
  mutating func isCrowded(_ limits: ReassemblyLimits, at clock: Timestamp) -> Bool {
    // Those that have closed give up their room first.
    let closed = lingering.count * (Self.connectionBytes + limits.besideBytes)
    if let crowd, crowd.isOver(holding: usedBytes(limits) - closed) { self.crowd = nil }
    return crowd?.isInUse(at: clock) ?? false
  }

  private func bytes(of slot: Int, _ limits: ReassemblyLimits) -> Int {
    Self.connectionBytes + limits.besideBytes + connections[slot].heldBytes + costs[slot]
  }

  private mutating func evictIdle(_ excess: Int, _ limits: ReassemblyLimits) {
    var excess = excess
    let waiting = Set(overdue)
    let candidates = connections.indices.filter {
      isLive[$0] && !waiting.contains($0) && !(limits.slackBytes > 0 && $0 == costliest)
    }
    for slot in candidates.sorted(by: { connections[$0].lastPacket.number < connections[$1].lastPacket.number }) {
      guard excess > 0 else {
        crowd = Crowd(limit: limits.laneBytes, idleSince: connections[slot].lastPacket.time)
        break
      }
      evicted += 1
      connections[slot].wasEvicted = true
      overdue.append(slot)
      excess -= bytes(of: slot, limits)
    }
  }

  /// Drops connections idle since a time; in a capture that goes on for days, its end may never be seen.
  package mutating func drop(idleSince time: Timestamp) {
    let waiting = Set(overdue)
    for slot in connections.indices
    where isLive[slot] && !isLingering[slot] && !waiting.contains(slot) && connections[slot].lastPacket.time < time {
      connections[slot].wasEvicted = true
      overdue.append(slot)
      idled += 1
    }
    for at in halfOpen.live {
      guard let flow = halfOpen[at], flow.last.time < time else { continue }
      abandon(at, flow)
      idled += 1
    }
  }

  private mutating func abandon(_ at: Int, _ flow: HalfOpen) {
    index.remove(flow.first.key, index.hash(flow.first.key), connections, halfOpen)
    halfOpen.release(at)
    abandoned.append(flow)
  }

  /// Where most slots are free, connections move together and the others are given back: many connections that begin
  /// together may be few soon, because each of them has grown. Answers with the new slot of each old one, -1 of a free one.
  package mutating func compact() -> [Int]? {
    guard freeSlots.count > max(Self.fewSlots, connections.count / 2) else { return nil }
    let kept = connections.indices.filter { isLive[$0] }
    var places = [Int](repeating: -1, count: connections.count)
    for (new, old) in kept.enumerated() { places[old] = new }
    connections = kept.map { connections[$0] }
    costs = kept.map { costs[$0] }
    isLingering = kept.map { isLingering[$0] }
    isLive = [Bool](repeating: true, count: kept.count)
    freeSlots = []
    costliest = costliest.map { places[$0] }
    overdue = overdue.map { places[$0] }
    lingering = lingering.map { Lingering(slot: places[$0.slot], until: $0.until) }
    index.move(to: places)
    return places
  }

  private mutating func evictHalfOpen(_ count: Int) {
    let idle = halfOpen.live.compactMap { at in halfOpen[at].map { (at, $0.last.number) } }.sorted { $0.1 < $1.1 }
    for (at, _) in idle.prefix(count) {
      guard let flow = halfOpen[at] else { continue }
      abandon(at, flow)
      evicted += 1
    }
  }
}
