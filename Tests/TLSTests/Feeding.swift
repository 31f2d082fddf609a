import Citation
import Support
import TLS
import TLSSemantics

/// What a record parser tells, with the kept contents taken out of the arena after each chunk.
enum Told: Hashable {
  case token(RecordToken)
  case contents([UInt8])
}

/// A record parser whose contents are read and released after every chunk, as a dialogue does it.
struct ReleasingParser: IncrementalParser {
  var parser = RecordParser()
  /// The most that was kept behind a release.
  var mostHeld = 0

  init(keepsApplicationData: Bool = true) { parser.keepsApplicationData = keepsApplicationData }

  mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [Told]) {
    var told: [RecordToken] = []
    parser.consume(chunk, into: &told)
    take(told, into: &tokens)
  }

  mutating func skip(gap range: Range<UInt64>, into tokens: inout [Told]) {
    var told: [RecordToken] = []
    parser.skip(gap: range, into: &told)
    take(told, into: &tokens)
  }

  mutating func finish(_ end: DirectionEnd, into tokens: inout [Told]) {
    var told: [RecordToken] = []
    parser.finish(end, into: &told)
    take(told, into: &tokens)
  }

  private mutating func take(_ told: [RecordToken], into tokens: inout [Told]) {
    for token in told {
      guard case .recordEnd(let record, let range) = token else {
        tokens.append(.token(token))
        continue
      }
      tokens.append(.token(.recordEnd(record, contents: 0..<range.count)))
      if !range.isEmpty { tokens.append(.contents(Array(parser.contents[range]))) }
    }
    parser.releaseContents()
    mostHeld = max(mostHeld, parser.contents.count)
  }
}

/// A record parser and a handshake parser that reads what it finds, as if nothing were ever encrypted.
struct HandshakeFeeding: IncrementalParser {
  var records = RecordParser()
  var handshakes = HandshakeParser()

  mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [HandshakeToken]) {
    var told: [RecordToken] = []
    records.consume(chunk, into: &told)
    take(told, into: &tokens)
  }

  mutating func skip(gap range: Range<UInt64>, into tokens: inout [HandshakeToken]) {
    var told: [RecordToken] = []
    records.skip(gap: range, into: &told)
    take(told, into: &tokens)
  }

  mutating func finish(_ end: DirectionEnd, into tokens: inout [HandshakeToken]) {
    var told: [RecordToken] = []
    records.finish(end, into: &told)
    take(told, into: &tokens)
    handshakes.finish(into: &tokens)
  }

  private mutating func take(_ told: [RecordToken], into tokens: inout [HandshakeToken]) {
    do {
      // A second reference for as long as it is read: nothing is copied.
      let contents = records.contents
      for case .recordEnd(let record, let range) in told where record.type == .handshake {
        handshakes.consume(contents.span.extracting(range), of: record, into: &tokens)
      }
    }
    records.releaseContents()
  }
}

extension RecordToken {
  /// `start handshake 5`, `end handshake 5`, `end alert 1/2`, `lost 7-9`, `opaque notTLS 0-5 "GET /"`, `resumed 40`
  var words: String {
    switch self {
    case .recordStart(let record): return "start \(record.words) \(record.length)"
    case .recordEnd(let record, let range):
      guard record.headerReleased != nil else { return "end \(record.words) header \(record.span.count)" }
      var words = "end \(record.words) " + (record.isComplete ? "" : "\(record.received)/") + "\(record.length)"
      if record.lost > 0 { words += " lost \(record.lost)" }
      if !range.isEmpty { words += " kept" }
      return words
    case .lost(let range, _): return "lost \(range.lowerBound)-\(range.upperBound)"
    case .opaque(let start):
      let text = String(decoding: start.excerpt.bytes.map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }, as: UTF8.self)
      return "opaque \(start.cause) \(start.span.range.lowerBound)-\(start.span.range.upperBound) \"\(text)\""
    case .resumed(let place, _): return "resumed \(place)"
    }
  }
}

extension TLSRecord {
  fileprivate var words: String {
    var words = [type.name]
    if isSSLv2 { words.append("v2") }
    if version != .tls12, !isSSLv2 { words.append(version.name) }
    let all: [(Oddities, String)] = [
      (.unknownVersion, "unknown"), (.versionChanged, "changed"), (.empty, "empty"), (.longChangeCipherSpec, "long"),
    ]
    words += all.filter { oddities.contains($0.0) }.map(\.1)
    return words.joined(separator: " ")
  }
}

extension HandshakeToken {
  /// `ClientHello 60 [0-64]`, `flaw overrun ClientHello server_name`
  var words: String {
    switch self {
    case .message(let message):
      let range = message.span.range
      return "\(message.type.name) \(message.length) [\(range.lowerBound)-\(range.upperBound)]"
    case .flaw(let flaw):
      return "flaw \(flaw.kind) \(flaw.type?.name ?? "?")" + (flaw.field.isEmpty ? "" : " " + flaw.field)
    }
  }

  var message: HandshakeMessage? { if case .message(let message) = self { message } else { nil } }
}

extension [HandshakeToken] {
  var clientHellos: [ClientHello] {
    compactMap { if case .clientHello(let hello)? = $0.message?.body { hello } else { nil } }
  }
  var serverHellos: [ServerHello] {
    compactMap { if case .serverHello(let hello)? = $0.message?.body { hello } else { nil } }
  }
  var certificates: [CertificateList] {
    compactMap { if case .certificate(let list)? = $0.message?.body { list } else { nil } }
  }
  var tickets: [NewSessionTicket] {
    compactMap { if case .newSessionTicket(let ticket)? = $0.message?.body { ticket } else { nil } }
  }
}
