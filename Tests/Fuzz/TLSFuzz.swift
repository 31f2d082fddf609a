import Citation
// Fuzzes the parsers of records and handshake messages and the probe: they must not trap; what they say must not depend
// on the cut, and they must keep no more than they may.
//
// The first byte says how long the segments are, whether application data is kept, and of what version messages are; the
// rest is the stream. With the high bit set a byte of 0xFE stands for a hole of three bytes.
//
// with: ../TLSTests/Feeding.swift
import Support
import TLS
import TLSSemantics

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTLS(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let hole: UInt8? = control & 0x80 == 0 ? nil : 0xFE
  let segment = Int(control & 15) + 1

  var whole = ReleasingParser(keepsApplicationData: control & 0x40 != 0)
  let told = whole.tokens(of: bytes, every: bytes.count, hole: hole)
  var cut = ReleasingParser(keepsApplicationData: control & 0x40 != 0)
  precondition(told == cut.tokens(of: bytes, every: segment, hole: hole), "the records depend on the cut")
  precondition(cut.mostHeld <= TLSRecord.lengthLimit)
  check(told, bytes)
  var anywhere = RecordParser(startsAnywhere: true)
  var piecewise = anywhere
  let found = anywhere.tokens(of: bytes, every: bytes.count, hole: hole)
  precondition(found == piecewise.tokens(of: bytes, every: segment, hole: hole), "the search depends on the cut")

  var handshakes = HandshakeFeeding()
  handshakes.handshakes.version = control & 0x20 != 0 ? .tls13 : control & 0x10 != 0 ? .tls12 : nil
  var again = handshakes
  let messages = handshakes.tokens(of: bytes, every: bytes.count, hole: hole)
  precondition(messages == again.tokens(of: bytes, every: segment, hole: hole), "the messages depend on the cut")
  precondition(!handshakes.handshakes.isInside)
  check(messages)

  // The contents of a record alone, as they come from whoever decrypts.
  var alone = HandshakeParser()
  var read: [HandshakeToken] = []
  let place = PacketRef.numbered(1)
  var record = TLSRecord(
    index: 0, type: .handshake, version: .tls12, length: bytes.count + 17,
    span: ByteSpan(0..<UInt64(bytes.count + 22), first: place, last: place), headerReleased: place, released: place)
  record.received = record.length
  record.isSSLv2 = control & 0x08 != 0
  alone.consume(bytes.span, of: record, into: &read)
  alone.finish(into: &read)
  check(read)

  let half = TLSProbe.look(at: bytes.span.extracting(0..<bytes.count / 2))
  precondition(half == .unsure || half == TLSProbe.look(at: bytes.span), "more bytes took a verdict back")
  _ = TLSAlert(bytes.span)
  for version in [TLSVersion.tls10, .tls12, .tls13] {
    let suite = CipherSuite(rawValue: UInt16(control) << 8 | UInt16(bytes[0]))
    if let plain = suite.plaintext(ofBody: bytes.count, in: version) { precondition(plain.upperBound <= bytes.count) }
  }
  return 0
}

/// Records follow one another, each has one start and one end, and what is kept is what came.
private func check(_ told: [Told], _ bytes: [UInt8]) {
  var next: UInt64 = 0
  var open: TLSRecord?
  var offset: UInt64 = 0
  var kept = 0
  for one in told {
    guard case .token(let token) = one else {
      guard case .contents(let contents) = one else { continue }
      precondition(contents.count == kept)
      continue
    }
    switch token {
    case .recordStart(let record):
      precondition(open == nil && record.index == next && record.span.range.lowerBound >= offset)
      precondition(record.length <= TLSRecord.lengthLimit)
      open = record
    case .recordEnd(let record, let contents):
      precondition(record.index == next && record.span.range.lowerBound >= offset)
      precondition((open != nil) == (record.headerReleased != nil))
      precondition(record.missing >= 0 && record.received >= 0 && record.lost >= 0)
      precondition(contents.isEmpty || record.isComplete && contents.count == record.length)
      kept = contents.count
      offset = record.span.range.upperBound
      next += 1
      open = nil
    case .opaque(let start):
      precondition(open == nil && start.excerpt.bytes.count <= OpaqueStart.excerptLimit)
    case .lost: break
    case .resumed: precondition(open == nil)
    }
  }
  precondition(open == nil)
}

private func check(_ tokens: [HandshakeToken]) {
  for case .message(let message) in tokens {
    precondition(message.length <= HandshakeFlaw.lengthLimit || message.body == .other)
    switch message.body {
    case .clientHello(let hello):
      precondition(hello.random.count == 32 && hello.sessionID.count <= 32)
      precondition(hello.cipherSuites.count <= ClientHello.listLimit && hello.extensions.count <= ClientHello.listLimit)
      precondition(hello.keyShares.count <= ClientHello.listLimit && hello.groups.count <= ClientHello.listLimit)
      precondition((hello.serverName ?? []).count <= ClientHello.nameLimit)
      precondition(hello.ja4?.utf8.count ?? 36 == 36)
    case .serverHello(let hello): precondition(hello.random.count == 32)
    case .certificate(let list):
      precondition(list.certificates.reduce(0) { $0 + $1.count } <= CertificateList.byteLimit)
    default: break
    }
  }
}
