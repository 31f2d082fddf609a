import HTTP1
import HTTPSemantics
import Testing

struct ProbeTests {
  @Test(
    "first bytes are recognised by content",
    arguments: [
      ("", HTTP1Probe.Answer.unsure(leaning: nil)),
      ("G", .unsure(leaning: nil)),
      ("GET /", .unsure(leaning: .request)),
      ("GET / HTTP/1.1\r\n", .certain(.request)),
      ("\r\nGET / HTTP/1.1\r\n", .certain(.request)),
      ("FROB /x HTTP/1.1\r\n", .certain(.request)),
      ("FROB /x", .unsure(leaning: nil)),
      ("get / HTTP/1.1\n", .certain(.request)),
      ("GET /old\r\n", .certain(.request)),
      ("GET key\r\n", .not),
      ("HEAD 4711\r\n", .not),
      ("OPTIONS rtsp://h/ RTSP/1.0\r\n", .not),
      ("INVITE sip:a@b SIP/2.0\r\n", .not),
      ("PRI * HTTP/2.0\r\n", .not),
      ("SSH-2.0-OpenSSH_9.2\r\n", .not),
      ("220 mail ESMTP\r\n", .not),
      ("\u{16}\u{03}\u{01}", .not),
      ("H", .unsure(leaning: .response)),
      ("HTTP/1.1 2", .unsure(leaning: .response)),
      ("HTTP/1.1 200", .certain(.response)),
      ("HTTP/1.0 404 Not Found\r\n", .certain(.response)),
      ("HTTP/x", .not),
      ("HELO x\r\n", .not),
    ])
  func look(text: String, answer: HTTP1Probe.Answer) {
    #expect(HTTP1Probe.look(at: wire(text).span) == answer)
  }

  @Test(
    "a first line that never ends is HTTP when all that is there says so",
    arguments: [
      ("GET / HTTP/5.6", HTTP1Role.request), ("POST /upload?a=b", .request), ("HTTP/1.1", .response),
      ("HTTP/1.1 2", .response), ("GET ", nil), ("GET key", nil), ("FROB /x", nil), ("HTTP/1", nil),
      ("GET / HTTP/1.1\r\n", nil), ("OPTIONS rtsp://h/", nil), ("", nil),
    ])
  func unfinished(text: String, role: HTTP1Role?) {
    #expect(HTTP1Probe.unfinishedLine(in: wire(text).span) == role)
  }

  @Test("a start line is found in the middle of a stream, at the start of a line only")
  func find() {
    let found = HTTP1Probe.startLine(in: wire("x\r\nsay GET /no HTTP/1.1\r\nGET /yes HTTP/1.1\r\n").span)
    #expect(found?.role == .request)
    #expect(found?.index == 25)
    #expect(HTTP1Probe.startLine(in: wire("nothing\r\nhere").span) == nil)
  }
}
