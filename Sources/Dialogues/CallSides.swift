import Citation
import Events
import HTTPSemantics

extension ExchangeRecord {
  /// Notes what a message that is over has to say as one side of a call of gRPC.
  ///
  /// HTTP/1 carries the calls of web pages, and those that a proxy passes on where it must not.
  mutating func noteCall(in message: Message) {
    guard message.isReadByItem, let side = message.stream?.call else { return }
    var call = grpc ?? GRPCRecord()
    call.isWeb = message.head?.block.grpcType != .plain
    call.sides[message.direction] = side
    grpc = call
  }
}
