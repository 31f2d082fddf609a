import Citation
import Events
import HTTPSemantics
import Support
import Testing

@testable import Dialogues

/// The same bytes are the same messages, wherever segments begin and end in either direction.
@Suite("Messages at every cut")
struct SegmentationTests {
  /// What both sides say in turns: `>` to the server.
  private static let conversations: [[(Direction, String)]] = [
    [
      (.toServer, "POST /up HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\none\r\n"),
      (.toClient, "HTTP/1.1 100 Continue\r\n\r\n"),
      (.toServer, "A;x=1\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"),
      (
        .toClient,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
      ),
      (.toServer, "HEAD /h HTTP/1.1\r\nHost: h\r\n\r\nGET /g HTTP/1.1\r\nHost: h\r\n\r\n"),
      (.toClient, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nHTTP/1.1 404 Not Found\nContent-Length: 3\r\n\r\nno!"),
      (.toServer, "GET /broken HTTP/1.1\r\nHost: h\r\n\r\n"),
      (.toClient, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc!\r\n2\r\nde\r\n0\r\n\r\n"),
    ],
    [
      (.toServer, "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
      (
        .toClient,
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\u{1}\u{2}frame"
      ),
      (.toServer, "\u{1}\u{5}other"),
    ],
    // A greeting of another protocol, and then HTTP.
    [
      (.toServer, "\u{5}\u{1}\u{0}"), (.toClient, "\u{5}\u{0}"),
      (.toServer, "GET /socks HTTP/1.1\r\nHost: h\r\n\r\n"), (.toClient, "HTTP/1.1 204 No Content\r\n\r\n"),
    ],
    // A request that is none, and its response.
    [
      (.toServer, "GET HTTP/1.1\r\nHost: h\r\nUser-Agent: by hand\r\n\r\n"),
      (.toClient, "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno"),
    ],
    [
      (.toServer, "GET /close HTTP/1.0\r\n\r\n"),
      (.toClient, "HTTP/1.0 200 OK\r\nContent-Encoding: br\r\n\r\nnot brotli at all, and up to the close"),
    ],
  ]

  private struct Piece {
    var direction: Direction
    var bytes: [UInt8]
    var offset: UInt64
  }

  /// What is told of a conversation in pieces, without the packets.
  private static func told(_ pieces: [Piece]) -> [String] {
    var dialogue = Dialogue(isMidstream: false)
    var events: [Event] = []
    var packet = PacketRef(number: 0, time: .zero)
    for piece in pieces {
      packet.number += 1
      dialogue.consume(
        CitedBytes(piece.bytes.span, at: piece.offset, in: packet, released: packet), piece.direction, into: &events)
    }
    for direction in Direction.allCases { dialogue.finish(SideEnd(.fin, packet), direction, into: &events) }
    dialogue.close(into: &events)
    return events.map(words)
  }

  private static func words(_ event: Event) -> String {
    switch event {
    case .exchange(let exchange):
      return "\(exchange.number) \(exchange.title)" + exchange.messages.map(words).joined()
    case .stray(let stray, let direction, let exchange): return "stray \(stray.words) \(direction) \(exchange.number)"
    default: return "other"
    }
  }

  private static func words(_ message: Message) -> String {
    let head = message.head.map { String(decoding: $0.block.bytes, as: UTF8.self) } ?? "-"
    let chunks = message.chunks.map { "\($0.count) \($0.smallest) \($0.largest) \($0.framing)" } ?? "-"
    let end = message.end.map { "\($0.outcome) \($0.offset)" } ?? "-"
    let content = message.content.map { "\($0.codings) \($0.bytes)" } ?? ""
    let parts: [String] = [
      head, "\(message.bodyBytes)", chunks, end, "\(message.leniences.map(\.kind))", "\(message.errors.map(\.kind))",
      "\(message.trailers?.fields.count ?? 0)", String(decoding: message.opening, as: UTF8.self),
      "\(MessageRecord.milestones.filter { message.reached($0) != nil })", content,
    ]
    return "\n  " + parts.joined(separator: " ")
  }

  /// Cuts what each side says at random, and keeps the turns.
  private static func cut(
    _ conversation: [(Direction, String)], _ random: inout SplitMix64, most: Int
  ) -> [Piece] {
    var offsets = BothDirections<UInt64>(repeating: 0)
    var pieces: [Piece] = []
    for (direction, text) in conversation {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let length = min(rest.count, 1 + Int(random.next() % UInt64(most)))
        pieces.append(Piece(direction: direction, bytes: Array(rest.prefix(length)), offset: offsets[direction]))
        offsets[direction] += UInt64(length)
        rest = rest.dropFirst(length)
      }
    }
    return pieces
  }

  @Test("10,000 ways to cut both directions tell the same.", arguments: conversations.indices)
  func cuts(_ index: Int) {
    let conversation = Self.conversations[index]
    var random = SplitMix64(seed: 0x5EED + UInt64(index))
    let whole = Self.told(Self.cut(conversation, &random, most: 1 << 20).map { $0 })
    #expect(!whole.isEmpty)
    var differing = 0
    for round in 0..<3_400 {
      let most = [1, 3, 16, 200][round % 4]
      let told = Self.told(Self.cut(conversation, &random, most: most))
      if told != whole {
        differing += 1
        if differing == 1 { #expect(told == whole) }
      }
    }
    #expect(differing == 0)
  }
}

extension Stray {
  fileprivate var words: String {
    switch self {
    case .lenience(let lenience): "\(lenience.kind)"
    case .error(let error): "\(error.kind)"
    }
  }
}
