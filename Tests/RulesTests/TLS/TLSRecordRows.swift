import Events
import Support

enum TLSRecordRows {
  private typealias S = TLSScript
  private static let stall: RuleID = "tls/record-stall"
  static let rows: [RuleRow] = tiny + splits + bigFirst + stalls + beats + shapes

  private static func many(_ count: Int, _ size: Int) -> [UInt8] { (0..<count).flatMap { _ in S.data(size) } }

  private static let tiny: [RuleRow] = [
    .fires(
      "tls/tiny-records", "A line a record, thirty at a time.",
      S.to() + S.open() + S.up(many(30, 20), "①") + "+2s\n" + S.up(many(30, 20), "②") + S.down(S.data(50)) + S.orderly,
      at: [1, 2], .toServer, count: 60, says: "60 records in 2 bursts, half of them with 20 B or less; 59 %"),
    .silent(
      "tls/tiny-records", "As small, but one by one.",
      S.to() + S.open() + String(repeating: "+30ms\n" + S.up(S.data(20)), count: 60) + S.down(S.data(50)) + S.orderly),
    .silent(
      "tls/tiny-records", "At once, and not small.",
      S.to() + S.open() + S.up(many(60, 90)) + S.down(S.data(50)) + S.orderly),
  ]

  private static let splits: [RuleRow] = [
    .fires(
      "tls/record-split-message", "A byte alone, three times, and the rest behind it.",
      S.to() + S.open() + S.up(S.data(1) + S.data(200), "①")
        + String(
          repeating: "+50ms\n" + S.up(S.data(1) + S.data(200)), count: 2) + S.down(S.data(50)) + S.orderly, at: [1],
      .toServer, count: 3, says: "3 times, which TLS 1.2 does not need"),
    .silent(
      "tls/record-split-message", "Once is chance.",
      S.to() + S.open() + S.up(S.data(1) + S.data(200)) + S.down(S.data(50)) + S.orderly),
  ]

  private static func big(_ wait: String, _ size: Int = 12_000, _ from: String = "", _ to: String = "") -> String {
    let record = S.data(size)
    return S.up(S.data(90)) + S.down(Array(record[..<1_400]), from) + wait + S.down(Array(record[1_400...]), to)
  }

