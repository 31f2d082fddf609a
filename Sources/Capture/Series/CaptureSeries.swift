import Citation

/// Files of one capture in rotation, read as one: packet numbers continue from file to file.
///
/// The files are read in the order of their first packets. One is open at a time: each is opened once before, for its first
/// packet, and again when its turn comes. A file that is empty, cut short or unreadable is named, and the others are read.
/// The same interface in several files is one interface. While a recorder writes, files are added as they are finished: see
/// `FolderWatch`.
package final class CaptureSeries: CaptureSource {
  /// How many problems of single files are told one by one.
  private static let toldLimit = 100
  /// The part of a window that is filled from further files: those of a few packets are otherwise compared with little
  /// before them.
  private static let filled = 2

  private let filter: String?
  var members: [SeriesMember]
  var next = 0
  private var current: CaptureFile?
  private var currentPath = ""
  /// Packets at the beginning of the current file that were read before it had grown.
  private var skipped: UInt64 = 0
  /// Where files are added, while a recorder writes.
  var following: FollowedFolder?
  /// What is read of a further file, before it is appended.
  private var spare = PacketWindow(capacity: 64)
  /// Where the interfaces of the current file stand among all.
  private var places: [UInt16] = []
  private var secrets = SharedSecrets()
  /// Of the current file so many were looked at.
  private var secretsSeen = 0
  private var before: UInt64 = 0
  private var hasPackets = false
  private var joint: SeriesJoint
  private var told = 0
  private var untold: UInt64 = 0
  private var bytesBefore: UInt64 = 0
  private let size: UInt64?

  package internal(set) var info: CaptureInfo
  /// Grows while the files are read.
  package let table = MemberTable()
  /// Whether the order of the first packets is not the given one.
  package let isReordered: Bool

  /// Opens each file for a moment; throws if not one of them can be read, or if the filter is wrong.
  package init(paths: [String], filter: String?) throws(CaptureError) {
    self.filter = filter
    var survey = SeriesSurvey()
    for path in paths { try survey.look(at: path, filter) }
    members = survey.ordered
    isReordered = survey.isReordered
    size = survey.size
    joint = SeriesJoint(members.map(\.path), empty: survey.empty)
    info = CaptureInfo(format: survey.format)
    info.members = table
    for (path, error) in survey.unreadable { noteUnreadable(path, error.what) }
    for path in survey.empty { tell(.memberEmpty(file: path)) }
    guard !members.isEmpty || survey.isAnyReadable else {
      throw survey.unreadable.first?.error ?? CaptureError(paths.first ?? "", "empty")
    }
    // A filter that no file can be read with is a mistake, to be told before an hour of reading.
    if filter != nil, let first = members.first, !first.isOpen { _ = try CaptureFile(path: first.path, filter: filter) }
    info.interfaces = members.isEmpty ? survey.interfaces : []
  }

  /// Reads the files of a folder as a recorder finishes them, until `isStopping`.
  package init(following watch: FolderWatch, filter: String?, isStopping: @escaping @Sendable () -> Bool) {
    self.filter = filter
    members = []
    isReordered = false
    size = nil
    joint = SeriesJoint([], empty: [])
    info = CaptureInfo(format: CaptureFormat(.pcap))
    info.members = table
    following = FollowedFolder(watch, isStopping)
  }

  package var progress: (read: UInt64, size: UInt64?) { (bytesBefore &+ (current?.progress.read ?? 0), size) }

  /// The first and the last file, or the folder.
  package var name: String {
    if let following { return following.folder }
    guard let first = members.first, let last = members.last, members.count > 1 else {
      return members.first?.path ?? ""
    }
    return first.path + " … " + last.path
  }

  /// In the order of their packets.
  package var paths: [String] { members.map(\.path) }

  package var firstPath: String? { members.first?.path }

  package func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    guard try fillFromOne(&window) else { return false }
    // What is appended is no longer than this, so that it fits: windows are used again, and would grow each time.
    let enough = min(window.bytes.count, PacketWindow.usual) / Self.filled
    while !window.packets.isEmpty, end(of: window) < enough, following == nil || current != nil || next < members.count
    {
      if spare.bytes.count != enough { spare = PacketWindow(capacity: enough) }
      // A filter can drop all that was read: then it is time to show progress.
      guard try fillFromOne(&spare), !spare.packets.isEmpty else { break }
      append(spare, to: &window)
    }
    return true
  }

  /// The next packets of the current file, or of the next that has any.
  private func fillFromOne(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    while true {
      guard let file = current else {
        guard try openNext(&window) else {
          if following == nil || isOver { return false }
          guard try findMore() else { return true }
          continue
        }
        if !window.packets.isEmpty {
          take(&window)
          return true
        }
        continue
      }
      do throws(CaptureError) {
        if try file.fill(&window) {
          take(&window)
          return true
        }
      } catch {
        if error.isOfFilter { throw error }
        noteUnreadable(currentPath, error.what)
      }
      close(file)
      if isInterrupted { return false }
    }
  }

  /// Opens the next file; the window has packets only of one that was left open. False after the last.
  private func openNext(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    window.packets.removeAll(keepingCapacity: true)
    while next < members.count {
      let member = members[next]
      next += 1
      currentPath = member.path
      hasPackets = member.skipped > 0
      skipped = member.skipped
      before &-= skipped
      bytesBefore &-= member.skippedBytes
      if let open = member.open {
        members[next - 1].open = nil
        current = open.file
        append(open.window, to: &window)
        return true
      }
      do throws(CaptureError) {
        let file = try CaptureFile(path: member.path, filter: filter)
        file.handsOverEarly = false
        current = file
        return true
      } catch {
        noteUnreadable(member.path, error.what)
        bytesBefore &+= member.size ?? 0
      }
    }
    return false
  }

  private func close(_ file: CaptureFile) {
    before &+= max(file.lastNumber, skipped)
    bytesBefore &+= file.progress.read
    // Those behind its last packet.
    noteSecrets(of: file)
    // What a recorder is still writing ends anywhere.
    let member = members[next - 1]
    let mayGrow = member.mayGrow
    for problem in file.info.problems where !(mayGrow && problem.endsTheCapture) {
      note(problem, of: currentPath, in: file)
    }
    for (at, interface) in file.info.interfaces.enumerated() where at < places.count && !member.isCounted {
      info.interfaces[Int(places[at])].addCounts(of: interface)
    }
    if mayGrow { noteProgress(of: file, as: member) }
    places.removeAll(keepingCapacity: true)
    secretsSeen = 0
    current = nil
  }

  /// Numbers packets and interfaces on from the files before.
  private func take(_ window: inout PacketWindow) {
    guard let file = current else { return }
    noteInterfaces(of: file)
    noteSecrets(of: file)
    if skipped > 0 { window.packets.removeAll { $0.number <= skipped } }
    if !hasPackets, let first = window.packets.first {
      hasPackets = true
      table.add(currentPath, before: before)
      let packet = PacketRef(number: before &+ first.number, time: first.time)
      let found = joint.begin(currentPath, at: packet)
      if let problem = found.problem { tell(problem) }
      if let loss = found.loss, info.losses.count < CaptureLimits.losses { info.losses.append(loss) }
    }
    for at in window.packets.indices {
      window.packets[at].number &+= before
      let interface = Int(window.packets[at].interface)
      window.packets[at].interface = interface < places.count ? places[interface] : 0
      joint.advance(to: window.packets[at])
    }
  }

  private func noteProgress(of file: CaptureFile, as member: SeriesMember) {
    following?.note(
      FollowedFolder.Progress(
        path: member.path, firstTime: member.firstTime, packets: max(file.lastNumber, skipped),
        bytes: file.progress.read,
        isCounted: file.info.interfaces.contains { $0.received != nil || $0.droppedByInterface != nil }))
  }

  private func append(_ other: PacketWindow, to window: inout PacketWindow) {
    let start = end(of: window)
    let length = end(of: other)
    guard length > 0 else { return }
    if window.bytes.count < start + length {
      window.bytes += [UInt8](repeating: 0, count: start + length - window.bytes.count)
    }
    window.bytes.replaceSubrange(start..<start + length, with: other.bytes[..<length])
    for packet in other.packets {
      var packet = packet
      packet.offset += start
      window.packets.append(packet)
    }
  }

  private func end(of window: PacketWindow) -> Int {
    window.packets.last.map { $0.offset + $0.capturedLength } ?? 0
  }

  // MARK: What the files hold besides packets

  private func noteInterfaces(of file: CaptureFile) {
    let own = file.info.interfaces
    while places.count < own.count {
      let interface = own[places.count]
      if let place = info.interfaces.firstIndex(where: { $0.isSame(as: interface) }) {
        places.append(UInt16(clamping: place))
      } else if info.interfaces.count < CaptureLimits.interfaces {
        places.append(UInt16(clamping: info.interfaces.count))
        info.interfaces.append(interface.uncounted)
      } else {
        places.append(UInt16(clamping: info.interfaces.count - 1))
        info.note(.interfacesCut(count: 1))
      }
    }
  }

  private func noteSecrets(of file: CaptureFile) {
    secrets.note(file.info.secrets, &secretsSeen, into: &info)
  }

  private func note(_ problem: CaptureProblem, of path: String, in file: CaptureFile) {
    guard problem.isOfPlace else { return info.note(problem) }
    tell(.member(file: path, what: problem.description))
    guard problem.endsTheCapture else { return }
    info.unreadableMembers += 1
    joint.isCut = path
  }

  func noteUnreadable(_ path: String, _ what: String) {
    info.unreadableMembers += 1
    tell(.memberUnreadable(file: path, what: what))
    if hasPackets || next > 0 { joint.isCut = path }
  }

  func tell(_ problem: CaptureProblem) {
    told += 1
    info.note(told <= Self.toldLimit ? problem : .moreMembers(count: 1))
  }
}
