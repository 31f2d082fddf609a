import Citation
import Glibc

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
  private let descriptor: CInt
  private var writer = PcapNGWriter()
  private var numbers: [UInt32] = []
  private var written: UInt64 = 0

  /// `buffer` is given from file to file.
  init(_ path: String, application: String, into buffer: inout [UInt8]) throws(CaptureError) {
    self.path = path
    began = Monotonic.now
    // Readable by its owner only.
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    writer.begin(application: application, into: &buffer)
    size = UInt64(buffer.count)
  }

  deinit {
    close(descriptor)
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
    var done = 0
    while done < buffer.count {
      let count = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
      if count < 0 {
        if errno == EINTR { continue }
        let error = Self.failure(path)
        _ = ftruncate(descriptor, off_t(written))
        throw error
      }
      done += count
    }
    written += UInt64(done)
  }

  private static func failure(_ path: String) -> CaptureError {
    let code = errno
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    let fix: String? =
      switch code {
      case ENOSPC, EDQUOT: "make room, or keep less: -b filesize:KB -b files:N"
      case ENOENT: "make the folder first"
      default: nil
      }
    return CaptureError(path, "cannot be written: \(reason)", fix: fix)
  }
}
