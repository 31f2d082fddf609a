import Citation

/// IP fragments that wait for the rest of their datagram.
///
/// Nothing is delivered before a datagram is whole: a first fragment may hold a whole TCP header and still be answered
/// by a later fragment that overlaps it. A fragment seen twice with the same bytes is ignored. Where fragments overlap
/// in any other way, IPv4 keeps the bytes seen first and IPv6 drops the whole datagram (RFC 5722 §3).
///
/// Bounds: 4 MiB of fragment bytes and 4,096 fragments wait at most, oldest datagram given up first, and none for
/// longer than 30 s of the packet clock after its first fragment. Bytes are kept as they came, so a lone fragment
/// with a high offset costs its own size only.
struct FragmentTable {
  static let byteLimit = 4 << 20
  static let fragmentLimit = 4096
  static let lifetime: Int64 = 30_000_000_000
  /// The longest datagram that an IP length field can name.
  static let datagramLimit = 65_535

  /// What RFC 791 §3.2 and RFC 8200 §4.5 identify a datagram by; `protocolNumber` is 0 for IPv6.
  struct Key: Hashable {
    var source: IPAddress
    var destination: IPAddress
    var identification: UInt32
    var protocolNumber: UInt8
    /// Not always to be seen in the addresses: an IPv6 header may carry mapped ones.
    var isV4: Bool
  }

  /// One fragment as its header describes it. `captured` may end before `length` does: the snapshot length cut it.
  struct Fragment {
    var key: Key
    var packet: PacketRef
    var nextProtocol: UInt8
    /// Where its data stands in the datagram, and how long it was on the wire.
    var offset: Int
    var length: Int
    var hasMore: Bool
    /// Where its data stands in the frame, as far as captured.
    var captured: Range<Int>
  }

  enum Outcome {
    case waiting
    /// The bytes up to the first one that was not captured, and the length on the wire.
    case completed(bytes: [UInt8], length: Int, nextProtocol: UInt8)
    case dropped(Undecoded)
  }

  /// Fragments that became part of a delivered datagram, the last one of each not counted.
  private(set) var joined: UInt64 = 0
  /// Fragments that wait now.
  var waiting: UInt64 { UInt64(fragmentCount &- overlappedCount) }

  private struct Piece {
    var offset: Int
    var length: Int
    var bytes: [UInt8]
    var end: Int { offset &+ length }
  }

  private struct Datagram {
    var serial: UInt64
    var first: Timestamp
    var nextProtocol: UInt8
    /// Sorted by offset, never overlapping.
    var pieces: [Piece] = []
    var covered = 0
    var total: Int?
    var fragments = 0
    var byteCount = 0
    /// An IPv6 datagram dropped for an overlap: kept as a name, so that its other fragments are dropped too.
    var isOverlapped = false
  }

  private var datagrams: [Key: Datagram] = [:]
  /// Keys in order of their first fragment; entries of datagrams that are gone have a serial nobody has, and
  /// are swept out when they outnumber the others.
  private var arrivals: [(key: Key, serial: UInt64)] = []
  private var oldest = 0
  private var nextSerial: UInt64 = 0
  private var fragmentCount = 0
  private var overlappedCount = 0
  private var byteCount = 0

  mutating func insert(
    _ fragment: Fragment, of bytes: Span<UInt8>, counts: inout UndecodedCounts, problems: inout DecodeProblems
  ) -> Outcome {
    expire(at: fragment.packet.time, counts: &counts)
    guard fragment.length > 0, fragment.offset &+ fragment.length <= FragmentTable.datagramLimit,
      !fragment.hasMore || fragment.length % 8 == 0
    else { return .dropped(.badFragment) }

    let key = fragment.key
    var datagram = remove(key) ?? begin(fragment)
    if datagram.isOverlapped {
      keep(datagram, key)
      return .dropped(.fragmentOverlap)
    }
    guard agrees(fragment, with: datagram) else {
      keep(datagram, key)
      return .dropped(.badFragment)
    }
    if !fragment.hasMore { datagram.total = fragment.offset &+ fragment.length }
    if fragment.offset == 0, datagram.pieces.first?.offset != 0 { datagram.nextProtocol = fragment.nextProtocol }

    if overlaps(fragment, datagram), !repeats(fragment, datagram, bytes) {
      let isV4 = key.isV4
      problems.note(isV4 ? .overlapIPv4 : .overlapIPv6, fragment.packet, from: key.source, to: key.destination)
      if !isV4 {
        counts.count(.fragmentOverlap, UInt64(datagram.fragments))
        datagram.pieces = []
        datagram.byteCount = 0
        datagram.fragments = 1
        datagram.isOverlapped = true
        keep(datagram, key)
        return .dropped(.fragmentOverlap)
      }
    }
    fill(&datagram, with: fragment, of: bytes)
    datagram.fragments &+= 1
    if let total = datagram.total, datagram.covered >= total {
      joined &+= UInt64(datagram.fragments &- 1)
      return .completed(bytes: contiguous(datagram), length: total, nextProtocol: datagram.nextProtocol)
    }
    keep(datagram, key)
    if !fits {
      problems.note(.fragmentLimit, fragment.packet, from: key.source, to: key.destination)
      while !fits, let given = removeOldest() {
        guard !given.isOverlapped else { continue }
        let isThis = given.serial == datagram.serial
        counts.count(.fragmentLimit, UInt64(given.fragments &- (isThis ? 1 : 0)))
      }
    }
    return datagrams[key] == nil ? .dropped(.fragmentLimit) : .waiting
  }

