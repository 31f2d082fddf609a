import Citation
import Events
import HTTPSemantics

/// proxy/premature-request-terminator with both sides to prove it: the client sent more than the server got, and what the
/// server got has its end.
struct EndedUpload: Sendable {
  func judge(_ pair: ComparedPair) -> Finding? {
    guard let passage = pair.passage, !passage.isSameConnection,
      let sent = pair[passage.outer].record.request, let got = pair[passage.outer.other].record.request,
      let terminator = got.chunks?.terminator?.first, got.isComplete, sent.isWhollyCaptured,
      sent.bodyBytes > got.bodyBytes, let lastSent = sent.lastBody
    else { return nil }
    let inner = passage.outer.other
    let answered = pair[inner].record.response?.first
    var evidence = [
      Evidence(.packet(lastSent, .toServer), "the client's last data, \(Wording.bytes(sent.bodyBytes)) in all")
        .from(passage.outer),
      Evidence(.packet(terminator, .toServer), "the proxy's last chunk, after \(Wording.bytes(got.bodyBytes))")
        .from(inner),
    ]
    if let answered { evidence.append(Evidence(.packet(answered, .toClient), "the answer began").from(inner)) }
    let after = answered.flatMap { answered -> Int64? in
      terminator.number > answered.number ? terminator.time.since(answered.time) : nil
    }
    let when = after.map { ", \(Wording.duration($0)) after the answer had begun" } ?? ""
    return pair.finding(
      PrematureRequestTerminator.info, confidence: .high, of: inner, .toServer,
      """
      \(pair.title): the client sent \(Wording.bytes(sent.bodyBytes)) in \
      \(Wording.count(sent.chunks?.count ?? 0, "chunk")), and the server got \(Wording.bytes(got.bodyBytes)) with a last \
      chunk that the proxy wrote\(when).
      """,
      cost: .lost(bytes: sent.bodyBytes - got.bodyBytes),
      fix: """
        Proxy: pass both bodies at the same time; do not end a request's because the response has begun. Until then use \
        one request for each direction, or WebSocket.
        """, evidence: evidence)
  }
}
