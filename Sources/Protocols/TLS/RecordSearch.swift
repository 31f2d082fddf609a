import Citation
import TLSSemantics

/// Looks for records where nobody knows where they begin: a header of application data in the version that the direction
/// had, and another header of that version where it says that the next one is. Ciphertext passes for that once in 2^48
/// bytes or so.
///
/// One candidate is followed at a time, and what was passed over for it is not looked at again.
struct RecordSearch: Sendable {
  /// nil while the direction had none: then those of a candidate and of the next header must agree.
  private let version: UInt16?
  private var candidate: UInt16 = 0
  private var window: UInt64 = 0
  private var filled = 0
  private var remaining = 0
  private(set) var isOnTrial = false
  /// Nothing was looked at since the hole. Segments that are lost often end where a record does, so that the first bytes
  /// are a header; at this one place no second header is asked for.
  private(set) var isFresh: Bool

  init(version: TLSVersion?) {
    self.version = version?.rawValue
    isFresh = version != nil
  }

  /// Passes over bytes from `position` on; answers where a header should begin, or the end of the bytes.
  mutating func pass(_ bytes: Span<UInt8>, from position: Int) -> Int {
    var position = position
    while position < bytes.count {
      if isOnTrial {
        let taken = min(remaining, bytes.count - position)
        remaining -= taken
        return position + taken
      }
      window = (window << 8 | UInt64(bytes[position])) & 0xFF_FFFF_FFFF
      position += 1
      filled = min(filled + 1, HeldRecordHeader.size)
      judge()
    }
    return position
  }

  /// Whether the next byte is the first of a header on trial.
  var isAtHeader: Bool { isOnTrial && remaining == 0 }

  /// The header was none.
  mutating func reject(_ header: HeldRecordHeader) {
    isOnTrial = false
    isFresh = false
    filled = 0
    for index in 0..<HeldRecordHeader.size where !isOnTrial {
      window = (window << 8 | UInt64(header.bytes[index])) & 0xFF_FFFF_FFFF
      filled += 1
      judge()
    }
  }

  func begins(with header: HeldRecordHeader) -> Bool {
    header.type == .applicationData && header.version.rawValue == version && header.length > 0
      && header.length <= TLSRecord.lengthLimit
  }

  func accepts(_ header: HeldRecordHeader) -> Bool {
    header.type.isKnown && header.version.rawValue == candidate && header.length <= TLSRecord.lengthLimit
  }

  /// Bytes are missing, so many.
  mutating func skip(_ count: UInt64) {
    if isOnTrial, count <= UInt64(remaining) {
      remaining -= Int(count)
    } else {
      isOnTrial = false
      isFresh = version != nil
      filled = 0
    }
  }

  private mutating func judge() {
    let length = Int(window & 0xFFFF)
    let found = UInt16(window >> 16 & 0xFFFF)
    guard filled == HeldRecordHeader.size, window >> 32 == UInt64(TLSContentType.applicationData.rawValue),
      version.map({ found == $0 }) ?? (0x0301...0x0303).contains(found), length > 0, length <= TLSRecord.lengthLimit
    else { return }
    isOnTrial = true
    candidate = found
    remaining = length
  }
}
