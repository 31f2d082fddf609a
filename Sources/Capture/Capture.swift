// Capture turns a file, standard input or a device into windows of numbered, timed, raw packets.
//
//   ByteSource      bytes of the file, decompressed if it is gzip or zstd
//   PcapParser, PcapNGParser   pure parsers of the two formats, fed a window at a time
//   CaptureFile     the driver: reads into the window, parses in place, filters
//   CaptureDevice   the same for live packets, through libpcap
//   CaptureSeries   the files of one recorder, in order; those of one that is still writing, too
//   CapturePoints   captures of several points at the same time, by their packets' times
//   RecordedSource  writes the packets of another source to rotated files
//   PacketFilter    BPF, compiled and run by libpcap
//   PcapNGWriter    writes pcapng, for extracts and recordings
//
// The formats are parsed here and not by libpcap, because one reader then serves plain, compressed and piped input alike,
// because libpcap refuses pcapng files whose interfaces differ in link type or snapshot length, and because a damaged
// file must be reported with a byte offset after everything before it was used. The bytes go from read(2) straight
// into the window and stay there: a packet is a record that points at them.
// It knows no protocol, not even the link layer; that is Decode.
import Citation

/// The place of a packet in its window, and its metadata in the file.
package struct PacketRecord: Hashable, Sendable {
  /// One-based position in the file as Wireshark counts, also for packets a filter drops. Numbers may be missing: a
  /// pcapng file can hold numbered things that are no packets.
  package var number: UInt64
  /// As stamped in the file; it may run backwards.
  package var time: Timestamp
  /// Where the bytes begin in the window.
  package var offset: Int
  package var capturedLength: Int
  /// Never less than `capturedLength`, whatever the file says.
  package var wireLength: Int
  /// As files number link types (LINKTYPE_…), not as libpcap does inside (DLT_…).
  package var linkType: UInt16
  /// Index into `CaptureInfo.interfaces`.
  package var interface: UInt16

  @inline(__always)
  package init(
    number: UInt64, time: Timestamp, offset: Int, capturedLength: Int, wireLength: Int, linkType: UInt16,
    interface: UInt16
  ) {
    self.number = number
    self.time = time
    self.offset = offset
    self.capturedLength = capturedLength
    self.wireLength = wireLength
    self.linkType = linkType
    self.interface = interface
  }
}

/// One refill of raw packets. Its storage is reused from refill to refill.
///
/// Invariant after a refill: every record's bytes lie inside `bytes`, and numbers rise. The bytes between and after the
/// records are leftovers without meaning.
package struct PacketWindow: Sendable {
  /// Grown only for a packet that does not fit, up to `CaptureLimits.record` and its header.
  package var bytes: [UInt8]
  package var packets: [PacketRecord]
  /// The bytes begin with those of the last window that had packets: places in that one are places in this one as well.
  package var continues = false

  /// The capacity of windows, unless set otherwise.
  package static let usual = 512 << 10

  package init(capacity: Int = PacketWindow.usual) {
    bytes = [UInt8](repeating: 0, count: max(capacity, 64))
    packets = []
    packets.reserveCapacity(bytes.count / 128)
  }
}

/// Where packets come from. Used by one task at a time.
package protocol CaptureSource: AnyObject {
  /// Fills the window with the next packets; false when there is nothing more, and then the window is empty.
  ///
  /// A window can be empty although there is more, when the filter dropped all that was in it, or when nothing arrives
  /// at the moment, so that progress can be shown meanwhile.
  func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool

  /// Grows while reading: interfaces, drops, secrets, problems.
  var info: CaptureInfo { get }

  /// Bytes of the file as it is on disk; without a size for pipes and devices.
  var progress: (read: UInt64, size: UInt64?) { get }

  /// How many points recorded the packets; see `CaptureInfo.points`.
  var pointCount: Int { get }

  /// For live packets: all packets before this time have been delivered. Time advances without packets, too.
  var clock: Timestamp? { get }
}

extension CaptureSource {
  package var clock: Timestamp? { nil }
  package var pointCount: Int { 1 }
}

/// Limits of what this module stores, whatever the file contains.
package enum CaptureLimits {
  /// A longer record or block counts as damaged, as in libpcap.
  package static let record = 16 << 20
  /// The length up to which a packet is accepted whatever the snapshot length, as in libpcap.
  package static let packet = 262_144
  /// Interfaces of all sections together; indices are 16 bits.
  package static let interfaces = 65_535
  /// Bytes of one text option, and of all that are kept.
  package static let text = 1024
  package static let texts = 1 << 20
  /// Bytes of decryption secrets kept.
  package static let secrets = 16 << 20
  /// How many losses are kept; further ones are merged into the last.
  package static let losses = 1_000
  /// Kinds of blocks counted apart.
  package static let blockKinds = 32
}
