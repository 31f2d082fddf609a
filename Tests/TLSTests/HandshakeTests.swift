import Citation
import Support
import TLS
import TLSSemantics
import Testing

@Suite("Handshake messages of one direction")
struct HandshakeTests {
  private func tokens(_ bytes: [UInt8], cutAt cuts: [Int] = [], version: TLSVersion? = nil) -> [HandshakeToken] {
    var feeding = HandshakeFeeding()
    feeding.handshakes.version = version
    return feeding.tokens(of: bytes, cutAt: cuts)
  }

  @Test("A ClientHello says all that it offers.")
  func clientHello() throws {
    let ticket = [UInt8](repeating: 9, count: 100)
    let bytes = Wire.message(
      1,
      Wire.clientHello(
        session: Array(1...32), suites: [0x2A2A, 0x1301, 0xC02F, 0x00FF],
        extensions: [
          Wire.ext(0x3A3A, []), Wire.serverName("stream.example"), Wire.protocols("h2", "http/1.1"),
          Wire.versions([0x0A0A, 0x0304, 0x0303]), Wire.groups([0x4A4A, 29, 23]), Wire.schemes([0x0403, 0x0804]),
          Wire.keyShares([0x4A4A, 29]), Wire.ext(35, ticket), Wire.ext(42, []), Wire.ext(23, []), Wire.ext(22, []),
          Wire.ext(44, [0, 1, 7]), Wire.ext(0xFE0D, [0]), Wire.ext(0xFF01, [0]), Wire.preSharedKeys([ticket, [1]]),
        ]))
    let told = tokens(bytes)
    #expect(told.map(\.words) == ["ClientHello \(bytes.count - 9) [5-\(bytes.count)]"])
    let hello = try #require(told.clientHellos.first)
    #expect(hello.legacyVersion == .tls12 && hello.version == .tls13)
    #expect(hello.random == Wire.random && hello.sessionID == Array(1...32))
    #expect(hello.cipherSuites.map(\.rawValue) == [0x2A2A, 0x1301, 0xC02F, 0x00FF] && hello.cipherSuiteCount == 4)
    #expect(hello.serverName?.nameText == "stream.example")
    #expect(hello.applicationProtocols.map(\.nameText) == ["h2", "http/1.1"])
    #expect(hello.groups.map(\.name) == ["GREASE", "x25519", "secp256r1"])
    #expect(hello.signatureSchemes.map(\.name) == ["ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256"])
    #expect(hello.keyShares.map(\.name) == ["GREASE", "x25519"])
    #expect(hello.sessionTicket == .offered(TLSTicket(ticket.span)))
    #expect(hello.preSharedKeyCount == 2 && hello.firstIdentity == TLSTicket(ticket.span))
    #expect(hello.offersEarlyData && hello.offersExtendedMasterSecret && hello.offersEncryptThenMAC)
    #expect(hello.offersEncryptedHello && hello.offersRenegotiationInfo && hello.hasCookie && hello.usesGREASE)
    #expect(!hello.offersCompression && !hello.isSSLv2 && hello.offersResumption)
    #expect(hello.extensionCount == 15 && hello.has(.earlyData) && !hello.has(TLSExtension(rawValue: 21)))
    #expect(hello.span.range == 5..<UInt64(bytes.count))
  }

  @Test("A hello without extensions is one, too.")
  func plainHellos() throws {
    let hello = try #require(tokens(Wire.message(1, Wire.clientHello())).clientHellos.first)
    #expect(hello.serverName == nil && hello.extensions.isEmpty && hello.version == .tls12 && !hello.offersResumption)
    #expect(hello.sessionTicket == .none && !hello.usesGREASE)
    let answer = try #require(tokens(Wire.message(2, Wire.serverHello(version: 0x0301))).serverHellos.first)
    #expect(answer.version == .tls10 && answer.version.isOld && answer.cipherSuite.rawValue == 0xC02F)
    #expect(!answer.isHelloRetryRequest && answer.applicationProtocol == nil)
  }

  @Test("A ServerHello says what was chosen.")
  func serverHello() throws {
    let bytes = Wire.message(
      2,
      Wire.serverHello(
        suite: 0x1302,
        extensions: [
          Wire.ext(43, [3, 4]), Wire.ext(51, [0, 29, 0, 2, 1, 2]), Wire.ext(41, [0, 1]), Wire.protocols("h2"),
          Wire.ext(23, []), Wire.ext(22, []), Wire.ext(35, []),
        ]))
    let told = tokens(bytes)
    let hello = try #require(told.serverHellos.first)
    #expect(told.count == 1)
    #expect(hello.version == .tls13 && hello.legacyVersion == .tls12)
    #expect(hello.cipherSuite.name == "TLS_AES_256_GCM_SHA384")
    #expect(hello.keyShare?.name == "x25519" && hello.acceptedPreSharedKey == 1)
    #expect(hello.applicationProtocol?.nameText == "h2" && hello.extensionCount == 7)
    #expect(hello.hasExtendedMasterSecret && hello.hasEncryptThenMAC && hello.promisesTicket)
    #expect(!hello.isHelloRetryRequest && !hello.isDowngrade)
  }

