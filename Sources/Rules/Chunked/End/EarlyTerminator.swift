import Citation
import Events
import HTTPSemantics

/// Chunks behind the chunk that ended the body.
enum EarlyTerminator: SurplusChunkRule {
  static let info = RuleInfo(
    id: "chunked/early-terminator", severity: .error,
    summary: "More chunks follow the chunk that ended the body.",
    explanation: """
      A chunk of size zero is the end, whatever the sender meant. An application that writes an empty buffer (a \
      heartbeat, an empty message) through code that frames every write sends exactly that, and some boxes on the way \
      insert it when a request stays open. The receiver takes the message for complete; everything after it is garbage \
      to it: lost in a response, answered with 400 in a request, where another message is expected.
      """,
    evidence: "The first bytes behind the end, which are the size line of another chunk, with nothing between.",
    fix: """
      Sender: skip empty writes where chunks are framed; a heartbeat needs content. If the sender never wrote the empty \
      chunk, capture on both sides of each proxy to find who inserts it.
      """,
    specifications: [.chunkedCoding], since: "0.1")

  static func judge(_ surplus: BytesAfterTerminator.Story, in context: FlowContext, report: (Finding) -> Void) {
    guard surplus.isChunk else { return }
    report(
      surplus.finding(
        info,
        "\(surplus.sender) ended its chunked body with a chunk of size 0 and sent more chunks\(surplus.later), which belong to no message\(surplus.stumbled).",
        "another chunk behind it", cost: .failed(.exchange), in: context))
  }
}
