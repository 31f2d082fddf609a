import Citation

// What a lane holds, and how it stays within what it may.
extension Lane {
  /// What its connections hold, as it was counted last.
  package var usedBytes: Int { table.usedBytes(scene.limits) }

  /// What is to be reported takes in memory, about.
  var pendingBytes: Int { itemBytes + items.count * 1_024 }

  /// What is to be reported has been taken, and what is held was added up.
  mutating func settle() {
    items.removeAll(keepingCapacity: true)
    itemBytes = 0
    settledBytes = usedBytes
    growth = 0
  }

  /// A lane may hold a few times its share, and one connection of it more, while all lanes together hold no more than
  /// they may: their connections are dealt by chance.
  mutating func tighten(_ isTight: Bool) {
    scene.limits.laneBytes = isTight ? share : Self.looseShares * share
    scene.limits.slackBytes = isTight ? 0 : connectionBytes
    uncountedLimit = isTight ? Self.tightUncounted : Self.usualUncounted
  }

  /// Counted is now and then: every few connections that something came of, and every few packets. A connection may
  /// open a window of a codec meanwhile, in every lane.
  static let usualUncounted = 16
  static let tightUncounted = 4
  static let uncountedPacketLimit = 512

  @inline(__always)
  mutating func noteUncounted(_ slot: Int) {
    uncountedPackets += 1
    switch companions[slot].growth {
    case .none: break
    case .some:
      if !companions[slot].isUncounted {
        companions[slot].isUncounted = true
        uncounted.append(slot)
      }
    case .much:
      count(slot)
      makeRoom()
    }
    if uncounted.count >= uncountedLimit || uncountedPackets >= Self.uncountedPacketLimit { count() }
  }

  @inline(never)
  mutating func count() {
    for slot in uncounted where table.isLive(slot) {
      companions[slot].isUncounted = false
      count(slot)
    }
    uncounted.clear()
    uncountedPackets = 0
    makeRoom()
  }

  private mutating func count(_ slot: Int) {
    var bytes = companions[slot].countHeld()
    if bytes > connectionBytes {
      let before = bytes
      note?.read(table.connections[slot].lastPacket.number)
      companions[slot].shed(to: connectionBytes / 2, into: &events)
      hear(slot)
      bytes = companions[slot].countHeld()
      if bytes < before { droppedContent += 1 }
    }
    table.count(slot, bytes)
  }

  private mutating func makeRoom() {
    table.makeRoom(scene.limits)
    growth = max(0, usedBytes - settledBytes)
  }
}
