import Citation
import TLSSemantics

extension ServerHello {
  /// nil where the fields before the extensions cannot be read.
  static func read(_ bytes: Span<UInt8>, _ flaws: inout Flaws) -> ServerHello? {
    var cursor = FieldCursor(bytes)
    guard let version = cursor.u16(), let random = cursor.take(32) else {
      flaws.note(.overrun)
      return nil
    }
    // Drafts of TLS 1.3 before the 22nd said their version here and left out what no longer meant anything.
    let isDraft = version >> 8 == 0x7F
    let rest = cursor.place..<cursor.place
    guard let session = isDraft ? rest : cursor.list(1), let suite = cursor.u16(),
      let compression = isDraft ? 0 : cursor.u8()
    else {
      flaws.note(.overrun)
      return nil
    }
    var hello = ServerHello(
      legacyVersion: TLSVersion(rawValue: version), random: bytes.copy(random),
      cipherSuite: CipherSuite(rawValue: suite), span: flaws.span)
    if session.count > 32 { flaws.note(.illegalLength, "session_id") }
    hello.sessionID = bytes.copy(session, atMost: 32)
    hello.compression = UInt8(compression)
    guard !cursor.isAtEnd else { return hello }
    guard let list = cursor.list(2) else {
      flaws.note(.overrun, "extensions")
      return hello
    }
    if !cursor.isAtEnd { flaws.note(.excess) }
    let codes = flaws.extensions(bytes, list) { hello.read($0, bytes, $1, &$2) }
    hello.extensions = codes.prefix(ClientHello.listLimit).map(TLSExtension.init)
    hello.extensionCount = codes.count
    return hello
  }

  private mutating func read(_ code: TLSExtension, _ bytes: Span<UInt8>, _ body: Range<Int>, _ flaws: inout Flaws) {
    var cursor = FieldCursor(bytes, in: body)
    switch code {
    case .supportedVersions:
      guard let version = cursor.u16() else { return flaws.note(.overrun, code.name) }
      selectedVersion = TLSVersion(rawValue: version)
    case .keyShare:
      guard let group = cursor.u16() else { return flaws.note(.overrun, code.name) }
      keyShare = NamedGroup(rawValue: group)
      // A HelloRetryRequest names the group alone.
      guard !isHelloRetryRequest else { break }
      guard cursor.list(2) != nil else { return flaws.note(.overrun, code.name) }
    case .preSharedKey:
      guard let place = cursor.u16() else { return flaws.note(.overrun, code.name) }
      acceptedPreSharedKey = place
    case .applicationProtocols:
      let names = flaws.protocols(bytes, body, code.name)
      if names.count > 1 { flaws.note(.excess, code.name) }
      applicationProtocol = names.first
      return
    case .extendedMasterSecret: hasExtendedMasterSecret = true
    case .encryptThenMAC: hasEncryptThenMAC = true
    case .sessionTicket: promisesTicket = true
    case .cookie:
      hasCookie = true
      return
    default: return
    }
    if !cursor.isAtEnd { flaws.note(.excess, code.name) }
  }
}

extension EncryptedExtensions {
  static func read(_ bytes: Span<UInt8>, _ flaws: inout Flaws) -> EncryptedExtensions? {
    guard let list = flaws.onlyList(bytes, 0..<bytes.count, lengthSize: 2, "extensions") else { return nil }
    var said = EncryptedExtensions()
    let codes = flaws.extensions(bytes, list) { code, body, flaws in
      switch code {
      case .applicationProtocols:
        let names = flaws.protocols(bytes, body, code.name)
        if names.count > 1 { flaws.note(.excess, code.name) }
        said.applicationProtocol = names.first
      case .earlyData: said.acceptsEarlyData = true
      case .serverName: said.acknowledgesName = true
      default: break
      }
    }
    said.extensions = codes.prefix(ClientHello.listLimit).map(TLSExtension.init)
    return said
  }
}
