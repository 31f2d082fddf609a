import Citation
import Events

/// An uplink and a downlink that share an id, or should; each function is one way in which that goes wrong.
struct Pair {
  let uplink: PairSide
  let downlink: PairSide
  /// The one that they share, or whose values differ.
  let id: PairID
  let thresholds: Thresholds

  /// They have the same id. Other ids may be of what both are about.
  private var isSure: Bool { id.namesConversation }

  // MARK: Held

  /// The downlink was answered only when the uplink's first bytes had come.
  func heldHead() -> Finding? {
    guard let answered = downlink.answered, let wait = downlink.wait, wait >= thresholds[.pairWait],
      let piece = uplink.pieces.first(where: { $0.number > downlink.requestEnd.number }),
      // Whether others came before it is only known while all are kept.
      uplink.hasAllPieces || piece == uplink.pieces.first, piece.number < answered.number,
      piece.time.since(downlink.requestEnd.time) >= thresholds[.pairWait] / 2
    else { return nil }
    let late = answered.time.since(piece.time)
    guard late <= max(thresholds[.pairPrompt], 2 &* downlink.roundTrip) else { return nil }
    return finding(
      downlink, .toClient,
      """
      \(downlink.title): the downlink's answer came \(Wording.duration(wait)) after the request, and \
      \(Wording.duration(late)) after the next bytes of its uplink on connection #\(uplink.leg.connection). \(opened) \
      \(shared)
      """,
      cost: isSure ? .delay(nanoseconds: wait) : .none, confidence: isSure ? nil : .low,
      [
        Evidence(.packet(downlink.asked, .toServer), "the downlink's request"),
        Evidence(.packet(piece, .toServer), "then bytes of the uplink"),
        Evidence(.packet(answered, .toClient), "only now the downlink is answered"),
      ])
  }

  // MARK: Orphaned

  /// One half was cut off, and the other went on.
  func orphan(among sides: [PairSide], until captured: Timestamp?) -> Finding? {
    orphan(uplink, survivor: downlink, sides, captured) ?? orphan(downlink, survivor: uplink, sides, captured)
  }

  private func orphan(
    _ dead: PairSide, survivor: PairSide, _ sides: [PairSide], _ captured: Timestamp?
  ) -> Finding? {
    guard let death = dead.death, let killer = dead.killer, survivor.asked.number < death.packet.number,
      let until = survivor.end?.time ?? captured
    else { return nil }
    let stayed = until.since(death.packet.time)
    guard stayed > thresholds[.pairOrphan] else { return nil }
    let isReplaced = sides.contains { other in
      other.role == dead.role && other.asker == dead.asker && other.asked.number > dead.asked.number
        && other.asked.time.since(death.packet.time) <= thresholds[.pairOrphan]
        && other.ids.shared(with: survivor.ids) != nil
    }
    if isReplaced { return nil }
    let name = dead.role == .uplink ? "uplink" : "downlink"
    let end = death.end == .reset ? "a reset" : "a FIN"
    return finding(
      survivor, survivor.role == .uplink ? .toServer : .toClient,
      """
      \(survivor.title): it stayed open for \(Wording.duration(stayed)) after \(end) from \(Wording.sender(killer)) had \
      cut off its \(name), \(dead.title) on connection #\(dead.leg.connection). \(opened) \(shared)
      """,
      // A half that goes on to its end did what it was there for.
      cost: isSure && !survivor.isComplete ? .delay(nanoseconds: stayed) : .none, confidence: isSure ? nil : .low,
      [
        Evidence(.packet(survivor.asked, .toServer), "this half's request"),
        Evidence(.packet(dead.asked, .toServer), "the \(name)'s request"),
        Evidence(.packet(death.packet, killer), "\(end) cuts the \(name) off"),
        Evidence(.packet(survivor.end ?? survivor.last, nil), survivor.end == nil ? "still open" : "this half ends"),
      ])
  }

  // MARK: Apart

  /// Each half has an id of its own.
  func stray() -> Finding? {
    let wait = downlink.wait ?? downlink.end.map { $0.time.since(downlink.requestEnd.time) } ?? 0
    let isLate = wait >= thresholds[.pairWait]
    guard isLate || (downlink.isEmpty && downlink.status / 100 == 2) else { return nil }
    let outcome =
      downlink.answered == nil
      ? "was not answered within \(Wording.duration(wait))"
      : isLate ? "was answered after \(Wording.duration(wait))" : "was answered at once and without a body"
    var evidence = [
      Evidence(.packet(uplink.asked, .toServer), "the uplink's request"),
      Evidence(.packet(downlink.asked, .toServer), "the downlink's request, with another \(id.place)"),
    ]
    if let answered = downlink.answered { evidence.append(Evidence(.packet(answered, .toClient), "its answer")) }
    return finding(
      downlink, .toServer,
      """
      \(downlink.title): the downlink \(outcome). What looks like its uplink, \(uplink.title) on connection \
      #\(uplink.leg.connection), has another value of \(id.place). \(opened)
      """,
      // That they belong together is a guess, and an empty answer may be all there is to say.
      cost: isLate ? .delay(nanoseconds: wait) : .none, confidence: .low, evidence)
  }

  // MARK: Words

  /// How far apart they began.
  private var opened: String {
    let after = downlink.opened(after: uplink)
    return after >= 0
      ? "The downlink request came \(Wording.duration(after)) after the uplink."
      : "The uplink was begun \(Wording.duration(after.apart(from: 0))) after the downlink."
  }

  private var shared: String { "Both have the same \(id.name.isEmpty ? "id in the path" : id.place)." }

  private func finding(
    _ side: PairSide, _ direction: Direction, _ message: FindingMessage, cost: Cost, confidence: Confidence? = nil,
    _ evidence: [Evidence]
  ) -> Finding {
    Finding(
      PairingMissing.info, confidence: confidence, subject: .connection(side.flow), exchange: side.leg.number,
      direction: direction, message, cost: cost, fix: PairingMissing.info.fix, evidence: evidence
    ).on(side.leg.connection)
  }
}
