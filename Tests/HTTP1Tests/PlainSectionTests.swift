import Citation
import HTTPSemantics
import Testing

/// Which sections of HTTP/2 need not be shown to the rules about malformed ones.
@Suite("Plain sections")
struct PlainSectionTests {
  static let asked = [":method: GET", ":scheme: https", ":authority: shop.example", ":path: /a?b=c"]

  /// Fields as `name: value`.
  private static func isPlain(_ fields: [String], in place: SectionPlace) -> Bool {
    let decoded = fields.map { field in
      // The colon of a pseudo-header field is part of its name.
      let colon = field.dropFirst().firstIndex(of: ":") ?? field.endIndex
      return HeaderBlock.DecodedField(
        name: Array(field[..<colon].utf8), value: Array(field[colon...].dropFirst(2).utf8),
        citation: ByteSpan(0..<1, first: .none, last: .none))
    }
    return HeaderBlock(decoded: decoded).isPlain(in: place)
  }

  @Test(
    "What nearly all messages look like is plain.",
    arguments: [
      (asked, SectionPlace.request),
      (asked + ["te: trailers", "content-type: application/grpc", "x_y: ", "user-agent: a b"], .request),
      ([":status: 200", "date: Tue, 14 Nov 2023 22:13:20 GMT", "cache-control: no-store"], .response),
      ([":status: 503"], .response), (["grpc-status: 0", "grpc-message: "], .trailers),
    ])
  func plain(_ fields: [String], _ place: SectionPlace) {
    #expect(Self.isPlain(fields, in: place))
  }

  @Test(
    "Whatever a rule may speak of is not.",
    arguments: [
      (Array(asked.dropLast()), SectionPlace.request), (Array(asked.dropFirst()), .request), ([], .request),
      (asked + [":path: /"], .request), (["a: b"] + asked, .request), (asked + [":status: 200"], .request),
      (asked + [":protocol: websocket"], .request), (asked + ["host: other.example"], .request),
      (asked + ["X-Upper: 1"], .request), (asked + ["a b: 1"], .request), (asked + ["(unknown entry 62): 1"], .request),
      (asked + ["a: \r\n"], .request), (asked + ["a:  b"], .request), (asked + ["a: b "], .request),
      (asked + ["a: \u{0}"], .request), (asked + ["connection: close"], .request), (asked + ["te: gzip"], .request),
      (asked + ["keep-alive: 5"], .request), (asked + ["proxy-connection: close"], .request),
      (asked + ["transfer-encoding: chunked"], .request), (asked + ["upgrade: websocket"], .request),
      (asked.map { $0 == ":method: GET" ? ":method: CONNECT" : $0 }, .request),
      (asked.map { $0.hasPrefix(":path") ? ":path: a" : $0 }, .request),
      (asked.map { $0.hasPrefix(":path") ? ":path: /#a" : $0 }, .request),
      (asked.map { $0.hasPrefix(":path") ? ":path: " : $0 }, .request),
      ([":status: 101"], .response), ([":status: 100"], .response), (["a: b"], .response),
      ([":status: 200", ":status: 200"], .response), ([":status: 200", "connection: close"], .response),
      (["a: b", ":status: 200"], .trailers), (["A: b"], .trailers),
    ])
  func odd(_ fields: [String], _ place: SectionPlace) {
    #expect(!Self.isPlain(fields, in: place))
  }
}
