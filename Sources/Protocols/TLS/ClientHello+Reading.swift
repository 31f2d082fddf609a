import Citation
import TLSSemantics

extension ClientHello {
  /// nil where the fields before the extensions cannot be read.
  static func read(_ bytes: Span<UInt8>, _ flaws: inout Flaws) -> ClientHello? {
    var cursor = FieldCursor(bytes)
    guard let version = cursor.u16(), let random = cursor.take(32), let session = cursor.list(1),
      let suites = cursor.list(2), let compressions = cursor.list(1)
    else {
      flaws.note(.overrun)
      return nil
    }
    var hello = ClientHello(
      legacyVersion: TLSVersion(rawValue: version), random: bytes.copy(random), span: flaws.span)
    if session.count > 32 { flaws.note(.illegalLength, "session_id") }
    hello.sessionID = bytes.copy(session, atMost: 32)
    let allSuites = flaws.numbers(bytes, suites, "cipher_suites")
    hello.cipherSuites = allSuites.prefix(listLimit).map(CipherSuite.init)
    hello.cipherSuiteCount = allSuites.count
    if compressions.isEmpty { flaws.note(.illegalLength, "compression_methods") }
    hello.offersCompression = compressions.contains { bytes[$0] != 0 }

    var rest = 0..<0
    if !cursor.isAtEnd {
      if let list = cursor.list(2) {
        rest = list
        if !cursor.isAtEnd { flaws.note(.excess) }
      } else {
        // What there is of a list that says it is longer is read all the same.
        flaws.note(.overrun, "extensions")
        rest = cursor.rest.dropFirst(2)
      }
    }
    var schemes: [UInt16] = []
    let codes = flaws.extensions(bytes, rest) { code, body, flaws in
      if code == .signatureAlgorithms {
        if let list = flaws.onlyList(bytes, body, lengthSize: 2, code.name) {
          schemes = flaws.numbers(bytes, list, code.name)
        }
      } else {
        hello.read(code, bytes, body, &flaws)
      }
    }
    hello.signatureSchemes = schemes.prefix(listLimit).map(SignatureScheme.init)
    hello.extensions = codes.prefix(listLimit).map(TLSExtension.init)
    hello.extensionCount = codes.count
    hello.usesGREASE =
      hello.usesGREASE || allSuites.contains(where: \.isGREASE) || codes.contains(where: \.isGREASE)
    hello.ja4 = JA4.fingerprint(
      version: hello.version, hasServerName: hello.serverName != nil, cipherSuites: allSuites, extensions: codes,
      signatureSchemes: schemes, firstProtocol: hello.applicationProtocols.first ?? [])
    return hello
  }

  private mutating func read(_ code: TLSExtension, _ bytes: Span<UInt8>, _ body: Range<Int>, _ flaws: inout Flaws) {
    switch code {
    case .serverName: readServerName(bytes, body, &flaws)
    case .applicationProtocols: applicationProtocols = flaws.protocols(bytes, body, code.name)
    case .supportedVersions:
      guard let list = flaws.onlyList(bytes, body, lengthSize: 1, code.name) else { return }
      let versions = flaws.numbers(bytes, list, code.name)
      supportedVersions = versions.prefix(Self.listLimit).map(TLSVersion.init)
      usesGREASE = usesGREASE || versions.contains(where: \.isGREASE)
    case .supportedGroups:
      guard let list = flaws.onlyList(bytes, body, lengthSize: 2, code.name) else { return }
      let all = flaws.numbers(bytes, list, code.name)
      groups = all.prefix(Self.listLimit).map(NamedGroup.init)
      usesGREASE = usesGREASE || all.contains(where: \.isGREASE)
    case .keyShare: readKeyShares(bytes, body, &flaws)
    case .preSharedKey: readPreSharedKeys(bytes, body, &flaws)
    case .sessionTicket: sessionTicket = body.isEmpty ? .empty : .offered(TLSTicket(bytes.extracting(body)))
    case .earlyData: offersEarlyData = true
    case .extendedMasterSecret: offersExtendedMasterSecret = true
    case .encryptThenMAC: offersEncryptThenMAC = true
    case .encryptedClientHello: offersEncryptedHello = true
    case .renegotiationInfo: offersRenegotiationInfo = true
    case .cookie: hasCookie = true
    default: break
    }
  }

