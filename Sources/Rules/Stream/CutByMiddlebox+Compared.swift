import Citation
import Events

extension CutByMiddlebox {
  /// With both ends to prove it: each was reset in the name of the other, and neither did it.
  static func judge(_ pair: ComparedPair, _ terms: ComparisonTerms, report: (Finding) -> Void) {
    guard let passage = pair.passage, passage.isSameConnection else { return }
    let outer = pair[passage.outer].connection.end
    let inner = pair[passage.outer.other].connection.end
    guard outer.kind == .reset, outer.by == .server, let atClient = outer.packet,
      !(inner.kind == .reset && inner.by == .server)
    else { return }
    var evidence = [Evidence(.packet(atClient, .toClient), "reset in the server's name").from(passage.outer)]
    var words = "the server's side shows that it sent none"
    if inner.kind == .reset, let atServer = inner.packet {
      evidence.append(Evidence(.packet(atServer, .toServer), "reset in the client's name").from(passage.outer.other))
      words = "the server was reset in the client's name, which sent none"
    } else if let last = inner.packet ?? Optional(pair[passage.outer.other].connection.lastPacket) {
      evidence.append(Evidence(.packet(last, nil), "how it ends on the server's side").from(passage.outer.other))
    }
    report(
      pair.finding(
        info, confidence: .high, of: passage.outer, .toClient,
        "\(pair.title): the client was reset in the server's name, and \(words): a middlebox between the two points did.",
        cost: .failed(.connection), fix: info.fix, evidence: evidence))
  }
}
