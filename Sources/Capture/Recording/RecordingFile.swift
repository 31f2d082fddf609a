import Citation
import Platform

/// One pcapng file to which live packets are written.
///
/// It exists from the beginning, and is readable at any time up to its last complete window: a partial write on a full
/// disk is truncated.
struct RecordingFile: ~Copyable {
  let path: String
  /// Written, and waiting to be.
  private(set) var size: UInt64 = 0
  private(set) var packets: UInt64 = 0
  let began: Int64
  private let descriptor: Descriptor
  private var writer = PcapNGWriter()
  private var numbers: [UInt32] = []
  private var written: UInt64 = 0

  /// `buffer` is given from file to file.
  init(_ path: String, application: String, into buffer: inout [UInt8]) throws(CaptureError) {
    self.path = path
    began = SystemClock.monotonic
    // Readable by its owner only.
    do throws(SystemError) {
      descriptor = try .open(path, for: .replacing(.owner))
    } catch {
      throw Self.failure(path, error)
    }
    writer.begin(application: application, into: &buffer)
    size = UInt64(buffer.count)
  }

  deinit {
    descriptor.close()
  }

  mutating func append(
    _ record: PacketRecord, _ bytes: Span<UInt8>, _ interfaces: [CaptureInterface], into buffer: inout [UInt8]
  ) {
    let before = buffer.count
    declare(interfaces, into: &buffer)
    let end = record.offset + record.capturedLength
    writer.packet(
      bytes.extracting(record.offset..<end), interface: numbers[Int(record.interface)], time: record.time,
      wireLength: record.wireLength, into: &buffer)
    size += UInt64(buffer.count - before)
    packets += 1
  }

  /// Once there is one: a file without packets still describes it.
  mutating func declare(_ interfaces: [CaptureInterface], into buffer: inout [UInt8]) {
    guard numbers.count < interfaces.count else { return }
    for interface in interfaces[numbers.count...] {
      numbers.append(
        writer.interface(
          linkType: interface.linkType, snapLength: interface.snapLength, name: interface.name,
          filter: interface.filter, into: &buffer))
    }
  }

  /// The final statistics block: counts while this file was written.
  mutating func conclude(_ counted: [CaptureInterface], at time: Timestamp, into buffer: inout [UInt8]) {
    declare(counted, into: &buffer)
    for (at, interface) in counted.enumerated() {
      writer.statistics(
        interface: numbers[at], time: time, received: interface.received, delivered: packets,
        droppedByInterface: interface.droppedByInterface ?? 0, droppedBySystem: interface.droppedBySystem ?? 0,
        into: &buffer)
    }
  }

  /// Writes all of the buffer at once, and empties it.
  mutating func flush(_ buffer: inout [UInt8]) throws(CaptureError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    do throws(SystemError) {
      try descriptor.write(buffer)
    } catch {
      descriptor.truncate(to: written)
      throw Self.failure(path, error)
    }
    written += UInt64(buffer.count)
  }

  private static func failure(_ path: String, _ error: SystemError) -> CaptureError {
    let fix: String? =
      error.isOutOfRoom
      ? "make room, or keep less: -b filesize:KB -b files:N" : error.isMissingFile ? "make the folder first" : nil
    return CaptureError(path, "cannot be written: \(error)", fix: fix)
  }
}
