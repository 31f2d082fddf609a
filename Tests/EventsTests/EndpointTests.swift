import Events
import HTTPSemantics
import RunSupport
import Testing

@Suite("Endpoints")
struct EndpointTests {
  @Test(
    "Segments that name one thing of many stand as {id}.",
    arguments: [
      ("/v1/items/4711", "/v1/items/{id}"), ("/v1/items/4711/", "/v1/items/{id}/"), ("/", "/"), ("*", "*"),
      ("/a?id=4711", "/a"), ("/a#4711", "/a"), ("http://h.example:80/x/12", "/x/{id}"), ("http://h.example", "/"),
      ("/u/3f2504e0-4f89-11d3-9a0c-0305e82c3301/p", "/u/{id}/p"),
      ("/blob/9b74c9897bac770ffc029102a200c5de", "/blob/{id}"),
      ("/img/123.jpg", "/img/{id}.jpg"), ("/v2/feed", "/v2/feed"), ("/http2/h264", "/http2/h264"),
      ("/t/eyJhbGciOiJIUzI1NiJ9x9", "/t/{id}"),
      ("/a-long-name-without-digits-in-it", "/a-long-name-without-digits-in-it"),
      ("", ""), ("//1//", "//{id}//"), ("/deadbeef", "/deadbeef"), ("/deadbee5", "/{id}"),
    ])
  func template(_ target: String, _ template: String) {
    #expect(PathTemplate.of(target) == template)
  }

  @Test("A template is bounded however long the target is.")
  func bounded() {
    #expect(PathTemplate.of(String(repeating: "/abc", count: 10_000)).utf8.count <= 120)
  }

  @Test("Exchanges of one shape are counted together, with their waits, and once each when they are hurt.")
  func counted() async throws {
    let run = try await CaptureRun(
      """
      > SYN
      < SYN ACK
      > ACK
      > "GET /item/1 HTTP/1.1\\r\\nHost: A.example\\r\\n\\r\\n"
      +19ms
      < "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
      > "GET /item/2?x=y HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n"
      +39ms
      < "HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabc"
      +300ms
      < "def"
      < FIN
      > FIN

      """)
    let endpoint = try #require(run.summary.endpoints.first)
    #expect(run.summary.endpoints.count == 1)
    #expect(endpoint.name == EndpointName(method: "GET", host: "a.example", path: "/item/{id}"))
    #expect(endpoint.exchanges == 2)
    #expect(endpoint.hurt == 1)
    #expect(endpoint.waits.minimum == 20_000_000)
    #expect(endpoint.waits.maximum == 40_000_000)
    #expect(endpoint.gaps.count == 1)
    #expect(endpoint.gaps.maximum == 301_000_000)
  }
}
