import Arguments
import Conditions
import Engine

/// What the full help says of --where: the language, and everything that can be asked about.
enum ConditionHelp {
  static let sections = [
    Program.Section(
      "Conditions of --where",
      [
        .init("FIELD OP VALUE", "OP is == != < <= > >=, for texts == and != alone."),
        .init(
          "FIELD like \"…\"",
          "A text with * for any characters, ? for one, and \\ before one that is meant; ilike ignores case."
        ),
        .init("FIELD in (…, …)", "Equal to one of them."),
        .init("FLAG", "A flag stands alone."),
        .init("and or not ( )", "not binds most, then and, then or."),
        .init(
          "values",
          "42, 1.5; 250ms, 1.5s, 2m, 10us; 512B, 1MB, 64KiB; 200, 2xx; \"text\" or 'text' with \\\" \\n \\u{…}; a time is a "
            + "duration since the first packet, or a text as for --from."),
        .init(
          "what is kept",
          "Exchanges of which it is true, connections with such an exchange, and what was found about them; findings about the "
            + "capture as a whole stay. A condition that names only what connections have is asked of connections, and keeps all "
            + "of their exchanges; one that names what findings have is asked of findings, and keeps what they are about. A "
            + "connection without exchanges is asked itself."),
        .init(
          "what is not there",
          "A comparison with it is false, also with !=: status != 200 is false without a response, not status == 200 is true."
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
    case .connection: "as reports count."
    case .clientIP: "of the side that opened the connection."
    case .clientPort: "its port."
    case .serverIP: "of the other side."
    case .serverPort: "its port."
    case .server: "its name in lower case, as the client asked for it or a name server gave it."
    case .tls: "TLS is spoken."
    case .sni: "the name in the ClientHello."
    case .alpn: "what the server chose."
    case .protocols: "each of tls, http/1.1, sse, websocket that is spoken; any of them may match."
    case .midstream: "the capture begins after the connection."
    case .retransmitted: "bytes sent again, both ways."
    case .missing: "bytes that the capture lacks, both ways."
    case .closeCode: "of the first WebSocket Close; 1005 where it has none, 1006 where the end came without one."
    case .hurt: "a diagnosis names it; an exchange also where one names its connection as a whole."
    case .start: "of the exchange or, asked of connections, of the connection."
    case .end: "the same."
    case .duration: "from start to end."
    case .method: "of the request, as sent."
    case .host: "the Host field in lower case."
    case .path: "the target without scheme, host and query."
    case .target: "as sent, with the query."
    case .status: "of the final response."
    case .version: "1.0 or 1.1."
    case .kind:
      "plain, chunked, sse, ndjson, longpoll (held 2 s or more), websocket or tunnel; of a connection without exchanges websocket, tls or tcp."
    case .type: "the media type of the response, in lower case without parameters."
    case .agent: "the User-Agent."
    case .wait: "from the request's head to the first byte of the response."
    case .firstBody: "from the request's head to the first byte of the response's body."
    case .total: "from the first byte to the last."
    case .gap: "the longest pause inside a body, or between two messages of a WebSocket."
    case .requestBytes: "of its body, without chunk framing."
    case .responseBytes: "the same of the response."
    case .complete: "request and response are whole."
    case .rule: "its id."
    case .severity: "error, warning or note."
    case .confidence: "high, medium or low."
    case .diagnosis: "it cost somebody something."
    case .cost: "the delay."
    case .lost: "the bytes lost."
    case .failed: "an exchange or a connection failed."
    }
  }
}
