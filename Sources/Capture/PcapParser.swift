import Citation

/// The classic format: a file header of 24 bytes, then records of a header and a packet.
/// https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcap/
///
/// Pure and incremental: it parses the bytes of a window and returns how many were complete records.
struct PcapParser {
  private enum FileField { static let major = 4, minor = 6, snapLength = 16, linkType = 20, length = 24 }
  private enum RecordField { static let fraction = 4, captured = 8, wire = 12, length = 16, patchedLength = 24 }

  /// Until version 2.3 the two lengths of a record stood the other way round; 2.3 has both.
  private enum Lengths { case inOrder, swapped, either }

  static let headerLength = FileField.length

  let order: ByteOrder
  let isNanosecond: Bool
  let linkType: UInt16
  let snapLength: UInt32
  private let recordHeader: Int
  private let lengths: Lengths
  private let longest: UInt32
  private(set) var lastNumber: UInt64 = 0
  private(set) var isOver = false

  /// Nil when the bytes do not start with a magic number of this format.
  static func startsWithMagic(_ head: RawSpan) -> Bool {
    head.byteCount >= 4 && Magic(head) != nil
  }

  /// The parser for a file with this header, or the reason why there is none.
  static func open(_ head: RawSpan) -> Result<PcapParser, Refusal> {
    guard head.byteCount >= FileField.length, let magic = Magic(head) else {
      return .failure(Refusal(what: "cut short inside its file header", fix: "capture again, it holds no packets"))
    }
    let order = magic.order
    let version = (major: order.u16(head, FileField.major), minor: order.u16(head, FileField.minor))
    guard version.major == 2 else {
      return .failure(
        Refusal(what: "pcap version \(version.major).\(version.minor), only 2.x is supported", fix: "check the file"))
    }
    let link = order.u32(head, FileField.linkType)
    // The upper bits hold the length of a frame check sequence; these ten are reserved and zero in every real file.
    guard link & 0x03FF_0000 == 0 else {
      return .failure(
        Refusal(what: "its link-type field 0x\(String(link, radix: 16)) has reserved bits set", fix: "check the file"))
    }
    return .success(
      PcapParser(
        magic, linkType: UInt16(truncatingIfNeeded: link), snapLength: order.u32(head, FileField.snapLength),
        lengths: version.minor < 3 ? .swapped : version.minor == 3 ? .either : .inOrder))
  }

  private init(_ magic: Magic, linkType: UInt16, snapLength: UInt32, lengths: Lengths) {
    order = magic.order
    isNanosecond = magic.isNanosecond
    recordHeader = magic.isPatched ? RecordField.patchedLength : RecordField.length
    self.linkType = linkType
    self.snapLength = snapLength
    self.lengths = lengths
    longest = max(UInt32(CaptureLimits.packet), min(snapLength, UInt32(CaptureLimits.record)))
  }

  /// Appends the whole records in `range` and answers where the first one that is not whole begins. `position` is
  /// where the range begins in the file.
  mutating func parse(
    _ bytes: RawSpan, _ range: Range<Int>, at position: UInt64, into packets: inout [PacketRecord],
    info: inout CaptureInfo
  ) -> Int {
    let order = order
    let header = recordHeader
    let scale: Int64 = isNanosecond ? 1 : 1000
    let end = range.upperBound
    var at = range.lowerBound
    var number = lastNumber
    while end &- at >= header {
      let seconds = order.u32(bytes, at)
      let fraction = order.u32(bytes, at &+ RecordField.fraction)
      var captured = order.u32(bytes, at &+ RecordField.captured)
      var wire = order.u32(bytes, at &+ RecordField.wire)
      if lengths != .inOrder, lengths == .swapped || captured > wire { swap(&captured, &wire) }
      if captured > longest || (captured | wire | seconds | fraction) == 0 {
        let what = captured > 0 ? "a record claims \(captured) bytes" : "zeros where a record should begin"
        info.note(.damaged(atByte: position &+ UInt64(at &- range.lowerBound), what: what))
        isOver = true
        break
      }
      let length = header &+ Int(captured)
      guard length <= end &- at else { break }
      number &+= 1
      packets.append(
        PacketRecord(
          number: number,
          // 2^32 seconds are less than half of what the type holds.
          time: Timestamp(nanoseconds: Int64(seconds) &* 1_000_000_000 &+ Int64(fraction) &* scale),
          offset: at &+ header, capturedLength: Int(captured), wireLength: Int(max(wire, captured)),
          linkType: linkType, interface: 0))
      at &+= length
    }
    lastNumber = number
    return at
  }
}

/// Why a file header is not one that can be read.
struct Refusal: Error {
  var what: String
  var fix: String?
}

/// The first four bytes of a pcap file.
private struct Magic {
  let order: ByteOrder
  let isNanosecond: Bool
  /// A patched libpcap of the nineties wrote eight more bytes per record.
  let isPatched: Bool

  init?(_ head: RawSpan) {
    for order in [ByteOrder.little, .big] {
      switch order.u32(head, 0) {
      case 0xA1B2_C3D4: self.init(order: order, isNanosecond: false, isPatched: false)
      case 0xA1B2_3C4D: self.init(order: order, isNanosecond: true, isPatched: false)
      case 0xA1B2_CD34: self.init(order: order, isNanosecond: false, isPatched: true)
      default: continue
      }
      return
    }
    return nil
  }

  private init(order: ByteOrder, isNanosecond: Bool, isPatched: Bool) {
    self.order = order
    self.isNanosecond = isNanosecond
    self.isPatched = isPatched
  }
}
