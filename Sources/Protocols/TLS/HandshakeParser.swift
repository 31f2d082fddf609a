import Citation
import TLSSemantics

/// Joins handshake messages over records (RFC 8446 §5.1, RFC 5246 §6.2.1) and reads those that tell something.
///
/// A message that is whole in its record is read where it lies; of others the bytes are held until it is. Behind a
/// record that is not whole, reading goes on with the first one that begins with a whole message of a type that is known.
///
/// Memory: one message, up to `HandshakeFlaw.lengthLimit`; a longer one is counted down and passed over.
///
/// Contents must be clear. After change_cipher_spec before TLS 1.3 they are not, and whatever is handed in is read as if.
package struct HandshakeParser: Sendable {
  private static let headerSize = 4

  /// What was agreed, as far as it is known: some messages have another shape in TLS 1.3. The side that sends a
  /// ServerHello sets it by itself.
  package var version: TLSVersion?
  private var held: [UInt8] = []
  /// Where the open message begins, and what is known of it so far.
  private var start: UInt64 = 0
  private var first = PacketRef.none
  private var end: UInt64 = 0
  private var last = PacketRef.none
  /// Of a message that is too long: bytes that are still to be passed over.
  private var passing: (type: HandshakeType, length: Int, remaining: Int)?
  private var isLost = false
  /// Messages of several fields so far.
  private var readCount = 0

  package init() {}

  package var heldBytes: Int { held.count }

  /// A message is open: no other record may stand between its parts.
  package var isInside: Bool { !held.isEmpty || passing != nil }

  /// Takes the contents of one record, as they came or decrypted.
  package mutating func consume(
    _ contents: Span<UInt8>, of record: TLSRecord, into tokens: inout [HandshakeToken]
  ) {
    guard record.isComplete else { return lose(record, into: &tokens) }
    if record.isSSLv2 {
      let span = ByteSpan(record.span.range, first: record.span.first, last: record.span.last)
      return tell(.clientHello, contents, span, record, isSSLv2: true, into: &tokens)
    }
    if isLost {
      guard beginsWell(contents) else { return }
      isLost = false
    }
    var position = 0
    while position < contents.count {
      if passing != nil {
        pass(contents, &position, record, into: &tokens)
      } else if held.isEmpty {
        takeFirst(contents, &position, record, into: &tokens)
      } else {
        takeMore(contents, &position, record, into: &tokens)
      }
    }
  }

  /// Records may be missing here, of which no `record` tells: as if one were not whole.
  package mutating func skip(into tokens: inout [HandshakeToken]) {
    if isInside { breakOff(into: &tokens) }
    isLost = true
  }

  /// No more comes.
  package mutating func finish(into tokens: inout [HandshakeToken]) { skip(into: &tokens) }

  // MARK: Messages over records

  private mutating func takeFirst(
    _ contents: Span<UInt8>, _ position: inout Int, _ record: TLSRecord, into tokens: inout [HandshakeToken]
  ) {
    start = place(of: position, in: contents, record).lowerBound
    first = record.span.first
    let there = contents.count - position
    if there >= Self.headerSize {
      let type = HandshakeType(rawValue: contents[position])
      let length = Self.length(contents, at: position)
      if length <= HandshakeFlaw.lengthLimit, length <= there - Self.headerSize {
        let body = position + Self.headerSize..<position + Self.headerSize + length
        position = body.upperBound
        note(position, contents, record)
        return tell(type, contents.extracting(body), span, record, into: &tokens)
      }
    }
    takeMore(contents, &position, record, into: &tokens)
  }

  private mutating func takeMore(
    _ contents: Span<UInt8>, _ position: inout Int, _ record: TLSRecord, into tokens: inout [HandshakeToken]
  ) {
    hold(Self.headerSize - held.count, contents, &position)
    note(position, contents, record)
    guard held.count >= Self.headerSize else { return }
    let type = HandshakeType(rawValue: held[0])
    let length = Self.length(held.span, at: 0)
    guard length <= HandshakeFlaw.lengthLimit else {
      tokens.append(.flaw(HandshakeFlaw(.tooLong, type, span)))
      passing = (type, length, length)
      held.removeAll(keepingCapacity: true)
      return
    }
    hold(Self.headerSize + length - held.count, contents, &position)
    note(position, contents, record)
    guard held.count == Self.headerSize + length else { return }
    let whole = held
    held.removeAll(keepingCapacity: whole.count <= 1 << 14)
    tell(type, whole.span.extracting(Self.headerSize..<whole.count), span, record, into: &tokens)
  }

  private mutating func hold(_ count: Int, _ contents: Span<UInt8>, _ position: inout Int) {
    let taken = min(count, contents.count - position)
    guard taken > 0 else { return }
    contents.extracting(position..<position + taken).withUnsafeBufferPointer { held.append(contentsOf: $0) }
    position += taken
  }

  private mutating func pass(
    _ contents: Span<UInt8>, _ position: inout Int, _ record: TLSRecord, into tokens: inout [HandshakeToken]
  ) {
    guard var open = passing else { return }
    let taken = min(open.remaining, contents.count - position)
    open.remaining -= taken
    position += taken
    note(position, contents, record)
    passing = open.remaining > 0 ? open : nil
    guard passing == nil else { return }
    tokens.append(
      .message(
        HandshakeMessage(type: open.type, length: open.length, span: span, released: record.released, body: .other)))
  }

  /// A record that is not whole: what it holds of messages is unknown.
  private mutating func lose(_ record: TLSRecord, into tokens: inout [HandshakeToken]) {
    if isInside {
      breakOff(into: &tokens)
    } else if !isLost {
      tokens.append(.flaw(HandshakeFlaw(.incomplete, nil, record.span)))
    }
    isLost = true
  }

  private mutating func breakOff(into tokens: inout [HandshakeToken]) {
    let type = passing?.type ?? held.first.map { HandshakeType(rawValue: $0) }
    tokens.append(.flaw(HandshakeFlaw(.incomplete, type, span)))
    passing = nil
    held = []
  }

  private func beginsWell(_ contents: Span<UInt8>) -> Bool {
    guard contents.count >= Self.headerSize, HandshakeType(rawValue: contents[0]).isKnown else { return false }
    return Self.length(contents, at: 0) <= contents.count - Self.headerSize
  }

  // MARK: Places

  private var span: ByteSpan { ByteSpan(start..<max(start, end), first: first, last: last) }

  private mutating func note(_ position: Int, _ contents: Span<UInt8>, _ record: TLSRecord) {
    end = place(of: position, in: contents, record).upperBound
    last = record.span.last
  }

  /// Of a place in the contents: from it to it where they are the record's own bytes, else the whole record.
  private func place(of position: Int, in contents: Span<UInt8>, _ record: TLSRecord) -> Range<UInt64> {
    guard contents.count == record.length else { return record.span.range }
    let offset = record.span.range.lowerBound &+ UInt64(record.headerLength + position)
    return offset..<offset
  }

  private static func length(_ bytes: Span<UInt8>, at position: Int) -> Int {
    Int(bytes[position + 1]) << 16 | Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
  }

  // MARK: What a message says

  private mutating func tell(
    _ type: HandshakeType, _ bytes: Span<UInt8>, _ span: ByteSpan, _ record: TLSRecord, isSSLv2: Bool = false,
    into tokens: inout [HandshakeToken]
  ) {
    var flaws = Flaws(type, span)
    let body = isSSLv2 ? ClientHello.readSSLv2(bytes, &flaws).map { .clientHello($0) } : read(type, bytes, &flaws)
    for flaw in flaws.found { tokens.append(.flaw(flaw)) }
    tokens.append(
      .message(
        HandshakeMessage(
          type: type, length: bytes.count, span: span, released: record.released, body: body ?? .other)))
  }

  private mutating func read(
    _ type: HandshakeType, _ bytes: Span<UInt8>, _ flaws: inout Flaws
  ) -> HandshakeMessage.Body? {
    switch type {
    case .clientHello, .serverHello, .encryptedExtensions, .certificate, .certificateRequest, .newSessionTicket:
      readCount += 1
      if readCount <= HandshakeFlaw.countLimit { return readFields(type, bytes, &flaws) }
      if readCount == HandshakeFlaw.countLimit + 1 { flaws.note(.tooMany) }
    case .keyUpdate:
      guard bytes.count == 1 else {
        flaws.note(.illegalLength)
        return nil
      }
      guard bytes[0] <= 1 else {
        flaws.note(.illegalValue, "request_update")
        return nil
      }
      return .keyUpdate(isRequested: bytes[0] == 1)
    case .serverHelloDone, .helloRequest, .endOfEarlyData:
      if bytes.count > 0 { flaws.note(.excess) }
    default: break
    }
    return nil
  }

  private mutating func readFields(
    _ type: HandshakeType, _ bytes: Span<UInt8>, _ flaws: inout Flaws
  ) -> HandshakeMessage.Body? {
    switch type {
    case .clientHello: return ClientHello.read(bytes, &flaws).map { .clientHello($0) }
    case .serverHello:
      guard let hello = ServerHello.read(bytes, &flaws) else { return nil }
      version = hello.version
      return .serverHello(hello)
    case .encryptedExtensions: return EncryptedExtensions.read(bytes, &flaws).map { .encryptedExtensions($0) }
    case .certificate: return CertificateList.read(bytes, in: version, &flaws).map { .certificate($0) }
    case .certificateRequest:
      return CertificateRequest.read(bytes, in: version, &flaws).map { .certificateRequest($0) }
    default: return NewSessionTicket.read(bytes, in: version, &flaws).map { .newSessionTicket($0) }
    }
  }
}
