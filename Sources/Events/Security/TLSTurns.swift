import Citation
import TLSSemantics

/// Who spoke when on a connection whose records cannot be read. Where the server's data has followed the client's each
/// time, the two are requests and answers, whatever they say.
///
/// Records that can only be control take no turn. In TLS 1.3 the server's first two records are session tickets if they
/// are of one length: they take none either.
package struct TLSTurns: Sendable {
  /// After a longer pause a side speaks on its own: what it says belongs to nothing that was said before.
  private static let ownPause: Int64 = 1_000_000_000
  /// So many records of one length in a row, each of at least so many bytes, are parts of something larger.
  package static let parts: UInt64 = 8
  private static let part = 1_024
  /// And the server sent them faster than anything is played: bytes in a millisecond, 4 Mbit/s.
  private static let pace: Int64 = 500
  /// The plaintext of the frame with which HTTP/2 acknowledges settings, alone in its record.
  private static let settingsAcknowledged = 9
  /// Plaintext of one frame that a side may send again and again: an acknowledgement of settings, WINDOW_UPDATE, PING. And
  /// of an alert.
  private static let repeatable: Set<Int> = [2, settingsAcknowledged, 13, 17]
  /// Plaintext that may be several control frames, or settings.
  private static let controlSums: Set<Int> = {
    let frames = [13, 17] + Array(stride(from: settingsAcknowledged, through: TLSProfile.control, by: 6))
    var sums: Set<Int> = [0]
    for sum in 0...TLSProfile.control where sums.contains(sum) { sums.formUnion(frames.map { sum + $0 }) }
    return sums
  }()
  /// The server's settings, its first credit and what acknowledges the client's settings take no more records.
  private static let openingRecords = 2

  /// How often data of the server followed data of the client.
  package private(set) var answered: UInt64 = 0
  /// How often the client went on although nothing had followed.
  package private(set) var repeated: UInt64 = 0
  /// How often the server said something on its own.
  package private(set) var unasked: UInt64 = 0
  /// The client's last data, as long as nothing follows it.
  package private(set) var asked: TLSRecord?
  /// From the client's data to what followed.
  package private(set) var wait = Longest()
  /// Between two parts of something larger that the server sent, while the client said nothing at all.
  package private(set) var stall = Longest()
  /// The records of one length before the longest of those, and their length.
  package private(set) var transfer: (records: UInt64, length: Int) = (0, 0)
  /// Behind the client's data the server sent what is as small as control and is none by its length, or more of it than
  /// an opening of HTTP/2 has: a head without much in it, and a few bytes of a body.
  package private(set) var hasSmallAnswer = false
  /// Both sides speak HTTP/2, as far as lengths show it.
  package private(set) var hasAcknowledgedSettings = false

  private var hasAsked = false
  /// Records of the server, behind the client's data, that may be several control frames.
  private var sums = 0
  /// The server's data so far.
  private var heard: UInt64 = 0
  private var heardLast = PacketRef.none
  /// What may have been a ticket, and what had been asked before it.
  private var ticket: (length: Int, asked: TLSRecord?) = (0, nil)
  private var run = Run(records: 0)

  package init() {}

  package mutating func note(_ record: TLSRecord, isClients: Bool, plaintext size: Int, isTLS13: Bool) {
    if size == Self.settingsAcknowledged { hasAcknowledgedSettings = true }
    if isClients {
      run = Run(records: 0)
      if size > TLSProfile.control { ask(record) }
    } else {
      noteRun(record)
      if size > TLSProfile.control { hear(record, isTLS13: isTLS13) } else if asked != nil { hear(small: size) }
    }
  }

  private mutating func ask(_ record: TLSRecord) {
    if let asked, record.span.first.time.since(asked.released.time) > Self.ownPause { repeated &+= 1 }
    hasAsked = true
    asked = record
  }

  private mutating func hear(_ record: TLSRecord, isTLS13: Bool) {
    defer {
      heard &+= 1
      heardLast = record.released
    }
    if isTLS13, heard == 0 {
      ticket = (record.length, asked)
    } else if isTLS13, heard == 1, record.length == ticket.length, asked == nil {
      answered = 0
      wait = Longest()
      asked = ticket.asked
      return
    }
    if let asked {
      answered &+= 1
      wait.add(from: asked.released, to: record.span.first)
      self.asked = nil
    } else if hasAsked, record.span.first.time.since(heardLast.time) > Self.ownPause {
      unasked &+= 1
    }
  }

  private mutating func hear(small size: Int) {
    guard !Self.repeatable.contains(size) else { return }
    sums += 1
    if sums > Self.openingRecords || !Self.controlSums.contains(size) { hasSmallAnswer = true }
  }

  private mutating func noteRun(_ record: TLSRecord) {
    guard record.length == run.length, record.length >= Self.part else {
      run = Run(length: record.length, first: record.span.first, last: record.released)
      return
    }
    let pause = record.span.first.time.since(run.last.time)
    if run.records >= Self.parts, run.isFast(Self.pace), stall.add(from: run.last, to: record.span.first) {
      transfer = (run.records, run.length)
    }
    if pause > Self.ownPause { (run.first, run.passed) = (record.span.first, run.records) }
    run.records &+= 1
    run.last = record.released
  }

  /// Records of one length, one behind the other.
  private struct Run: Sendable {
    var records: UInt64 = 1
    var length = 0
    /// Since the last long pause, and the records before that.
    var first = PacketRef.none
    var passed: UInt64 = 0
    var last = PacketRef.none

    /// Sent at so many bytes a millisecond.
    func isFast(_ pace: Int64) -> Bool {
      Int64(clamping: records &- passed) &* Int64(length) >= last.time.since(first.time) / 1_000_000 &* pace
    }
  }

  /// The longest of many times, and how long the next one was.
  package struct Longest: Sendable {
    package private(set) var from = PacketRef.none
    package private(set) var to = PacketRef.none
    package private(set) var second: Int64 = 0

    package init() {}

    package var nanoseconds: Int64 { max(0, to.time.since(from.time)) }
    /// It is no part of a rhythm: no other one was half as long.
    package var isAlone: Bool { second < nanoseconds / 2 }

    /// Whether it is the longest so far.
    @discardableResult
    mutating func add(from: PacketRef, to: PacketRef) -> Bool {
      let time = max(0, to.time.since(from.time))
      guard time > nanoseconds else {
        second = max(second, time)
        return false
      }
      second = nanoseconds
      self.from = from
      self.to = to
      return true
    }
  }
}
