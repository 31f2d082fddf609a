import Citation

/// Files of one capture in rotation, read as one: packet numbers continue from file to file.
///
/// The files are read in the order of their first packets. One is open at a time: each is opened once before, for its first
/// packet, and again when its turn comes. A file that is empty, cut short or unreadable is named, and the others are read.
/// The same interface in several files is one interface.
package final class CaptureSeries: CaptureSource {
  /// How many problems of single files are told one by one.
  private static let toldLimit = 100
  /// The part of a window that is filled from further files: those of a few packets are otherwise compared with little
  /// before them.
  private static let filled = 2

  private let filter: String?
  private var members: [SeriesMember]
  private var next = 0
  private var current: CaptureFile?
  private var currentPath = ""
  /// What is read of a further file, before it is appended.
  private var spare = PacketWindow(capacity: 64)
  /// Where the interfaces of the current file stand among all.
  private var places: [UInt16] = []
  /// The decryption secrets of all files, each once, and their length. Of the current file so many were looked at.
  private var secrets: Set<DecryptionSecrets> = []
  private var secretsLength = 0
  private var secretsSeen = 0
  private var before: UInt64 = 0
  private var hasPackets = false
  private var joint: SeriesJoint
  private var told = 0
  private var untold: UInt64 = 0
  private var bytesBefore: UInt64 = 0
  private let size: UInt64?

  package private(set) var info: CaptureInfo
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

  package var progress: (read: UInt64, size: UInt64?) { (bytesBefore &+ (current?.progress.read ?? 0), size) }

  /// The first and the last file.
  package var name: String {
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
    while !window.packets.isEmpty, end(of: window) < enough {
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
        guard try openNext(&window) else { return false }
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
    }
  }

  /// Opens the next file; the window has packets only of one that was left open. False after the last.
  private func openNext(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    window.packets.removeAll(keepingCapacity: true)
    while next < members.count {
      let member = members[next]
      next += 1
      currentPath = member.path
      hasPackets = false
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
    before &+= file.lastNumber
    bytesBefore &+= file.progress.read
    // Those behind its last packet.
    noteSecrets(of: file)
    for problem in file.info.problems { note(problem, of: currentPath, in: file) }
    for (at, interface) in file.info.interfaces.enumerated() where at < places.count {
      info.interfaces[Int(places[at])].addCounts(of: interface)
    }
    places.removeAll(keepingCapacity: true)
    secretsSeen = 0
    current = nil
  }

  /// Numbers packets and interfaces on from the files before.
  private func take(_ window: inout PacketWindow) {
    guard let file = current else { return }
    noteInterfaces(of: file)
    noteSecrets(of: file)
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

  /// The files of one recorder often repeat them.
  private func noteSecrets(of file: CaptureFile) {
    let own = file.info.secrets
    guard own.count > secretsSeen else { return }
    for secret in own[secretsSeen...] where !secrets.contains(secret) {
      if secretsLength + secret.bytes.count <= CaptureLimits.secrets {
        secretsLength += secret.bytes.count
        secrets.insert(secret)
        info.secrets.append(secret)
      } else {
        info.note(.secretsCut(bytes: UInt64(secret.bytes.count)))
      }
    }
    secretsSeen = own.count
  }

  private func note(_ problem: CaptureProblem, of path: String, in file: CaptureFile) {
    guard problem.isOfPlace else { return info.note(problem) }
    tell(.member(file: path, what: problem.description))
    guard problem.endsTheCapture else { return }
    info.unreadableMembers += 1
    joint.isCut = path
  }

  private func noteUnreadable(_ path: String, _ what: String) {
    info.unreadableMembers += 1
    tell(.memberUnreadable(file: path, what: what))
    if hasPackets || next > 0 { joint.isCut = path }
  }

  private func tell(_ problem: CaptureProblem) {
    told += 1
    info.note(told <= Self.toldLimit ? problem : .moreMembers(count: 1))
  }
}
