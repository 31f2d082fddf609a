import Events

/// What assertions can be made about.
package enum AssertionSeries: Int, CaseIterable, Sendable {
  // Of exchanges.
  case exchanges, requests, wait, firstBody, total, requestBytes, responseBytes
  case streams, sseFirstEvent, h2Reset, h2Blocked
  case llmAnswers, llmFirstToken, llmGap, llmTimePerToken, llmDuration, llmTokens
  // Of the pieces of streams.
  case sseEvents, sseGap, ndjsonLines, ndjsonGap, grpcMessages, grpcGap, chunkGap, streamGap, wsMessages, wsGap
  // Of connections.
  case connections, tcpHandshake, tcpRetransmitted, tcpMissing, tlsHandshake, websockets, wsRoundTrip, wsClose
  case findings
  // Of the capture.
  case capturePackets, captureDuration, captureDropped, captureMissing

  /// What its things are.
  package enum Subject: Sendable { case exchange, piece, connection, finding, capture }

  package var subject: Subject {
    switch self {
    case .exchanges, .requests, .wait, .firstBody, .total, .requestBytes, .responseBytes, .streams, .sseFirstEvent,
      .h2Reset, .h2Blocked, .llmAnswers, .llmFirstToken, .llmGap, .llmTimePerToken, .llmDuration, .llmTokens:
      .exchange
    case .sseEvents, .sseGap, .ndjsonLines, .ndjsonGap, .grpcMessages, .grpcGap, .chunkGap, .streamGap, .wsMessages,
      .wsGap:
      .piece
    case .connections, .tcpHandshake, .tcpRetransmitted, .tcpMissing, .tlsHandshake, .websockets, .wsRoundTrip,
      .wsClose:
      .connection
    case .findings: .finding
    case .capturePackets, .captureDuration, .captureDropped, .captureMissing: .capture
    }
  }

  package var name: String {
    switch self {
    case .exchanges: "exchanges"
    case .requests: "http.requests"
    case .wait: "http.wait"
    case .firstBody: "http.firstBody"
    case .total: "http.total"
    case .requestBytes: "http.requestBytes"
    case .responseBytes: "http.responseBytes"
    case .streams: "streams"
    case .sseFirstEvent: "sse.firstEvent"
    case .h2Reset: "h2.reset"
    case .h2Blocked: "h2.blocked"
    case .llmAnswers: "llm.answers"
    case .llmFirstToken: "llm.firstToken"
    case .llmGap: "llm.gap"
    case .llmTimePerToken: "llm.timePerToken"
    case .llmDuration: "llm.duration"
    case .llmTokens: "llm.tokens"
    case .sseEvents: "sse.events"
    case .sseGap: "sse.gap"
    case .ndjsonLines: "ndjson.lines"
    case .ndjsonGap: "ndjson.gap"
    case .grpcMessages: "grpc.messages"
    case .grpcGap: "grpc.gap"
    case .chunkGap: "chunk.gap"
    case .streamGap: "stream.gap"
    case .wsMessages: "ws.messages"
    case .wsGap: "ws.gap"
    case .connections: "connections"
    case .tcpHandshake: "tcp.handshake"
    case .tcpRetransmitted: "tcp.retransmitted"
    case .tcpMissing: "tcp.missing"
    case .tlsHandshake: "tls.handshake"
    case .websockets: "websockets"
    case .wsRoundTrip: "ws.rtt"
    case .wsClose: "ws.close"
    case .findings: "findings"
    case .capturePackets: "capture.packets"
    case .captureDuration: "capture.duration"
    case .captureDropped: "capture.dropped"
    case .captureMissing: "capture.missing"
    }
  }

  package var values: Series.Values {
    switch self {
    case .exchanges, .streams, .llmAnswers, .connections, .websockets, .findings: .counted(ofCapture: true)
    case .requests, .h2Reset, .sseEvents, .ndjsonLines, .grpcMessages, .wsMessages, .wsClose: .counted(ofCapture: false)
    case .wait, .firstBody, .total, .sseFirstEvent, .h2Blocked, .sseGap, .ndjsonGap, .grpcGap, .chunkGap, .streamGap,
      .wsGap, .tcpHandshake, .tlsHandshake, .wsRoundTrip, .llmFirstToken, .llmGap, .llmTimePerToken, .llmDuration:
      .many(.duration)
    case .llmTokens: .many(.number)
    case .requestBytes, .responseBytes, .tcpRetransmitted, .tcpMissing: .many(.size)
    case .capturePackets, .captureDropped: .one(.number)
    case .captureDuration: .one(.duration)
    case .captureMissing: .one(.size)
    }
  }

  var own: [SampleField] {
    switch self {
    case .sseEvents, .sseGap: [.bytes, .event]
    case .ndjsonLines, .ndjsonGap: [.bytes]
    case .grpcMessages, .grpcGap, .chunkGap, .streamGap: [.bytes, .direction]
    case .wsMessages, .wsGap: [.bytes, .direction, .binary]
    case .wsClose, .h2Reset: [.code, .by]
    default: []
    }
  }

  /// A finding comes while its connection goes on, and nothing else of it is asked.
  private var fields: [SubjectField] {
    switch subject {
    case .exchange, .piece: SubjectField.allCases.filter { $0.level <= .exchange }
    case .connection: SubjectField.allCases.filter { $0.level == .connection }
    case .finding: SubjectField.allCases.filter { $0.level == .finding }
    case .capture: []
    }
  }

  package var series: Series {
    let names = Set(fields.map(\.name))
    let own = own.map(\.field)
    assert(own.allSatisfy { !names.contains($0.name) })
    return Series(
      name, id: rawValue, values,
      Vocabulary(
        own + SubjectField.vocabulary.fields.filter { field in fields.contains { $0.rawValue == field.id } }))
  }

  package static let catalogue = allCases.map(\.series)

  /// The names of what `where` can ask beside the fields of --where.
  package var ownFields: [(name: String, meaning: String)] { own.map { ($0.field.name, $0.meaning) } }

  package var meaning: String {
    switch self {
    case .exchanges: "requests with their responses, even if one of the two is missing."
    case .requests: "requests whose head was captured."
    case .wait: "from a request's head to the first byte of the response."
    case .firstBody: "from a request's head to the first byte of the response's body."
    case .total: "from the first byte of a request to the last byte of its response."
    case .requestBytes: "size of a request body, without chunk framing."
    case .responseBytes: "size of a response body, without chunk framing."
    case .streams: "responses that are event streams, NDJSON, several messages of gRPC, or chunks sent in bursts."
    case .h2Reset: "streams of HTTP/2 that a side reset."
    case .h2Blocked: "how long an exchange of HTTP/2 had data to send and no credit: its longer direction."
    case .sseFirstEvent: "from a request's head to the end of the first event."
    case .llmAnswers: "answers of language models, streamed."
    case .llmFirstToken: "from a request's head to the first delta with content."
    case .llmGap: "between the ends of consecutive deltas of an answer; percentiles and means are within five per cent."
    case .llmTimePerToken: "from an answer's first delta to the last, for each token after the first."
    case .llmDuration: "from a request's head to the end of the answer."
    case .llmTokens: "tokens of an answer: as the server counts them, else deltas."
    case .sseEvents: "events of event streams, without comments."
    case .sseGap: "between the ends of consecutive events of a stream."
    case .ndjsonLines: "lines of NDJSON, without empty ones."
    case .ndjsonGap: "between the ends of consecutive lines."
    case .grpcMessages: "messages of calls of gRPC, both directions."
    case .grpcGap: "between the ends of consecutive messages of one side of a call."
    case .chunkGap: "between the ends of consecutive chunks of a body."
    case .streamGap: "sse.gap, ndjson.gap, grpc.gap and, for other streams, chunk.gap."
    case .wsMessages: "WebSocket messages, both directions."
    case .wsGap: "between the ends of consecutive messages of one side."
    case .connections: "TCP connections."
    case .tcpHandshake: "the round trip time of the handshake, both halves."
    case .tcpRetransmitted: "retransmitted bytes of a connection, both directions."
    case .tcpMissing: "bytes of a connection missing from the capture, both directions."
    case .tlsHandshake: "from the ClientHello to the later Finished."
    case .websockets: "WebSocket connections."
    case .wsRoundTrip: "from a ping to its pong; percentiles and means are within five per cent."
    case .wsClose: "how a WebSocket connection ended, one for each that did."
    case .findings: "findings, lint included."
    case .capturePackets: "packets read."
    case .captureDuration: "from the first packet to the last."
    case .captureDropped: "packets that the capturing host reports as dropped."
    case .captureMissing: "stream bytes missing from the capture."
    }
  }
}
