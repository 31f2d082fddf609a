import Events
import HTTPSemantics

/// A coding that the client did not accept.
enum EncodingUnaccepted: GRPCCallRule {
  static let info = RuleInfo(
    id: "grpc/encoding-unaccepted", severity: .warning,
    summary: "A call was answered in an encoding that the client did not name.",
    explanation: "The client fails the call with UNIMPLEMENTED.",
    evidence: "Both fields.",
    fix: "Server: choose from grpc-accept-encoding.",
    specifications: [.grpcProtocol], since: "0.1")

  static func judge(_ call: GRPCCall, in context: FlowContext, report: (Finding) -> Void) {
    guard let head = call.response?.head, let field = head.block.first("grpc-encoding") else { return }
    let coding = head.block.value(field).lowercased()
    let accepted = call.asked.block.elements("grpc-accept-encoding").map { call.asked.block.text(of: $0).lowercased() }
    guard coding != "identity", !accepted.contains(coding), !call.asked.block.lacksFields else { return }
    var evidence = [GRPCCall.evidence(field, head.block, .toClient, "grpc-encoding")]
    if let asked = call.asked.block.first("grpc-accept-encoding") {
      evidence.append(GRPCCall.evidence(asked, call.asked.block, .toServer, "grpc-accept-encoding"))
    }
    report(
      finding(
        call, context, .toClient, "the response is encoded with \(coding), which the client does not accept",
        cost: .failed(.exchange), evidence))
  }
}
