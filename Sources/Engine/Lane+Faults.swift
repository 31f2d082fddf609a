import Citation

// What a lane does after an internal error came up in an earlier run: see ReadingFaults.
extension Lane {
  /// After an internal error: takes the packet's connection for one whose content is not read, if it came up there, or
  /// answers that it is left out.
  @inline(never)
  mutating func isLeftOut(_ key: FlowKey, _ number: UInt64) -> Bool {
    if faults.connections.contains(number) { leftOut.insert(key) }
    guard !leftOut.contains(key) else { return true }
    let slot = table.slot(of: key)
    let isUnread = faults.contents.contains(number) || slot.map { companions[$0].isUnread } ?? false
    note?.read(number, of: isUnread ? table.firstPacket(of: key) ?? number : 0)
    if let slot, isUnread { companions[slot].leaveUnread() }
    faults.trial.pass(.follow, number)
    return false
  }

  /// The same, of a connection that this packet opened, or that was only a SYN.
  @inline(never)
  mutating func heed(_ slot: Int, _ number: UInt64) {
    if faults.contents.contains(number) { companions[slot].leaveUnread() }
    guard companions[slot].listens else { return }
    faults.trial.pass(.content, number)
    faults.trial.pass(.overflow, number)
  }

  /// A connection is reported: what comes up then came up at its last packet.
  /// Mutating, or the lane is copied.
  mutating func noteEnd(of id: FlowID, _ last: PacketRef, isUnread: Bool = false) {
    guard let note else { return }
    let isKnown = isWary && (isUnread || faults.contents.contains(last.number))
    note.read(last.number, of: isKnown ? id.firstPacket : 0)
  }
}