  @Test("A HelloRetryRequest is known by its random value, and a downgrade by the end of it.")
  func retry() throws {
    // The first and last bytes as RFC 8446 §4.1.3 prints them.
    #expect(ServerHello.retryRandom.prefix(4) == [0xCF, 0x21, 0xAD, 0x74])
    #expect(ServerHello.retryRandom.suffix(4) == [0xC8, 0xA8, 0x33, 0x9C])
    let bytes = Wire.message(
      2,
      Wire.serverHello(
        random: ServerHello.retryRandom, suite: 0x1301,
        extensions: [Wire.ext(43, [3, 4]), Wire.ext(51, [0, 23]), Wire.ext(44, [0, 1, 7])]))
    let told = tokens(bytes)
    let hello = try #require(told.serverHellos.first)
    #expect(told.count == 1)
    #expect(hello.isHelloRetryRequest && hello.keyShare?.name == "secp256r1" && hello.hasCookie)
    let old = Wire.serverHello(random: Array(Wire.random.prefix(24)) + Array("DOWNGRD".utf8) + [1])
    #expect(try #require(tokens(Wire.message(2, old)).serverHellos.first).isDowngrade)
  }

  @Test("A ServerHello of an early draft of TLS 1.3 lacks fields.")
  func draft() throws {
    let body = [0x7F, 0x14] + Wire.random + [0x13, 0x03] + Wire.list(2, Wire.ext(51, [0, 29, 0, 2, 1, 2]))
    let told = tokens(Wire.message(2, body))
    let hello = try #require(told.serverHellos.first)
    #expect(told.count == 1 && hello.version.isTLS13 && hello.version.name == "TLS 1.3 draft 20")
    #expect(hello.cipherSuite.name == "TLS_CHACHA20_POLY1305_SHA256" && hello.keyShare?.name == "x25519")
  }

  @Test("A hello in the form of SSL 2.0.")
  func sslv2() throws {
    let told = tokens(RecordRow.sslv2Hello)
    #expect(told.map(\.words) == ["ClientHello 31 [0-33]"])
    let hello = try #require(told.clientHellos.first)
    #expect(hello.isSSLv2 && hello.legacyVersion == .tls10 && hello.ja4 == nil)
    #expect(hello.cipherSuiteCount == 2 && hello.cipherSuites.map(\.rawValue) == [0x2F])
    #expect(hello.random == [UInt8](repeating: 0, count: 16) + Array(1...16))
    for count in 0..<RecordRow.sslv2Hello.count {
      #expect(tokens(Array(RecordRow.sslv2Hello.prefix(count))).clientHellos.isEmpty)
    }
  }

  // MARK: Messages over records

  @Test("The same messages however they are spread over records.")
  func fragments() throws {
    let hello = Wire.handshake(1, Wire.clientHello(extensions: [Wire.serverName("a.example")]))
    let last = Wire.handshake(20, [1, 2, 3])
    let all = hello + last
    for first in 0...all.count {
      for second in stride(from: first, through: all.count, by: 5) {
        let parts = [0..<first, first..<second, second..<all.count].filter { !$0.isEmpty }
        let told = tokens(parts.flatMap { Wire.record(22, Array(all[$0])) })
        #expect(told.compactMap(\.message?.type.name) == ["ClientHello", "Finished"])
        #expect(told.clientHellos.first?.serverName?.nameText == "a.example")
      }
    }
    let bytes = all.map { [$0] }.flatMap { Wire.record(22, $0) }
    let told = tokens(bytes)
    #expect(told.count == 2)
    let hello1 = try #require(told.clientHellos.first)
    // From its first byte, behind a header, to its last.
    #expect(hello1.span.range == 5..<UInt64(6 * hello.count))
    #expect(told[1].message?.span.range == UInt64(6 * hello.count + 5)..<UInt64(bytes.count))
  }

