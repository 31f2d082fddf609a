import Citation
import Events
import HTTPSemantics

/// Time that ran out.
enum DeadlineExceeded: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/deadline-exceeded", severity: .warning,
    summary: "A call ended because its deadline passed.",
    explanation: """
      The client set a time for the call, and gave it up then, or the server said that it was over. Either the \
      server is slow, or the time is too short.
      """,
    evidence: "The request, and what ended the call.",
    fix: "Server: find out what took so long. Client: allow as much time as the call needs.",
    specifications: [.grpcDeadlines],
    causedBy: ["tcp/retransmission-gap", "tcp/path-stall", "tcp/host-silent"], since: "0.1")

  static var takesWeb: Bool { true }

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let start = call.request.headReleased else { return }
    let end: (packet: PacketRef, by: Direction)
    if call.code == 4, let last = call.response?.last {
      end = (last, .toClient)
    } else if call.exchange.end.resetCode == 8, let closing = call.exchange.end.closing, closing.by == .toServer,
      let at = closing.at
    {
      end = (at, .toServer)
    } else {
      return
    }
    guard let timeout = call.timeout else { return }
    let lasted = end.packet.time.since(start.time)
    let tolerance = max(50_000_000, (context.roundTrip.total ?? 0) &+ 20_000_000, timeout / 20)
    // A client on a busy machine is late; what it gives up before is not over its deadline.
    guard lasted >= timeout &- tolerance, end.by == .toServer || lasted <= timeout &+ tolerance else { return }
    report(
      finding(
        call, context, end.by,
        "the deadline of \(Wording.duration(timeout)) passed, and the call was given up after \(Wording.duration(lasted))",
        cost: .failed(.exchange),
        [
          Evidence(.packet(start, .toServer), "grpc-timeout"),
          Evidence(.packet(end.packet, end.by), end.by == .toServer ? "CANCEL" : "DEADLINE_EXCEEDED"),
        ]))
  }
}
