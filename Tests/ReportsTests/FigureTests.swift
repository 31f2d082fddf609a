import Citation
import Events
import Support
import Testing

@testable import Reports

@Suite("Figures for programs")
struct FigureTests {
  /// From the specification's baseline and Zeek's test suite (seed 0); the one of IPv6 was computed with Python by the
  /// specification's text.
  @Test(
    "The Community ID is the one that other tools give the flow.",
    arguments: [
      ("128.232.110.120:34855", "66.35.250.204:80", "1:LQU9qZlK+B5F3KDmev6m5PMibrg="),
      ("1.2.3.4:1122", "5.6.7.8:3344", "1:wCb3OG7yAFWelaUydu0D+125CLM="),
      ("[2001:db8::1]:1234", "[2001:db8::2]:80", "1:r0kqPLw6hSIAasyo9ANthUgbhVA="),
    ])
  func communityID(client: String, server: String, expected: String) {
    #expect(CommunityID.text(Endpoint(client), Endpoint(server)) == expected)
    #expect(CommunityID.text(Endpoint(server), Endpoint(client)) == expected)
  }

  @Test("Of equal addresses the smaller port comes first.")
  func communityIDPorts() {
    let forth = CommunityID.text("10.0.0.1:5", "10.0.0.1:600")
    #expect(CommunityID.text("10.0.0.1:600", "10.0.0.1:5") == forth)
    #expect(CommunityID.text("10.0.0.1:6", "10.0.0.1:600") != forth)
  }

  @Test("Display filters name each packet once, in order, and not too many.")
  func filters() {
    #expect(DisplayFilter.packets([]) == nil)
    #expect(DisplayFilter.packets([4]) == "frame.number in {4}")
    #expect(DisplayFilter.packets([11, 4, 6, 4]) == "frame.number in {4,6,11}")
    #expect(
      DisplayFilter.packets((1...80).reversed())
        == "frame.number in {\((1...50).map(String.init).joined(separator: ","))}")
  }

  @Test("Redaction shows lengths and a salted hash of payload, and framing as it is.")
  func redaction() {
    let secret = Excerpt(Array("password=hunter2".utf8).span, isPayload: true)
    let framing = Excerpt(Array("Content-Type: text/html\r\n".utf8).span, isPayload: false)
    let hidden = Redaction(isOn: true, salt: [1, 2, 3])
    #expect(hidden.text(secret).hasPrefix("[16 B sha256:"))
    #expect(!hidden.text(secret).contains("hunter2"))
    #expect(hidden.text(secret) == hidden.text(secret))
    #expect(hidden.text(secret) != Redaction(isOn: true, salt: [1, 2, 4]).text(secret))
    #expect(hidden.text(framing) == "\"Content-Type: text/html\\r\\n\"")
    #expect(Redaction(isOn: false, salt: []).text(secret) == "\"password=hunter2\"")
    let long = Excerpt([UInt8](repeating: 0x61, count: 100).span, isPayload: true)
    #expect(Redaction(isOn: false, salt: []).text(long, limit: 10) == "\"aaaaaaaaaa\"…")
    #expect(hidden.text(long).hasPrefix("[100 B "))
    for (count, size) in [
      (UInt64(0), "0 B"), (999, "999 B"), (1_000, "1,000 B"), (.max, "18,446,744,073,709,551,615 B"),
    ] {
      var item = Item(.text, .toServer, first: .none, completed: .none, bytes: count)
      item.preview = [0x61]
      // The digest of 01 02 03 61.
      #expect(hidden.preview(item) == "[\(size) sha256:\(Self.digest)]")
    }
  }

  private static let digest = "c56daa10e6df"

  @Test(
    "A capture's name is shown by its last part and typed as the shell wants it.",
    arguments: [
      ("capture.pcap", "capture.pcap", "capture.pcap"),
      ("/var/tmp/edge/capture.pcap", "capture.pcap", "/var/tmp/edge/capture.pcap"),
      ("-", "standard input", "FILE"), ("my file.pcap", "my file.pcap", "'my file.pcap'"),
      ("-x.pcap", "-x.pcap", "./-x.pcap"), ("it's.pcap", "it's.pcap", "FILE"),
      ("$(rm).pcap", "$(rm).pcap", "'$(rm).pcap'"), ("a\u{1B}[2J.pcap", "a\\x1B[2J.pcap", "FILE"),
      ("x/a.pcap … x/b.pcap", "a.pcap … b.pcap", "FILE"), ("größe.pcap", "größe.pcap", "'größe.pcap'"),
    ])
  func fileNames(path: String, base: String, argument: String) {
    #expect(FileName(path: path).base == base)
    #expect(FileName(path: path).argument == argument)
  }

  @Test("A very long name is cut in the middle.")
  func longName() {
    let base = FileName(path: String(repeating: "a", count: 200) + ".pcap").base
    #expect(base.count == 60)
    #expect(base.hasPrefix("aaa") && base.hasSuffix("a.pcap") && base.contains("…"))
  }
}
