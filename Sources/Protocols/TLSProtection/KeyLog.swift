/// The secrets of a key log: the text that browsers and libraries write where SSLKEYLOGFILE says, and that a pcapng file
/// can carry in blocks of its own.
///
/// A line is a label, the client's random and a secret, both in hexadecimal. Nothing is an error: what is no such line is
/// counted, because a log is often copied while it is written, or edited. More text may be added at any time. Texts are
/// added whole: a line that the text ends in the middle of is malformed, or short.
package struct KeyLog: Sendable {
  /// The longest line of any label has 190 bytes.
  package static let lineLimit = 1 << 10
  /// More than a log of 64 MiB can hold; some 60 MiB of memory.
  package static let secretLimit = 1 << 19
  /// Malformed lines whose numbers are kept, of each text.
  package static let notedLines = 8

  /// What a text brought.
  package struct Addition: Hashable, Sendable {
    package var secrets = 0
    /// Secrets that were known.
    package var repeated = 0
    /// Secrets other than the one known for the same connection and label. The later one counts.
    package var contradictions = 0
    /// Secrets that nothing here is opened with, as those of exporters, and labels nobody knows.
    package var ignored = 0
    /// Lines that would be of use to who can make a master secret from what went before it: RSA, PMS_CLIENT_RANDOM.
    package var unsupported = 0
    package var malformed = 0
    /// The first of them, counted from one.
    package var malformedLines: [Int] = []
    /// Secrets for which there was no room.
    package var dropped = 0

    package init() {}
  }

  private var connections: [HelloRandom: ConnectionKeys] = [:]
  /// Secrets held.
  package private(set) var secretCount = 0

  package init() {}

  package var connectionCount: Int { connections.count }
  package var isEmpty: Bool { connections.isEmpty }

  package func keys(of clientRandom: HelloRandom) -> ConnectionKeys? { connections[clientRandom] }

  @discardableResult
  package mutating func add(_ text: Span<UInt8>) -> Addition {
    var addition = Addition()
    var number = 0
    // A byte order mark is what an editor leaves.
    var start = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != 0x0A { end += 1 }
      number += 1
      switch KeyLogLine(text, start..<end) {
      case .blank: break
      case .ignored: addition.ignored += 1
      case .unsupported: addition.unsupported += 1
      case .secret(let label, let random, let secret): hold(label, random, secret, &addition)
      case .malformed:
        addition.malformed += 1
        if addition.malformedLines.count < KeyLog.notedLines { addition.malformedLines.append(number) }
      }
      start = end + 1
    }
    return addition
  }

  private mutating func hold(
    _ label: KeyLabel, _ random: HelloRandom, _ secret: SecretBytes, _ addition: inout Addition
  ) {
    if let known = connections[random]?[label] {
      guard !known.equals(secret) else {
        addition.repeated += 1
        return
      }
      addition.contradictions += 1
    } else {
      guard secretCount < KeyLog.secretLimit else {
        addition.dropped += 1
        return
      }
      secretCount += 1
      addition.secrets += 1
    }
    connections[random, default: ConnectionKeys()].set(label, secret)
  }
}
