import Citation

/// Captures that were recorded at the same time at several points, read as one: in the order of their packets on one clock.
///
/// A packet that passed several points is there as often; `CaptureInfo.points` says where each was recorded. All files are
/// open at once.
package final class CapturePoints: CaptureSource {
  /// As many as a byte counts.
  package static let limit = 64
  /// What each has read ahead: less than of one file alone, because so many are open.
  private static let window = 256 << 10

  private struct Point {
    var path: String
    var file: CaptureFile
    /// Puts a time of this point on the clock of the first.
    var onFirst: (@Sendable (Timestamp) -> Timestamp)?
    var window = PacketWindow(capacity: CapturePoints.window)
    var next = 0
    var isOver = false
    /// The number of its last packet, in its file.
    var number: UInt64 = 0
    /// Where its interfaces stand among all.
    var places: [UInt16] = []
    var secretsSeen = 0
  }

  private var points: [Point]
  private var number: UInt64 = 0
  private var secrets = SharedSecrets()
  package private(set) var info: CaptureInfo
  package let table: MemberTable

  package init(
    paths: [String], filter: String?, onFirst: [(@Sendable (Timestamp) -> Timestamp)?]
  ) throws(CaptureError) {
    points = []
    for (path, onFirst) in zip(paths, onFirst) {
      let file = try CaptureFile(path: path, filter: filter)
      file.handsOverEarly = false
      points.append(Point(path: path, file: file, onFirst: onFirst))
    }
    table = MemberTable(points: paths)
    info = CaptureInfo(format: points.first?.file.info.format ?? CaptureFormat(.pcap))
    info.members = table
  }

  package var pointCount: Int { points.count }

  package var progress: (read: UInt64, size: UInt64?) {
    points.reduce((0, 0)) { sum, point in
      let own = point.file.progress
      return (sum.read &+ own.read, own.size.flatMap { size in sum.size.map { $0 &+ size } })
    }
  }

  package func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    window.packets.removeAll(keepingCapacity: true)
    var filled = 0
    while let at = try earliest() {
      let packet = points[at].window.packets[points[at].next]
      if filled + packet.capturedLength > window.bytes.count {
        guard filled == 0 else { break }
        window.bytes = [UInt8](repeating: 0, count: packet.capturedLength)
      }
      take(packet, of: at, at: filled, into: &window)
      filled += packet.capturedLength
    }
    return !window.packets.isEmpty
  }

  /// The point whose next packet comes first.
  private func earliest() throws(CaptureError) -> Int? {
    var found: (at: Int, time: Timestamp)?
    for at in points.indices {
      while points[at].next == points[at].window.packets.count, !points[at].isOver { try refill(at) }
      guard points[at].next < points[at].window.packets.count else { continue }
      let time = points[at].window.packets[points[at].next].time
      if found.map({ time < $0.time }) ?? true { found = (at, time) }
    }
    return found?.at
  }

  private func refill(_ at: Int) throws(CaptureError) {
    points[at].next = 0
    do throws(CaptureError) {
      if try !points[at].file.fill(&points[at].window) {
        points[at].window.packets.removeAll()
        close(at)
      }
    } catch {
      if error.isOfFilter { throw error }
      points[at].window.packets.removeAll()
      close(at)
      info.unreadableMembers += 1
      info.note(.memberUnreadable(file: points[at].path, what: error.what))
    }
    noteInterfaces(at)
    secrets.note(points[at].file.info.secrets, &points[at].secretsSeen, into: &info)
    guard let onFirst = points[at].onFirst else { return }
    for index in points[at].window.packets.indices {
      points[at].window.packets[index].time = onFirst(points[at].window.packets[index].time)
    }
  }

  private func take(_ packet: PacketRecord, of at: Int, at filled: Int, into window: inout PacketWindow) {
    var packet = packet
    let own = packet.offset..<(packet.offset + packet.capturedLength)
    window.bytes.replaceSubrange(filled..<(filled + packet.capturedLength), with: points[at].window.bytes[own])
    // Numbers go on as in the file, where some may be missing.
    let step = packet.number &- points[at].number
    points[at].number = packet.number
    number &+= step
    table.add(step, ofPoint: at)
    packet.number = number
    packet.offset = filled
    let interface = Int(packet.interface)
    packet.interface = interface < points[at].places.count ? points[at].places[interface] : 0
    window.packets.append(packet)
    points[at].next += 1
  }

  private func noteInterfaces(_ at: Int) {
    let own = points[at].file.info.interfaces
    while points[at].places.count < own.count {
      if info.interfaces.count < CaptureLimits.interfaces {
        info.interfaces.append(own[points[at].places.count].uncounted)
        info.points.append(UInt8(clamping: at))
      } else {
        info.note(.interfacesCut(count: 1))
      }
      points[at].places.append(UInt16(clamping: info.interfaces.count - 1))
    }
  }

  private func close(_ at: Int) {
    points[at].isOver = true
    for (place, interface) in zip(points[at].places, points[at].file.info.interfaces) {
      info.interfaces[Int(place)].addCounts(of: interface)
    }
    for problem in points[at].file.info.problems {
      info.note(problem.isOfPlace ? .member(file: points[at].path, what: problem.description) : problem)
      if problem.endsTheCapture { info.unreadableMembers += 1 }
    }
  }
}
