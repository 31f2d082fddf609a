import Citation
import Events
import TLSSemantics

/// What two captures of a connection do not have in common beside what was said on it: TLS, and how it ended.
struct ConnectionDifferences {
  private(set) var found: [Difference] = []
  private let a: ConnectionRecord
  private let b: ConnectionRecord

  /// `comparesBytes` where nothing inside of it could be read.
  init(_ a: ConnectionRecord, _ b: ConnectionRecord, comparesBytes: Bool) {
    self.a = a
    self.b = b
    compareTLS()
    if comparesBytes {
      for direction in Direction.allCases { compareBytes(direction) }
    }
    compareEnds()
  }

  private mutating func add(
    _ part: Difference.Part, _ kind: Difference.Kind, name: String = "", _ a: String?, _ b: String?,
    _ packets: BothSides<PacketRef?>
  ) {
    guard a != b else { return }
    found.append(Difference(part, kind, name: name, a: a, b: b, packets: packets))
  }

  private mutating func compareTLS() {
    let first = BothSides<PacketRef?>(a: a.firstPacket, b: b.firstPacket)
    guard let one = a.tls, let other = b.tls else {
      if a.isSecure != b.isSecure {
        add(.tls, .tls, a.isSecure ? "TLS" : "unencrypted", b.isSecure ? "TLS" : "unencrypted", first)
      }
      return
    }
    add(.tls, .tls, name: "version", one.version?.name, other.version?.name, first)
    add(.tls, .tls, name: "cipher suite", one.cipherSuite?.name, other.cipherSuite?.name, first)
    add(.tls, .tls, name: "server name", one.serverName, other.serverName, first)
    add(.tls, .tls, name: "ALPN", one.applicationProtocol, other.applicationProtocol, first)
    let words = { (resumed: Bool?) in resumed.map { $0 ? "resumed" : "full" } }
    add(.tls, .tls, name: "handshake", words(one.isResumed), words(other.isResumed), first)
  }

  private mutating func compareBytes(_ direction: Direction) {
    let one = a.sides[direction]
    let other = b.sides[direction]
    let last = BothSides<PacketRef?>(a: a.lastPacket, b: b.lastPacket)
    guard one.missingBytes == 0, other.missingBytes == 0, one.sha256 != other.sha256 || one.bytes != other.bytes else {
      return
    }
    found.append(
      Difference(
        .connection, .content, name: Wording.sender(direction), a: Wording.bytes(one.bytes),
        b: Wording.bytes(other.bytes), packets: last))
  }

  private mutating func compareEnds() {
    add(
      .connection, .end, a.end.words, b.end.words,
      BothSides(a: a.end.packet ?? a.lastPacket, b: b.end.packet ?? b.lastPacket))
  }
}

extension ConnectionEnd {
  /// `reset by the server`
  var words: String {
    let who =
      switch by {
      case .client: " by the client"
      case .server: " by the server"
      case .both: " by both"
      case .none: ""
      }
    switch kind {
    case .fin: return "closed" + who
    case .reset: return "reset" + who
    case .open, .evicted: return ConnectionEnd.stillOpen
    }
  }
}
