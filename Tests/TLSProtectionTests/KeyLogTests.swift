import TLSProtection
import Testing

@Suite struct KeyLogTests {
  private static let random = String(repeating: "0123456789abcdef", count: 4)
  private static let other = String(repeating: "FEDCBA9876543210", count: 4)
  private static let hash = String(repeating: "a1", count: 32)
  private static let master = String(repeating: "b2", count: 48)

  private func added(_ text: String) -> (log: KeyLog, addition: KeyLog.Addition) {
    var log = KeyLog()
    let addition = log.add(Array(text.utf8).span)
    return (log, addition)
  }

  private func keys(_ log: KeyLog, _ random: String = random) -> ConnectionKeys? {
    HelloRandom(VectorConnection.bytes(random).span).flatMap { log.keys(of: $0) }
  }

  @Test("every label is found by the client's random")
  func labels() throws {
    let labels: [(String, KeyLabel, String)] = [
      ("CLIENT_RANDOM", .masterSecret, Self.master),
      ("CLIENT_EARLY_TRAFFIC_SECRET", .clientEarlyTraffic, Self.hash),
      ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", .clientHandshakeTraffic, Self.hash),
      ("SERVER_HANDSHAKE_TRAFFIC_SECRET", .serverHandshakeTraffic, Self.master),
      ("CLIENT_TRAFFIC_SECRET_0", .clientTraffic, Self.hash),
      ("SERVER_TRAFFIC_SECRET_0", .serverTraffic, Self.hash),
    ]
    let (log, addition) = added(labels.map { "\($0.0) \(Self.random) \($0.2)\n" }.joined())
    #expect(addition.secrets == 6 && log.secretCount == 6 && log.connectionCount == 1)
    let found = try #require(keys(log))
    for (_, label, secret) in labels { #expect(found[label]?.count == secret.utf8.count / 2) }
    #expect(keys(log, Self.other) == nil)
    #expect(labels.count == KeyLabel.allCases.count)
  }

  @Test(
    "line ends, blanks, case, comments and a missing last line end do not matter",
    arguments: [
      "CLIENT_RANDOM <r> <m>\n", "CLIENT_RANDOM <r> <m>", "CLIENT_RANDOM <r> <m>\r\n",
      "  CLIENT_RANDOM\t<r>   <m>  \r\n",
      "# made by a browser\r\n\r\nCLIENT_RANDOM <r> <m>\r\n\n#", "\u{FEFF}CLIENT_RANDOM <r> <m>\n",
    ])
  func forms(_ text: String) throws {
    for (random, master) in [(Self.random, Self.master), (Self.random.uppercased(), Self.master.uppercased())] {
      let text = text.replacing("<r>", with: random).replacing("<m>", with: master)
      let (log, addition) = added(text)
      var expected = KeyLog.Addition()
      expected.secrets = 1
      #expect(addition == expected)
      #expect(keys(log)?.masterSecret?.count == 48)
    }
  }

  @Test("what is no line of a key log is counted, with the first few numbers")
  func malformed() {
    let lines = [
      "CLIENT_RANDOM \(Self.random) \(Self.master)", "CLIENT_RANDOM", "CLIENT_RANDOM \(Self.random)",
      "CLIENT_RANDOM \(Self.random) \(Self.master.dropLast())", "CLIENT_RANDOM \(Self.random) \(Self.hash)",
      "CLIENT_RANDOM \(Self.random.dropLast(2)) \(Self.master)", "CLIENT_RANDOM \(Self.random) \(Self.master) more",
      "CLIENT_RANDOM \(Self.random) \(Self.master.dropLast())g", "client_random \(Self.random) \(Self.master)",
      "SERVER_TRAFFIC_SECRET_0 \(Self.random) a1a1", "\u{0}\u{1}\u{2}", "<!DOCTYPE html>",
      "CLIENT_RANDOM " + String(repeating: "0", count: 100_000), "OTHER zz zz",
    ]
    let (log, addition) = added(lines.joined(separator: "\n"))
    #expect(addition.secrets == 1 && log.connectionCount == 1)
    #expect(addition.malformed == lines.count - 1)
    #expect(addition.malformedLines == Array(2...9))
  }

  @Test("what opens no records is passed over")
  func ignored() {
    let (log, addition) = added(
      """
      EXPORTER_SECRET \(Self.random) \(Self.hash)
      EARLY_EXPORTER_SECRET \(Self.random) \(Self.hash)
      QUIC_CLIENT_TRAFFIC_SECRET_0 \(Self.random) \(Self.hash)
      RSA 0123456789abcdef \(Self.master)
      RSA Session-ID:00 Master-Key:00
      PMS_CLIENT_RANDOM \(Self.random) \(Self.master)
      """)
    #expect(addition.ignored == 3 && addition.unsupported == 3 && addition.malformed == 0)
    #expect(log.isEmpty && log.connectionCount == 0)
  }

  @Test("text may be added later, and secrets may come twice or change")
  func additions() throws {
    let line = "CLIENT_TRAFFIC_SECRET_0 \(Self.random) \(Self.hash)\n"
    var (log, _) = added(line)
    let again = log.add(Array((line + line.lowercased()).utf8).span)
    #expect(again.repeated == 1 && again.secrets == 0 && again.malformed == 1 && again.malformedLines == [2])
    let changed = log.add(Array("CLIENT_TRAFFIC_SECRET_0 \(Self.random) \(Self.master)\n".utf8).span)
    #expect(changed.contradictions == 1 && log.secretCount == 1)
    #expect(keys(log)?.clientTraffic?.count == 48)
    log.add(Array("CLIENT_TRAFFIC_SECRET_0 \(Self.other) \(Self.hash)".utf8).span)
    #expect(log.connectionCount == 2)
    #expect(keys(log, Self.other)?.clientTraffic?.count == 32)
  }

  @Test("a log cut at any byte has what was whole, and never more")
  func cut() {
    let lines = ["CLIENT_RANDOM \(Self.random) \(Self.master)", "SERVER_TRAFFIC_SECRET_0 \(Self.other) \(Self.hash)"]
    let text = Array(lines.joined(separator: "\r\n").utf8)
    for length in 0...text.count {
      var log = KeyLog()
      let addition = log.add(Array(text[..<length]).span)
      let first = 14 + 64 + 1 + 96
      #expect(log.connectionCount == (length == text.count ? 2 : length >= first ? 1 : 0))
      #expect(addition.malformed <= 1)
    }
  }

  @Test("key material is never printed")
  func printing() throws {
    let (log, _) = added("CLIENT_RANDOM \(Self.random) \(Self.master)\n")
    var text = "\(log) \(String(reflecting: log)) "
    dump(log, to: &text)
    dump(try #require(keys(log)?.masterSecret), to: &text)
    #expect(text.contains("secret of 48 bytes"))
    #expect(!text.contains("178, 178") && !text.contains("b2b2"))
  }

  @Test("the text of a log can be wiped")
  func wipe() {
    var text = Array("CLIENT_RANDOM".utf8)
    SecretBytes.wipe(&text)
    #expect(text == [UInt8](repeating: 0, count: 13))
  }
}
