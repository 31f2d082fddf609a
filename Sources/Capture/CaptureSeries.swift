/// Files of one capture in rotation, read as one: packet numbers continue from file to file.
///
/// The files are taken in the order they are given. Interfaces of later files are counted behind those of earlier ones.
package final class CaptureSeries: CaptureSource {
  private var files: [CaptureFile]
  private var current = 0
  private var packetsBefore: UInt64 = 0
  private var interfacesBefore = 0
  private var lastNumber: UInt64 = 0

  package init(paths: [String], filter: String?) throws(CaptureError) {
    files = []
    // All first, so that a missing file is reported before an hour of reading.
    for path in paths {
      let file = try CaptureFile(path: path, filter: filter)
      file.handsOverEarly = false
      files.append(file)
    }
  }

  package func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
    while current < files.count {
      if try files[current].fill(&window) {
        for at in window.packets.indices {
          lastNumber = max(lastNumber, packetsBefore &+ window.packets[at].number)
          window.packets[at].number &+= packetsBefore
          window.packets[at].interface = UInt16(clamping: Int(window.packets[at].interface) + interfacesBefore)
        }
        return true
      }
      packetsBefore = lastNumber
      interfacesBefore += files[current].info.interfaces.count
      current += 1
    }
    return false
  }

  package var info: CaptureInfo {
    var info = CaptureInfo(format: files.first?.info.format ?? CaptureFormat(.pcap))
    for file in files.prefix(current + 1) {
      info.interfaces += file.info.interfaces
      info.problems += file.info.problems
      info.secrets += file.info.secrets
    }
    return info
  }

  package var progress: (read: UInt64, size: UInt64?) {
    var read: UInt64 = 0
    var size: UInt64? = 0
    for file in files {
      let progress = file.progress
      read &+= progress.read
      size = size.flatMap { sum in progress.size.map { sum &+ $0 } }
    }
    return (read, size)
  }
}