  private mutating func begin(_ fragment: Fragment) -> Datagram {
    nextSerial &+= 1
    if arrivals.count > 2 * datagrams.count + 64 {
      arrivals = arrivals[oldest...].filter { datagrams[$0.key]?.serial == $0.serial }
      oldest = 0
    }
    arrivals.append((fragment.key, nextSerial))
    return Datagram(serial: nextSerial, first: fragment.packet.time, nextProtocol: fragment.nextProtocol)
  }

  /// Whether the fragment's end can be true beside what the others said about the end of the datagram.
  private func agrees(_ fragment: Fragment, with datagram: Datagram) -> Bool {
    let end = fragment.offset &+ fragment.length
    let known = datagram.pieces.last?.end ?? 0
    guard fragment.hasMore else { return end >= known && (datagram.total ?? end) == end }
    return end <= datagram.total ?? .max
  }

  /// The first piece that ends after `offset`.
  private func position(of offset: Int, in pieces: [Piece]) -> Int {
    var low = 0
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].end <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func overlaps(_ fragment: Fragment, _ datagram: Datagram) -> Bool {
    let index = position(of: fragment.offset, in: datagram.pieces)
    return index < datagram.pieces.count && datagram.pieces[index].offset < fragment.offset &+ fragment.length
  }

  /// Whether the fragment brings nothing new: its place is taken by the same bytes, as far as both were captured. For
  /// IPv6 it must also be cut the same, since no honest sender cuts a datagram twice.
  private func repeats(_ fragment: Fragment, _ datagram: Datagram, _ bytes: Span<UInt8>) -> Bool {
    var index = position(of: fragment.offset, in: datagram.pieces)
    var at = fragment.offset
    let end = fragment.offset &+ fragment.length
    if !fragment.key.isV4 {
      let piece = datagram.pieces[index]
      guard piece.offset == at, piece.end == end else { return false }
    }
    while at < end {
      guard index < datagram.pieces.count, datagram.pieces[index].offset <= at else { return false }
      let piece = datagram.pieces[index]
      let until = min(end, piece.end)
      while at < until {
        let mine = fragment.captured.lowerBound &+ (at &- fragment.offset)
        let theirs = at &- piece.offset
        guard mine < fragment.captured.upperBound, theirs < piece.bytes.count else {
          at = until
          break
        }
        if bytes[mine] != piece.bytes[theirs] { return false }
        at &+= 1
      }
      index &+= 1
    }
    return true
  }

  /// Puts the parts of the fragment where nothing stands yet.
  private func fill(_ datagram: inout Datagram, with fragment: Fragment, of bytes: Span<UInt8>) {
    var at = fragment.offset
    let end = fragment.offset &+ fragment.length
    var index = position(of: at, in: datagram.pieces)
    while at < end {
      let next = index < datagram.pieces.count ? datagram.pieces[index].offset : end
      if next > at {
        let until = min(next, end)
        let from = fragment.captured.lowerBound &+ (at &- fragment.offset)
        let to = min(fragment.captured.lowerBound &+ (until &- fragment.offset), fragment.captured.upperBound)
        var copy: [UInt8] = []
        if from < to {
          copy.reserveCapacity(to &- from)
          for position in from..<to { copy.append(bytes[position]) }
        }
        datagram.byteCount &+= copy.count
        datagram.covered &+= until &- at
        datagram.pieces.insert(Piece(offset: at, length: until &- at, bytes: copy), at: index)
        index &+= 1
        at = until
      }
      if index < datagram.pieces.count, at < end {
        at = max(at, datagram.pieces[index].end)
        index &+= 1
      }
    }
  }

  private func contiguous(_ datagram: Datagram) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(datagram.byteCount)
    for piece in datagram.pieces {
      bytes.append(contentsOf: piece.bytes)
      if piece.bytes.count < piece.length { break }
    }
    return bytes
  }

  private mutating func keep(_ datagram: Datagram, _ key: Key) {
    fragmentCount &+= datagram.fragments
    byteCount &+= datagram.byteCount
    overlappedCount &+= datagram.isOverlapped ? 1 : 0
    datagrams[key] = datagram
  }

  private mutating func remove(_ key: Key) -> Datagram? {
    guard let datagram = datagrams.removeValue(forKey: key) else { return nil }
    fragmentCount &-= datagram.fragments
    byteCount &-= datagram.byteCount
    overlappedCount &-= datagram.isOverlapped ? 1 : 0
    return datagram
  }

  private var fits: Bool {
    fragmentCount <= FragmentTable.fragmentLimit && byteCount <= FragmentTable.byteLimit
  }

  private mutating func expire(at now: Timestamp, counts: inout UndecodedCounts) {
    while let next = oldestWaiting(), now.since(next.first) > FragmentTable.lifetime, let gone = removeOldest() {
      if !gone.isOverlapped { counts.count(.fragmentTimeout, UInt64(gone.fragments)) }
    }
  }

  private mutating func oldestWaiting() -> Datagram? {
    while oldest < arrivals.count {
      let arrival = arrivals[oldest]
      if let datagram = datagrams[arrival.key], datagram.serial == arrival.serial { return datagram }
      oldest &+= 1
    }
    arrivals.removeAll(keepingCapacity: true)
    oldest = 0
    return nil
  }

  private mutating func removeOldest() -> Datagram? {
    guard oldestWaiting() != nil else { return nil }
    return remove(arrivals[oldest].key)
  }
}
