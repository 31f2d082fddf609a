import Support

/// TLS connections as wire scripts.
enum TLSScript {
  /// For shop.example and *.cdn.example, of itself.
  static let certificate = bytes(
    """
    308201ad30820153a00302010202144d017e045f4956d0623c177bf94d15761b8b2a16300a06082a8648ce3d0403023017311530130603\
    5504030c0c73686f702e6578616d706c653020170d3236313132323030343230315a180f32313236313032393030343230315a30173115\
    301306035504030c0c73686f702e6578616d706c653059301306072a8648ce3d020106082a8648ce3d030107034200041a34edacd3dde1\
    9bba66ff51d8afbd751562cd5d83d596950c26cba1db3536eba261c6b3ae8a8689ecc51561375e30a3f3b1ac6d962dc2e79bc6a0397184\
    f341a37b3079301d0603551d0e04160414a83ed9a9316ec3fd91b4516fddd48e277e5769c6301f0603551d23041830168014a83ed9a931\
    6ec3fd91b4516fddd48e277e5769c6300f0603551d130101ff040530030101ff30260603551d11041f301d820c73686f702e6578616d70\
    6c65820d2a2e63646e2e6578616d706c65300a06082a8648ce3d0403020348003045022100fe2627fc8c7551dc5dc0f67a27cf004628a2\
    fa8c5167bafcf9ab0f989238464102207b668e2c75ce2b0a7ffb7c9301f91c6b75fd25335d1c94abc04548211954b06f
    """)

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8).map { $0 > 0x60 ? $0 - 0x57 : $0 - 0x30 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  static func up(_ bytes: [UInt8], _ words: String = "") -> String { "> \(SocketFrames.word(bytes)) \(words)\n" }
  static func down(_ bytes: [UInt8], _ words: String = "") -> String { "< \(SocketFrames.word(bytes)) \(words)\n" }

  /// The beginning of a script: a connection to a port of HTTPS.
  static func to(_ server: String = "10.0.0.2:443", client: String = "10.0.0.1:40000", after: String = "+0ms") -> String
  {
    "== \(client) \(server) \(after)\n"
  }

  // MARK: TLS 1.2

  static func hello(
    _ name: String? = "shop.example", version: Int = 0x0303, protocols: [UInt8]? = TLSWire.protocols("http/1.1"),
    suites: [UInt16] = [0xC02F], session: [UInt8] = [], extra: [[UInt8]] = []
  ) -> [UInt8] {
    let all = [name.map(TLSWire.serverName), protocols].compactMap { $0 } + extra
    let body = TLSWire.clientHello(version: version, session: session, suites: suites, extensions: all)
    return TLSWire.message(1, body, version: 0x0301)
  }

  static func serverHello(version: Int = 0x0303, session: [UInt8] = [], extra: [[UInt8]] = []) -> [UInt8] {
    TLSWire.message(2, TLSWire.serverHello(version: version, session: session, extensions: extra))
  }

  static func chain(_ certificates: [[UInt8]] = [certificate]) -> [UInt8] {
    TLSWire.message(11, TLSWire.certificates(certificates)) + TLSWire.message(14, [])
  }

  static let flight = serverHello() + chain()
  static let done = TLSWire.message(14, [])
  /// The server wants a certificate of the client, which has none.
  static let askingFlight =
    serverHello() + TLSWire.message(11, TLSWire.certificates([certificate]))
    + TLSWire.message(13, TLSWire.list(1, [1]) + TLSWire.list(2, [4, 3]) + [0, 0]) + done
  static let emptyCertificate = TLSWire.message(11, TLSWire.certificates([]))
  private static let secret = [UInt8](repeating: 5, count: 33)
  static let clientEnd = TLSWire.message(16, secret) + TLSWire.changeCipherSpec + TLSWire.shut(40, type: 22)
  static let serverEnd = TLSWire.changeCipherSpec + TLSWire.shut(40, type: 22)

  /// A record with so many bytes of plaintext, and the goodbye.
  static func data(_ count: Int) -> [UInt8] { TLSWire.shut(24 + count) }
  static let goodbye = TLSWire.shut(26, type: 21)

  /// From the SYN to both Finished.
  static func open(_ hello: [UInt8] = hello(), _ mark: String = "", flight: [UInt8] = flight, _ flightMark: String = "")
    -> String
  {
    handshake + up(hello, mark) + down(flight, flightMark) + up(clientEnd) + down(serverEnd)
  }

  static let orderly = up(goodbye) + down(goodbye) + "> FIN\n< FIN\n"
  /// A request and its answer.
  static let talk = up(data(100)) + down(data(300))

  // MARK: TLS 1.3

  static func hello13(
    _ name: String? = "shop.example", protocols: [UInt8]? = TLSWire.protocols("http/1.1"), shares: [UInt16] = [29],
    extra: [[UInt8]] = []
  ) -> [UInt8] {
    hello(
      name, protocols: protocols, suites: [0x1301],
      extra: [TLSWire.versions([0x0304]), TLSWire.groups([29, 23]), TLSWire.keyShares(shares)] + extra)
  }

  static func serverHello13(random: [UInt8] = TLSWire.random, share: [UInt8]? = nil, extra: [[UInt8]] = []) -> [UInt8] {
    let share = share ?? TLSWire.words([29]) + TLSWire.list(2, [1, 2, 3])
    return TLSWire.message(
      2,
      TLSWire.serverHello(
        random: random, suite: 0x1301, extensions: [TLSWire.ext(43, [3, 4]), TLSWire.ext(51, share)] + extra))
  }

  static let retry = serverHello13(random: TLSWire.retryRandom, share: TLSWire.words([23]))
  static let cookie = TLSWire.message(
    2,
    TLSWire.serverHello(
      random: TLSWire.retryRandom, suite: 0x1301,
      extensions: [TLSWire.ext(43, [3, 4]), TLSWire.ext(44, [0, 2, 1, 1])]))
  static let flight13 =
    serverHello13() + TLSWire.changeCipherSpec + TLSWire.shut(40) + TLSWire.shut(600) + TLSWire.shut(100)
    + TLSWire.shut(53)
  static let clientEnd13 = TLSWire.changeCipherSpec + TLSWire.shut(53)
  static func data13(_ count: Int) -> [UInt8] { TLSWire.shut(17 + count) }
  static let goodbye13 = TLSWire.shut(19)

  static func open13(_ hello: [UInt8] = hello13(), _ mark: String = "") -> String {
    handshake + up(hello, mark) + down(flight13) + up(clientEnd13)
  }

  static let orderly13 = up(goodbye13) + down(goodbye13) + "> FIN\n< FIN\n"

  // MARK: With secrets

  /// A connection that a key log opens: pieces of what each side sends, in records of their own.
  static func keyed(
    _ name: String? = "shop.example", mark: String = "", flightMark: String = "", extra: [[UInt8]] = [],
    _ talk: (inout TLSKeyed) -> String
  ) -> String {
    var keys = TLSKeyed()
    var script = handshake + up(hello13(name, extra: extra), mark)
    script += down(serverHello13() + keys.flight(certificate: certificate), flightMark) + up(keys.finished())
    return script + talk(&keys)
  }

  static func request(_ host: String) -> [UInt8] { Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8) }
  static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
}

/// All rows of the family.
enum TLSRows {
  static let rows: [RuleRow] =
    TLSNameRows.rows + TLSCertificateRows.rows + TLSAlertRows.rows + TLSHandshakeRows.rows + TLSRecordRows.rows
    + TLSTurnRows.rows + TLSCloseRows.rows + TLSCaptureRows.rows + TLSSecretRows.rows
}
