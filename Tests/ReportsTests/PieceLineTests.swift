import Citation
import Events
import Testing

@testable import Reports

@Suite("Lines of pieces")
struct PieceLineTests {
  private static let context = ResultContext(origin: .zero, redaction: Redaction(isOn: true, salt: [1]), file: "a.pcap")

  private static func piece(
    _ kind: Item.Kind, _ direction: Direction, _ key: ExchangeKey, first: PacketRef, completed: PacketRef,
    bytes: UInt64, label: String = ""
  ) -> Shared<Item> {
    var piece = Item(kind, direction, first: first, completed: completed, bytes: bytes)
    piece.key = key
    piece.label = label
    return Shared(piece)
  }

  private static func packet(_ number: UInt64, _ nanoseconds: Int64) -> PacketRef {
    PacketRef(number: number, time: Timestamp(nanoseconds: nanoseconds))
  }

  private static let plain = piece(
    .event, .toClient, ExchangeKey(connection: 2, number: 3), first: packet(7, 5), completed: packet(9, 1_500_000_000),
    bytes: 120, label: "tick")

  /// Nothing is shorter than the first or longer than the second, of any field.
  private static let pieces = [
    piece(
      .record, .toServer, ExchangeKey(connection: 0, number: 0), first: packet(0, 0), completed: packet(0, 0), bytes: 0),
    piece(
      .binary, .toClient, ExchangeKey(connection: .max, number: .max), first: packet(.max, .min),
      completed: packet(.max, .max), bytes: .max, label: "\u{1B}\"</script>"),
    piece(
      .comment, .toServer, ExchangeKey(connection: 1, number: 1), first: packet(1, .max), completed: packet(2, .min),
      bytes: 1 << 53),
    plain,
  ]

  private static func line(_ piece: Shared<Item>, _ form: JSONWriter.Form, capture: String, isSecond: Bool) -> [UInt8] {
    var rows = RowContext(capture: capture)
    var json = JSONWriter(form)
    if isSecond {
      var before = piece
      before.value.completed.time = Timestamp(nanoseconds: -7)
      _ = rows.gap(before: before.value)
    }
    json.object { $0.line(.piece(piece), &rows, context) }
    return json.bytes
  }

  @Test("A line in one piece says what its fields say one by one.", arguments: pieces.indices, [true, false])
  func sameAsFields(at: Int, isSecond: Bool) throws {
    for capture in ["", "t0", String(repeating: "9", count: 64)] {
      let line = Self.line(Self.pieces[at], .documentLine, capture: capture, isSecond: isSecond)
      // The indented form has no short way.
      let fields = Self.line(Self.pieces[at], .document, capture: capture, isSecond: isSecond)
      #expect(try DocumentParser.parse(line) == DocumentParser.parse(fields))
    }
  }

  @Test("The fields stand in the order in which readers know them.")
  func order() {
    let line = String(decoding: Self.line(Self.plain, .documentLine, capture: "c1", isSecond: true), as: UTF8.self)
    #expect(
      line == """
        {"type":"event","time":"1970-01-01T00:00:01.500000000Z","captureId":"c1","uid":"c1-2-3","connection":2,\
        "gapNs":1500000007,"kind":"event","exchange":3,"direction":"toClient","ns":1500000000,"spanNs":1499999995,\
        "packet":9,"firstPacket":7,"bytes":120,"label":"tick"}
        """)
  }
}
