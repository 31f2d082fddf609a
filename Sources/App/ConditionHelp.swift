import Arguments
import Engine
import Queries

/// The help on --where: the language, and all fields.
enum ConditionHelp {
  static let sections = [
    Program.Section(
      "Conditions of --where",
      [
        .init("FIELD OP VALUE", "OP is == != < <= > >=; for text only == and !=."),
        .init(
          "FIELD like \"…\"",
          "A pattern: * is any characters, ? is one, \\ escapes either; ilike ignores case."
        ),
        .init("FIELD in (…, …)", "Equal to one of the values."),
        .init("FLAG", "True where the flag is set."),
        .init("and or not ( )", "not binds tightest, then and, then or."),
        .init(
          "values",
          "42, 1.5; 250ms, 1.5s, 2m, 10us; 512B, 1MB, 64KiB; 200, 2xx; \"text\" or 'text' with \\\" \\n \\u{…}; a time is a "
            + "duration since the first packet, or text as for --from."),
        .init(
          "what is kept",
          "Matching exchanges, the connections that carry them, and findings about either; findings about the whole capture "
            + "stay. A condition on connection fields alone selects connections, with all their exchanges. One with finding "
            + "fields selects findings, with the exchanges and connections they are about. A connection without exchanges is "
            + "tested itself."),
        .init(
          "missing values",
          "A comparison with a missing value is false, even !=. Without a response, status != 200 is false, and "
            + "not status == 200 is true."
        ),
      ]),
    fields("Fields of connections", .connection), fields("Fields of exchanges", .exchange),
    fields("Fields of findings", .finding),
  ]

  private static func fields(_ title: String, _ level: SubjectField.Level) -> Program.Section {
    Program.Section(
      title, SubjectField.allCases.filter { $0.level == level }.map { .init($0.name, "\($0.kindName): \($0.meaning)") })
  }
}

extension SubjectField {
  fileprivate var kindName: String {
    switch kind {
    case .number: "number"
    case .duration: "duration"
    case .size: "size"
    case .status: "status"
    case .text: "text"
    case .time: "time"
    case .flag: "flag"
    }
  }

  fileprivate var meaning: String {
    switch self {
    case .connection: "its number in the report."
    case .clientIP: "address of the side that opened the connection."
    case .clientPort: "its port."
    case .serverIP: "address of the other side."
    case .serverPort: "its port."
    case .server: "its name in lower case, from the client's request or from DNS."
    case .tls: "the connection uses TLS."
    case .sni: "the name in the ClientHello."
    case .alpn: "the protocol the server chose."
    case .protocols: "tls, http/1.1, http/0.9, sse, websocket, as far as used; one has to match."
    case .midstream: "the capture started after the connection."
    case .retransmitted: "bytes retransmitted, both directions."
    case .missing: "bytes missing from the capture, both directions."
    case .closeCode: "of the first WebSocket Close; 1005 if it has none, 1006 if the connection ended without a Close."
    case .hurt: "it has a diagnosis; for an exchange, one about its whole connection counts, too."
    case .start: "start of the exchange or connection."
    case .end: "its end."
    case .duration: "from start to end."
    case .method: "the request's method, as sent."
    case .host: "the Host field in lower case."
    case .path: "the target without scheme, host and query."
    case .target: "the request target as sent, with the query."
    case .status: "status code of the final response."
    case .version: "1.0 or 1.1."
    case .kind:
      "plain, chunked, sse, ndjson, grpc, longpoll (held 2 s or more), websocket or tunnel; for a connection without exchanges websocket, tls or tcp."
    case .type: "the media type of the response, in lower case without parameters."
    case .agent: "the User-Agent."
    case .wait: "from the request's head to the first byte of the response."
    case .firstBody: "from the request's head to the first byte of the response's body."
    case .total: "from the first byte to the last."
    case .gap: "the longest pause inside a body, or between two messages of a WebSocket."
    case .requestBytes: "size of the request body, without chunk framing."
    case .responseBytes: "size of the response body, without chunk framing."
    case .complete: "request and response are both complete."
    case .rule: "the rule's id."
    case .severity: "error, warning or note."
    case .confidence: "high, medium or low."
    case .diagnosis: "it has a cost."
    case .cost: "the delay it caused."
    case .lost: "the bytes it lost."
    case .failed: "it made an exchange or a connection fail."
    }
  }
}
