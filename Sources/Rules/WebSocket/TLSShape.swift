import Citation
import Events
import TLSSemantics

/// Small frames both ways that show through the encryption.
enum TLSShape: TLSRule {
  static let info = RuleInfo(
    id: "ws/tls-shape", severity: .note, confidence: .medium,
    summary: "An encrypted connection has the traffic pattern of a WebSocket.",
    explanation: """
      Implementations write a frame a record, and a client's frame is four bytes longer than the same one of the server, \
      for its mask. Pings and pongs of one length that come and go at a steady distance are therefore visible without any \
      key: that the connection is alive, how long the way takes, and which silence ended it.
      """,
    evidence: """
      The first record of each length. What is protected adds 22 bytes to a frame in TLS 1.3, header of the record \
      included. Something else may have such a beat; with HTTP/2 nothing is reported.
      """,
    fix: "Nothing to change. With a key log (--keylog) the frames themselves are read.",
    specifications: [.webSocket("5.2"), .rfc(8446, "5.2")], thresholds: [.beat], since: "0.1")

  /// What a ping with a short payload has, and its mask.
  private static let sizes = 2...127
  private static let mask = 4

  private struct Pair {
    var server: RepeatedLengths.Length
    var client: RepeatedLengths.Length
    var size: Int
  }

  static func isLikely(_ story: TLSStory) -> Bool { pair(story) != nil }

  private static func pair(_ story: TLSStory) -> Pair? {
    let session = story.session
    guard session.opening != .opened, let suite = session.cipherSuite, let version = session.version,
      story.isWhole(.toServer), story.isWhole(.toClient), mayBeHTTP1(session)
    else { return nil }
    let least = story.context.thresholds[.beat]
    let clients = session.sides[story.client].application.lengths.all.filter { $0.isSteady && $0.shortestGap >= least }
    let servers = session.sides[story.server].application.lengths.all.filter { $0.isSteady && $0.shortestGap >= least }
    for server in servers {
      guard let plain = suite.plaintext(ofBody: server.length, in: version), plain.lowerBound == plain.upperBound,
        sizes.contains(plain.upperBound),
        let client = clients.first(where: {
          $0.length == server.length + mask && $0.count.distance(to: server.count).magnitude <= 1
        })
      else { continue }
      return Pair(server: server, client: client, size: plain.upperBound)
    }
    return nil
  }

  private static func mayBeHTTP1(_ session: TLSSession) -> Bool {
    if let chosen = session.applicationProtocol { return chosen == "http/1.1" }
    return session.hellos.client.map { !$0.applicationProtocols.contains(Array("h2".utf8)) } ?? false
  }

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let pair = pair(story) else { return }
    let isServers = pair.server.first.number < pair.client.first.number
    let asks = Wording.sender(isServers ? story.server : story.client)
    report(
      story.finding(
        info, nil,
        "Frames of \(Wording.bytes(UInt64(pair.size))) of the server and \(Wording.bytes(UInt64(pair.size + mask))) of the client go to and fro, \(Wording.number(pair.server.count)) and \(Wording.number(pair.client.count)) of them every \(Wording.duration(pair.server.shortestGap)) or so: \(asks) pings, it seems.",
        [
          Evidence(.packet(pair.server.first, story.server), "a server's frame"),
          Evidence(.packet(pair.client.first, story.client), "four bytes longer: masked"),
        ], count: min(pair.server.count, pair.client.count)))
  }
}