  @Test("Several messages of one record have each their own bytes.")
  func several() {
    let body =
      Wire.handshake(2, Wire.serverHello()) + Wire.handshake(14, []) + Wire.handshake(0, [])
      + Wire.handshake(99, [1])
    #expect(
      tokens(Wire.record(22, body)).map(\.words) == [
        "ServerHello 38 [5-47]", "ServerHelloDone 0 [47-51]", "HelloRequest 0 [51-55]",
        "handshake type 99 1 [55-60]",
      ])
  }

  @Test("Of decrypted contents a message's place is that of its records.")
  func decrypted() {
    let body = Wire.handshake(20, [1, 2, 3]) + Wire.handshake(24, [1])
    let packet = PacketRef.numbered(3)
    let record = TLSRecord(
      index: 4, type: .applicationData, version: .tls12, length: body.count + 17,
      span: ByteSpan(100..<UInt64(100 + 5 + body.count + 17), first: packet, last: packet), headerReleased: packet,
      released: packet)
    var whole = record
    whole.received = record.length
    var parser = HandshakeParser()
    parser.version = .tls13
    var told: [HandshakeToken] = []
    parser.consume(body.span, of: whole, into: &told)
    #expect(told.map(\.words) == ["Finished 3 [100-134]", "KeyUpdate 1 [100-134]"])
    #expect(told.last?.message?.body == .keyUpdate(isRequested: true))
  }

  @Test("The same in any segments.")
  func segments() {
    var random = SplitMix64(seed: 60)
    for _ in 0..<10_000 {
      let bytes = Wire.random(&random)
      let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Int.random(in: 0...bytes.count, using: &random)
      }
      #expect(tokens(bytes, cutAt: cuts.sorted()) == tokens(bytes))
    }
  }

  @Test("What a hole leaves of a message is reported, and reading goes on with a record that begins with a message.")
  func holes() {
    let hello = Wire.handshake(1, Wire.clientHello())
    let half = hello.count / 2
    let bytes =
      Wire.record(22, Array(hello[..<half])) + Wire.record(22, Array(hello[half...]))
      + Wire.record(22, [0xAB, 0xCD, 0xEF, 1, 2]) + Wire.message(20, [1]) + Wire.message(14, [])
    let hole = 5 + half + 5 + 1..<5 + half + 5 + 3
    var feeding = HandshakeFeeding()
    var told: [HandshakeToken] = []
    let packet = PacketRef.numbered(1)
    feeding.consume(
      CitedBytes(bytes.span.extracting(0..<hole.lowerBound), at: 0, in: packet, released: packet), into: &told)
    feeding.skip(gap: UInt64(hole.lowerBound)..<UInt64(hole.upperBound), into: &told)
    feeding.consume(
      CitedBytes(
        bytes.span.extracting(hole.upperBound..<bytes.count), at: UInt64(hole.upperBound), in: packet,
        released: packet), into: &told)
    feeding.finish(.fin, into: &told)
    let words = told.map { String($0.words.prefix { $0 != "[" }) }
    #expect(words == ["flaw incomplete ClientHello", "Finished 1 ", "ServerHelloDone 0 "])
  }

  @Test("A message that is too long is passed over, and the next one is read.")
  func tooLong() {
    let length = HandshakeFlaw.lengthLimit + 1
    var bytes = Wire.record(22, [11] + Wire.number(length, 3))
    var left = length
    while left > 0 {
      let part = min(left, 16_000)
      bytes += Wire.record(22, [UInt8](repeating: 0, count: part))
      left -= part
    }
    bytes += Wire.message(14, [])
    #expect(
      tokens(bytes).map { String($0.words.prefix { $0 != "[" }) }
        == ["flaw tooLong Certificate", "Certificate \(length) ", "ServerHelloDone 0 "])
    // As long as is allowed is held, and read.
    let most = Wire.handshake(99, [UInt8](repeating: 0, count: HandshakeFlaw.lengthLimit))
    let parts = stride(from: 0, to: most.count, by: 16_000).flatMap {
      Wire.record(22, Array(most[$0..<min($0 + 16_000, most.count)]))
    }
    #expect(tokens(parts).count == 1)
  }

  @Test("What is not whole at the end is reported.")
  func unfinished() {
    let hello = Wire.message(1, Wire.clientHello())
    for count in 0..<hello.count { #expect(tokens(Array(hello.prefix(count))).clientHellos.isEmpty) }
    #expect(tokens(Wire.record(22, [1, 0, 0, 9])).map(\.words) == ["flaw incomplete ClientHello"])
  }

  @Test("Of a flood of hellos a thousand are read.")
  func tooMany() {
    let told = tokens((0..<1_010).flatMap { _ in Wire.message(1, Wire.clientHello()) } + Wire.message(24, [1]))
    #expect(told.clientHellos.count == HandshakeFlaw.countLimit)
    #expect(told.count { $0.words == "flaw tooMany ClientHello" } == 1)
    #expect(told.compactMap(\.message).count == 1_011)
    #expect(told.last?.message?.body == .keyUpdate(isRequested: true))
  }

  // MARK: Certificates and tickets

  @Test("Certificates in both shapes, with and without a version that says which.")
  func certificates() {
    let (first, second) = ([UInt8](repeating: 1, count: 300), [UInt8](repeating: 2, count: 200))
    let old = Wire.list(3, Wire.list(3, first) + Wire.list(3, second))
    let new = [0] + Wire.list(3, Wire.list(3, first) + [0, 0] + Wire.list(3, second) + Wire.list(2, Wire.ext(5, [1])))
    for (body, versions) in [(old, [nil, TLSVersion.tls12]), (new, [nil, .tls13])] {
      for version in versions {
        let told = tokens(Wire.message(11, body), version: version)
        #expect(told.count == 1)
        #expect(told.certificates.map(\.certificates) == [[first, second]])
        #expect(told.certificates.map(\.isCut) == [false])
        #expect(told.certificates.map(\.byteCount) == [500])
      }
    }
  }

  @Test("No more of certificates is kept than the limit.")
  func manyCertificates() {
    let big = Wire.list(3, [UInt8](repeating: 1, count: 40_000))
    let body = Wire.handshake(11, Wire.list(3, big + big + Wire.list(3, [1])))
    let parts = stride(from: 0, to: body.count, by: 16_000).flatMap {
      Wire.record(22, Array(body[$0..<min($0 + 16_000, body.count)]))
    }
    let told = tokens(parts).certificates
    #expect(told.map(\.count) == [3] && told.map(\.certificates.count) == [1])
    #expect(told.map(\.isCut) == [true] && told.map(\.byteCount) == [80_001])
    let small = (0..<100).flatMap { _ in Wire.list(3, [1]) }
    #expect(tokens(Wire.message(11, Wire.list(3, small))).certificates.map(\.certificates.count) == [32])
  }

  @Test("Tickets in both shapes.")
  func tickets() {
    let ticket = [UInt8](repeating: 5, count: 40)
    let old = Wire.number(300, 4) + Wire.list(2, ticket)
    let new =
      Wire.number(7200, 4) + [1, 2, 3, 4] + [2, 0, 0] + Wire.list(2, ticket)
      + Wire.list(2, Wire.ext(42, [0, 0, 0x40, 0]))
    for version in [nil, TLSVersion.tls12] {
      #expect(
        tokens(Wire.message(4, old), version: version).tickets
          == [NewSessionTicket(lifetime: 300, ticket: TLSTicket(ticket.span))])
    }
    for version in [nil, TLSVersion.tls13] {
      #expect(
        tokens(Wire.message(4, new), version: version).tickets
          == [NewSessionTicket(lifetime: 7200, ticket: TLSTicket(ticket.span), earlyDataLimit: 0x4000)])
    }
  }

  @Test("EncryptedExtensions and CertificateRequest.")
  func others() {
    let said = Wire.list(2, Wire.protocols("http/1.1") + Wire.ext(42, []) + Wire.ext(0, []))
    let extensions = tokens(Wire.message(8, said)).compactMap(\.message?.body)
    guard case .encryptedExtensions(let read)? = extensions.first else { return #expect(Bool(false)) }
    #expect(read.applicationProtocol?.nameText == "http/1.1" && read.acceptsEarlyData && read.acknowledgesName)
    let names = Wire.list(2, Wire.list(2, [1, 2]) + Wire.list(2, [3]))
    let shapes: [(TLSVersion?, [UInt8])] = [
      (.tls10, [1, 1] + names), (nil, [1, 1, 0, 2, 4, 3] + names), (.tls12, [1, 1, 0, 2, 4, 3] + names),
      (.tls13, [0] + Wire.list(2, Wire.schemes([0x0403]))),
    ]
    for (version, body) in shapes {
      let told = tokens(Wire.message(13, body), version: version)
      guard case .certificateRequest(let request)? = told.first?.message?.body else {
        Issue.record("\(told.map(\.words))")
        continue
      }
      #expect(request.authorityCount == (version == .tls13 ? 0 : 2))
      #expect(request.signatureSchemes.map(\.rawValue) == (version == .tls10 ? [] : [0x0403]))
    }
  }

  @Test("Ten times the messages take ten times as long.")
  func linear() {
    func time(_ count: Int, _ size: Int) -> Duration {
      let bytes = Array(repeatElement(Wire.handshake(0, []), count: count).joined())
      let records = stride(from: 0, to: bytes.count, by: size).flatMap {
        Wire.record(22, Array(bytes[$0..<min($0 + size, bytes.count)]))
      }
      var least = Duration.seconds(60)
      for _ in 0..<3 {
        let began = ContinuousClock.now
        #expect(tokens(records).count == count)
        least = min(least, began.duration(to: .now))
      }
      return least
    }
    for size in [1, 3, 16_000] { #expect(time(20_000, size) < time(2_000, size) * 40) }
  }
}
