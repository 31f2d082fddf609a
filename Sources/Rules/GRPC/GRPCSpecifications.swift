import Events

extension Specification {
  static let grpcProtocol = Specification(
    "gRPC over HTTP/2", "https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md")
  static let grpcStatusMapping = Specification(
    "HTTP to gRPC status", "https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md")
  static let grpcStatusCodes = Specification("gRPC status codes", "https://grpc.io/docs/guides/status-codes/")
  static let grpcDeadlines = Specification("gRPC deadlines", "https://grpc.io/docs/guides/deadlines/")
}
