import Events
import HTTP2Semantics
import Testing

@testable import Dialogues

/// The examples of RFC 9113.
@Suite("Examples of HTTP/2's document")
struct HTTP2ExampleTests {
  private typealias H = HTTP2DialogueTests

  private static let asked = [
    (":method", "GET"), (":scheme", "https"), (":authority", "example.org"), (":path", "/resource"),
    ("host", "example.org"), ("accept", "image/jpeg"),
  ]
  private static let image = String(repeating: "j", count: 123)

  /// The fields of a message as they were sent.
  private static func lines(_ message: Message?) -> [String] {
    guard let block = message?.head?.block else { return [] }
    return block.fields.map { "\(block.name($0)): \(block.value($0))" }
  }

  private static func exchanges(_ runs: [H.Run]) -> [ExchangeRecord] {
    H.told(H.opening + runs).compactMap { if case .exchange(let exchange) = $0 { exchange } else { nil } }
  }

  private static func faults(_ runs: [H.Run]) -> [HTTP2Fault.Kind] {
    H.told(H.opening + runs).compactMap { if case .http2Fault(let fault, _, _) = $0 { fault.kind } else { nil } }
  }

  @Test("§8.8.1 and §8.8.2: a request without content, and a response without.")
  func plain() throws {
    let answer = [(":status", "304"), ("etag", "\"xyzzy\""), ("expires", "Thu, 23 Jan 2020 10:00:00 GMT")]
    let told = Self.exchanges([
      (.toServer, H.frame(1, 5, 1, H.block(Self.asked))), (.toClient, H.frame(1, 5, 1, H.block(answer))),
    ])
    let exchange = try #require(told.first)
    #expect(told.count == 1 && exchange.title == "GET /resource → 304")
    #expect(Self.lines(exchange.request) == Self.asked.map { "\($0): \($1)" })
    #expect(Self.lines(exchange.response) == answer.map { "\($0): \($1)" })
    #expect(exchange.request?.isComplete == true && exchange.response?.isComplete == true)
  }

  @Test("§8.8.3 and §8.8.4: fields that go on in a CONTINUATION, content behind them, and a response with content.")
  func content() throws {
    let first = [(":method", "POST"), (":authority", "example.org"), (":path", "/resource"), (":scheme", "https")]
    let rest = [("content-type", "image/jpeg"), ("host", "example.org"), ("content-length", "123")]
    let answer = [(":status", "200"), ("content-type", "image/jpeg"), ("content-length", "123")]
    let told = Self.exchanges([
      (
        .toServer,
        H.frame(1, 0, 1, H.block(first)) + H.frame(9, 4, 1, H.block(rest)) + H.data(1, Self.image, ends: true)
      ),
      (.toClient, H.frame(1, 4, 1, H.block(answer)) + H.data(1, Self.image, ends: true)),
    ])
    let exchange = try #require(told.first)
    #expect(told.count == 1 && exchange.title == "POST /resource → 200")
    #expect(Self.lines(exchange.request) == (first + rest).map { "\($0): \($1)" })
    #expect(exchange.request?.bodyBytes == 123 && exchange.response?.bodyBytes == 123)
    #expect(exchange.request?.isComplete == true && exchange.response?.isComplete == true)
  }

  @Test("§8.8.5: an interim response, and trailers behind the content.")
  func trailers() throws {
    let told = Self.exchanges([
      (.toServer, H.frame(1, 5, 1, H.block(Self.asked))),
      (.toClient, H.frame(1, 4, 1, H.block([(":status", "100"), ("extension-field", "bar")]))),
      (
        .toClient,
        H.frame(1, 4, 1, H.block([(":status", "200"), ("content-type", "image/jpeg"), ("trailer", "Foo")]))
          + H.data(1, Self.image) + H.frame(1, 5, 1, H.block([("foo", "bar")]))
      ),
    ])
    let exchange = try #require(told.first)
    #expect(told.count == 1 && exchange.title == "GET /resource → 200" && exchange.response?.bodyBytes == 123)
    #expect(exchange.interim.map { Self.lines($0) } == [[":status: 100", "extension-field: bar"]])
    let trailers = try #require(exchange.response?.trailers)
    #expect(trailers.fields.map { "\(trailers.name($0)): \(trailers.value($0))" } == ["foo: bar"])
  }

  @Test(
    "§6.9.2: a smaller initial window makes that of a stream negative, and it has to be filled before data follows.")
  func negativeWindow() {
    // 60 KB are sent of 65,535 bytes; then the window begins at 16 KB, which leaves 16,384 − 61,440.
    let sent = (0..<4).flatMap { _ in H.frame(0, 0, 1, [UInt8](repeating: 0x61, count: 15_360)) }
    let lowered: [H.Run] = [
      (.toServer, H.request(1, "/a") + H.frame(8, 0, 0, H.word(1_000_000))), (.toClient, H.response(1, 200) + sent),
      (.toServer, H.frame(4, 0, 0, [0, 4] + H.word(16_384))), (.toClient, H.acknowledged),
    ]
    let byte: [H.Run] = [(.toClient, H.data(1, "a", ends: true))]
    func credit(_ bytes: UInt32) -> [H.Run] { [(.toServer, H.frame(8, 0, 1, H.word(bytes)))] }
    #expect(Self.faults(lowered + byte) == [.windowExceeded])
    #expect(Self.faults(lowered + credit(61_440 - 16_384) + byte) == [.windowExceeded])
    #expect(Self.faults(lowered + credit(61_440 - 16_384 + 1) + byte) == [])
    // Not lowered before the sender has said that it knows.
    #expect(Self.faults(Array(lowered.dropLast()) + byte) == [])
  }

  @Test("Of very many interim responses the first are kept, and the rest counted.")
  func interims() throws {
    let early = (0..<100).flatMap { _ in H.frame(1, 4, 1, H.block([(":status", "103")])) }
    let told = Self.exchanges([(.toServer, H.request(1, "/a")), (.toClient, early + H.response(1, 200, ends: true))])
    let exchange = try #require(told.first)
    #expect(exchange.interim.count == ExchangeRecord.interimLimit && exchange.title == "GET /a → 200")
    #expect(exchange.interimCut == UInt64(100 - ExchangeRecord.interimLimit))
    #expect(exchange.notes.contains { $0.hasPrefix("68 more interim responses") })
  }
}
