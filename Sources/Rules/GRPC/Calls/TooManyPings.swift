import Events

/// A keep-alive that kills.
enum TooManyPings: ControlStoryRule {
  static let info = RuleInfo(
    id: "grpc/too-many-pings", severity: .error,
    summary: "A server of gRPC ended a connection because of too many pings.",
    explanation: """
      Servers allow a ping every five minutes unless data flows in between. The third one too early ends the \
      connection, with all calls on it.
      """,
    evidence: "The GOAWAY.",
    fix: "Client: keep alive every five minutes or more. Server: allow what its clients need.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let mark = story.goAways.first(where: { story.isTooManyPings($0) }) else { return }
    let pings = story.pingRun[mark.direction.opposite]
    var evidence = [mark.evidence("too_many_pings")]
    if let last = pings.last { evidence.append(last.evidence("the last PING")) }
    report(
      Finding(
        info, subject: .connection(context.id), direction: mark.direction,
        "The server ended the connection because of too many pings.", cost: .failed(.connection), fix: info.fix,
        evidence: evidence))
  }
}