  /// RFC 6066 §3: one name of a type at most, and the only type is a host's name.
  private mutating func readServerName(_ bytes: Span<UInt8>, _ body: Range<Int>, _ flaws: inout Flaws) {
    let field = TLSExtension.serverName.name
    // The extension counts, whatever is in it.
    serverName = []
    guard let list = flaws.onlyList(bytes, body, lengthSize: 2, field) else { return }
    if list.isEmpty { flaws.note(.illegalLength, field) }
    var cursor = FieldCursor(bytes, in: list)
    var hasName = false
    while !cursor.isAtEnd {
      guard let type = cursor.u8(), let name = cursor.list(2) else { return flaws.note(.overrun, field) }
      guard type == 0 else {
        flaws.note(.illegalValue, field)
        continue
      }
      guard !hasName else {
        flaws.note(.duplicate, field)
        continue
      }
      hasName = true
      if name.isEmpty || name.count > Self.nameLimit { flaws.note(.illegalLength, field) }
      serverName = bytes.copy(name, atMost: Self.nameLimit)
    }
  }

  private mutating func readKeyShares(_ bytes: Span<UInt8>, _ body: Range<Int>, _ flaws: inout Flaws) {
    let field = TLSExtension.keyShare.name
    guard let list = flaws.onlyList(bytes, body, lengthSize: 2, field) else { return }
    var cursor = FieldCursor(bytes, in: list)
    while !cursor.isAtEnd {
      guard let group = cursor.u16(), let key = cursor.list(2) else { return flaws.note(.overrun, field) }
      if key.isEmpty { flaws.note(.illegalLength, field) }
      usesGREASE = usesGREASE || group.isGREASE
      if keyShares.count < Self.listLimit { keyShares.append(NamedGroup(rawValue: group)) }
    }
  }

  /// RFC 8446 §4.2.11: identities with the age of each, and as many binders.
  private mutating func readPreSharedKeys(_ bytes: Span<UInt8>, _ body: Range<Int>, _ flaws: inout Flaws) {
    let field = TLSExtension.preSharedKey.name
    var cursor = FieldCursor(bytes, in: body)
    guard let identities = cursor.list(2), cursor.list(2) != nil else { return flaws.note(.overrun, field) }
    if !cursor.isAtEnd { flaws.note(.excess, field) }
    if identities.isEmpty { flaws.note(.illegalLength, field) }
    var items = FieldCursor(bytes, in: identities)
    while !items.isAtEnd {
      guard let identity = items.list(2), items.u32() != nil else { return flaws.note(.overrun, field) }
      if preSharedKeyCount == 0 { firstIdentity = TLSTicket(bytes.extracting(identity)) }
      preSharedKeyCount += 1
    }
  }

  /// The form of SSL 2.0 (RFC 5246 §E.2): suites of three bytes, those of TLS with a zero before them.
  static func readSSLv2(_ bytes: Span<UInt8>, _ flaws: inout Flaws) -> ClientHello? {
    var cursor = FieldCursor(bytes)
    guard cursor.u8() == 1, let version = cursor.u16(), let suiteLength = cursor.u16(),
      let sessionLength = cursor.u16(), let challengeLength = cursor.u16(),
      let suites = cursor.take(Int(suiteLength)), let session = cursor.take(Int(sessionLength)),
      let challenge = cursor.take(Int(challengeLength))
    else {
      flaws.note(.overrun)
      return nil
    }
    if !cursor.isAtEnd { flaws.note(.excess) }
    if suites.isEmpty || suites.count % 3 != 0 { flaws.note(.illegalLength, "cipher_specs") }
    if session.count > 32 { flaws.note(.illegalLength, "session_id") }
    if !(16...32).contains(challenge.count) { flaws.note(.illegalLength, "challenge") }
    let kept = bytes.copy(challenge, atMost: 32)
    var hello = ClientHello(
      legacyVersion: TLSVersion(rawValue: version),
      random: [UInt8](repeating: 0, count: 32 - kept.count) + kept, span: flaws.span)
    hello.isSSLv2 = true
    hello.sessionID = bytes.copy(session, atMost: 32)
    var specs = FieldCursor(bytes, in: suites)
    while let kind = specs.u8(), let code = specs.u16() {
      hello.cipherSuiteCount += 1
      if kind == 0, hello.cipherSuites.count < listLimit { hello.cipherSuites.append(CipherSuite(rawValue: code)) }
    }
    return hello
  }
}