  private static let bigFirst: [RuleRow] = [
    .fires(
      "tls/big-record-first-byte", "Twelve thousand bytes in two flights.",
      S.to() + S.open() + big("+30ms\n", 12_000, "①", "②") + S.orderly, at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 31_000_000), says: "has 12,024 B and took 31.0 ms to come"),
    .silent("tls/big-record-first-byte", "In one flight.", S.to() + S.open() + big("") + S.orderly),
    .silent(
      "tls/big-record-first-byte", "A record of four segments.", S.to() + S.open() + big("+30ms\n", 5_000) + S.orderly),
    .silent(
      "tls/big-record-first-byte", "It stood still much longer than a window's wait: another rule's.",
      S.to() + S.open() + big("> ACK\n+400ms\n") + S.orderly),
  ]

  private static let record = S.data(2_000)
  private static let front = Array(record[..<500])
  private static let back = Array(record[500...])

  private static let stalls: [RuleRow] = [
    .fires(
      stall, "The end of the record comes a third of a second late.",
      S.to() + S.open() + S.up(front, "①") + "< ACK\n+300ms\n" + S.up(back, "②") + S.down(S.data(50)) + S.orderly,
      at: [1, 2],
      .toServer, cost: .delay(nanoseconds: 302_000_000),
      says: "A record of 2,024 B of the client took 0.302 s from its first byte to its last, with a pause of 0.302 s"),
    .fires(
      stall, "Cut in the header, and again later.",
      S.to() + S.open13() + S.up(S.data13(20)) + S.down(Array(S.data13(300)[..<3]), "①") + "> ACK\n+150ms\n"
        + S.down(Array(S.data13(300)[3..<100]), "②") + "> ACK\n+250ms\n" + S.down(Array(S.data13(300)[100...]), "③")
        + S.orderly13, at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 404_000_000), says: "a pause of 0.252 s"),
    .silent(
      stall, "A piece was lost on the way.",
      S.to() + S.open() + S.up(front) + S.up(Array(back[..<700]), "!lost") + S.up(Array(back[700...])) + "+300ms\n"
        + S.up(Array(back[..<700]), "@\(sentByClient + 500)") + S.down(S.data(50)) + S.orderly),
    .silent(
      stall, "By its sender's clock the rest was sent at once: the network held it.",
      S.to() + S.open(S.hello(), "ts=1000/1") + S.up(front, "ts=1010/1") + "< ACK\n+1s\n" + S.up(back, "ts=1040/1")
        + S.down(S.data(50)) + S.orderly),
    .silent(
      stall, "The server's window was shut.",
      S.to() + S.open() + S.up(front) + "< ACK win=0\n+300ms\n< ACK\n" + S.up(back) + S.down(S.data(50)) + S.orderly),
    .silent(
      stall, "What follows waited for an acknowledgement: the congestion window was full.",
      S.to() + S.open() + S.up(front) + "+300ms\n< ACK\n" + S.up(back) + S.down(S.data(50)) + S.orderly),
    .silent(
      stall, "Bytes before it were still under way.",
      S.to() + S.open() + S.up(front) + "+300ms\n" + S.up(back) + "< ACK\n" + S.down(S.data(50)) + S.orderly),
    .silent(
      stall, "A tenth of a second.",
      S.to() + S.open() + S.up(front) + "+100ms\n" + S.up(back) + S.down(S.data(50)) + S.orderly),
    .silent(
      stall, "Two records, a third of a second apart.",
      S.to() + S.open() + S.up(record) + "+300ms\n" + S.up(record) + S.down(S.data(50)) + S.orderly),
    .silent(
      stall, "Slow and even, as a thin line is.",
      S.to() + S.open()
        + stride(from: 0, to: record.count, by: 200).map {
          "+30ms\n" + S.up(Array(record[$0..<min($0 + 200, record.count)]))
        }.joined() + S.down(S.data(50)) + S.orderly),
  ]

  private static let sentByClient = S.hello().count + S.clientEnd.count

  private static func beat(_ gaps: [String], _ size: Int = 13) -> String {
    gaps.enumerated().map { index, gap in
      gap + S.down(S.data13(size), index == 0 ? "①" : index == gaps.count - 1 ? "②" : "")
    }.joined()
  }

  private static let beats: [RuleRow] = [
    .fires(
      "tls/chunk-inference", "A comment every two seconds.",
      S.to() + S.open13() + S.up(S.data13(90)) + beat(["+2s\n", "+2s\n", "+2s\n", "+2s\n", "+2s\n"]) + S.orderly13,
      at: [1, 2], .toClient, count: 5, says: "5 records of one length (13 B of plaintext), 2.001 s to 2.001 s apart"),
    .silent(
      "tls/chunk-inference", "No beat.",
      S.to() + S.open13() + S.up(S.data13(90))
        + beat(["+2s\n", "+1s\n", "+5s\n", "+2s\n", "+9s\n"]).replacing("①", with: "").replacing("②", with: "")
        + S.orderly13),
  ]

  private static func pings(_ client: Int, marked: Bool = false) -> String {
    (0..<3).map { index in
      "+20s\n" + S.down(S.data13(6), index == 0 && marked ? "①" : "")
        + S.up(S.data13(client), index == 0 && marked ? "②" : "")
    }.joined()
  }

  private static let shapes: [RuleRow] = [
    .fires(
      "ws/tls-shape", "Pings of the server, and masked pongs.",
      S.to() + S.open13() + S.up(S.data13(300)) + S.down(S.data13(130)) + pings(10, marked: true) + S.orderly13,
      at: [1, 2], count: 3, says: "Frames of 6 B of the server and 10 B of the client go to and fro"),
    .silent(
      "ws/tls-shape", "Answers of the same length as what they answer.",
      S.to() + S.open13() + S.up(S.data13(300)) + S.down(S.data13(130)) + pings(6) + S.orderly13),
    .silent(
      "ws/tls-shape", "HTTP/2 may be spoken.",
      S.to() + S.open13(S.hello13(protocols: TLSWire.protocols("h2", "http/1.1"))) + S.up(S.data13(300))
        + S.down(S.data13(130)) + pings(10) + S.orderly13),
  ]
}
