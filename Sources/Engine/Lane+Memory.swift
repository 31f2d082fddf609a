import Citation

// What a lane holds, and how it stays within what it may.
extension Lane {
  /// What its connections hold, as it was counted last.
  package var usedBytes: Int { table.usedBytes(scene.limits) }

  /// What is to be reported takes in memory, about.
  var pendingBytes: Int { itemBytes + items.count * 1_024 }

  /// What is to be reported has been taken.
  mutating func clearItems() {
    items.removeAll(keepingCapacity: true)
    itemBytes = 0
  }

  /// What lanes hold was added up, and each may hold so much more; where they hold too much, none more than its share.
  /// Connections are dealt by chance: a lane may hold a few times its share, and one connection of it more, while all
  /// lanes together hold no more than they may.
  mutating func allow(_ room: Int) {
    let used = usedBytes
    scene.limits.laneBytes = room > 0 ? max(share, min(Self.looseShares * share, used + room)) : share
    scene.limits.slackBytes = max(0, min(connectionBytes, 2 * room))
    uncountedLimit = room > 0 ? Self.usualUncounted : Self.tightUncounted
    stopBytes = used + Self.growthLimit
    hasGrown = false
  }

  /// What it may hold may be less than it holds. Asked before a packet is taken: what waits behind a hole is not
  /// counted with what came of packets.
  mutating func makeRoom(at packet: PacketRef) {
    table.makeRoom(scene.limits)
    if table.hasLeftovers { retireOverdue(at: packet) }
    if let places = table.compact() { move(to: places) }
  }

  /// Connections have new slots: see FlowTable.compact.
  private mutating func move(to places: [Int]) {
    companions = companions.indices.filter { places[$0] >= 0 }.map { companions[$0] }
    uncounted = uncounted.map { places[$0] }.filter { $0 >= 0 }
  }

  /// Counted is now and then: every few connections that something came of, and every few packets. One that may have
  /// opened a window of a codec meanwhile counts for four: there may be such in every lane.
  static let usualUncounted = 16
  static let tightUncounted = 4
  static let uncountedPacketLimit = 512

  @inline(__always)
  mutating func noteUncounted(_ slot: Int) {
    uncountedPackets += 1
    switch companions[slot].growth {
    case .none: break
    case .some: add(uncounted: slot, 1)
    case .coded: add(uncounted: slot, 4)
    case .much:
      count(slot)
      hasGrown = usedBytes > stopBytes
      table.makeRoom(scene.limits)
    }
    if uncountedWeight >= uncountedLimit || uncountedPackets >= Self.uncountedPacketLimit { count() }
  }

  @inline(__always)
  private mutating func add(uncounted slot: Int, _ weight: Int) {
    guard !companions[slot].isUncounted else { return }
    companions[slot].isUncounted = true
    uncounted.append(slot)
    uncountedWeight += weight
  }

  @inline(never)
  mutating func count() {
    for slot in uncounted where table.isLive(slot) {
      companions[slot].isUncounted = false
      count(slot)
    }
    uncounted.clear()
    uncountedWeight = 0
    uncountedPackets = 0
    hasGrown = usedBytes > stopBytes
    table.makeRoom(scene.limits)
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
}
