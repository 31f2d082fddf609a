import Citation
import Events
import HTTPSemantics

/// An exchange in a line: request, response, framing, and why it is unfinished.
struct ExchangeLine {
  /// Longer targets are cut in the middle.
  private static let targetLimit = 60
  /// The shortest hold worth showing.
  private static let holdFrom: Int64 = 500_000_000

  let exchange: ExchangeRecord
  let style: TextStyle

  /// The parts of the line, the first of which names the exchange.
  var parts: [String] {
    var parts = [title]
    if let request = exchange.request, request.framing != .none, request.bodyBytes > 0 || !request.isComplete {
      parts.append("up " + body(of: request))
    } else if let request = exchange.request, !request.isComplete {
      parts.append(unfinished(request, "request "))
    }
    for interim in exchange.interim { parts.append("first \(interim.status.code)") }
    if let response = exchange.response { parts.append(body(of: response)) }
    parts += items() + holds
    if style.timeline == .full { parts += exchange.notes }
    return parts
  }

  /// What there is to say behind its title and its sizes; of silences, not of those that are told elsewhere.
  func remarks(without told: Set<StreamPause.Cause>) -> [String] {
    var parts: [String] = []
    if let request = exchange.request, !request.isComplete { parts.append(unfinished(request, "request ")) }
    if let response = exchange.response, !response.isComplete { parts.append(unfinished(response)) }
    return parts + items(without: told)
  }

  private func items(without told: Set<StreamPause.Cause> = []) -> [String] {
    var parts: [String] = []
    if let asked = exchange.request?.stream, asked.items > 1 {
      parts.append("up \(Wording.count(asked.items, asked.kind.item))")
    }
    if let stream = exchange.stream, stream.kind != .chunked {
      if let answer = stream.answer {
        parts += AnswerWords(exchange: exchange, answer: answer, style: style).parts
      } else {
        parts.append(items(of: stream))
      }
    }
    for message in exchange.messages where !message.silence.causes.allSatisfy({ told.contains($0.cause) }) {
      let words = SilenceWords.summary(message.silence, message.direction, pauses: message.pauses)
      if let words { parts.append(words) }
    }
    return parts
  }

  private var title: String {
    if exchange.isJoined { return exchange.title }
    let asked = (exchange.request?.head ?? exchange.upgraded).map {
      style.shortened(EscapedText.text($0.requestTitle), to: Self.targetLimit)
    }
    let answered = exchange.answer ?? (exchange.isResponseMissing ? "response not captured" : "no response")
    let wait = exchange.wait.map { " in \(Wording.duration($0))" } ?? ""
    return
      "\(asked ?? (exchange.request == nil ? "(request not seen)" : "(unfinished request)")) \(style.joiner) \(answered)\(wait)"
  }

  /// `text/html, chunked, 3 chunks, 653 B, ended by last chunk`
  private func body(of message: Message) -> String {
    var words: [String] = []
    if let type = message.head?.block.contentType?.essence, !type.isEmpty {
      words.append(EscapedText.text(type))
    }
    if let content = message.content { words.append(EscapedText.text(content.codings)) }
    switch message.joined ?? message.framing {
    case .close where message.joined != nil: words.append(Wording.bytes(message.bodyBytes))
    case .none:
      if words.isEmpty || message.bodyBytes == 0 { words.append("no body") }
    case .length, .stream: words.append(Wording.bytes(message.bodyBytes))
    case .chunked:
      words.append("chunked")
      if let chunks = message.chunks, chunks.count > 0 { words.append(Wording.count(chunks.count, "chunk")) }
      words.append(Wording.bytes(message.bodyBytes))
    case .close: words.append("\(Wording.bytes(message.bodyBytes)) until the close")
    case .tunnel: words.append(exchange.opensWebSocket ? "then WebSocket" : "then another protocol")
    }
    if let content = message.content, content.outcome == .decoded {
      words.append("\(Wording.bytes(content.bytes)) decoded")
    }
    if message.isComplete {
      if message.joined ?? message.framing == .chunked { words.append("ended by last chunk") }
    } else {
      words.append(unfinished(message))
    }
    return words.joined(separator: ", ")
  }

  /// `24 events, first after 0.7 ms, gaps p50 0.200 s, max 0.201 s (#31 → #33)`
  private func items(of stream: ItemRecord) -> String {
    var words = [Wording.count(stream.items, stream.kind.item)]
    if let first = exchange.timeToFirstItem { words.append("first after \(Wording.duration(first))") }
    if let middle = stream.itemGaps.quantile(50), let most = stream.itemGaps.maximum {
      words.append("gaps p50 \(Wording.duration(middle))")
      let place = stream.longestGap.map { " (#\($0.from.number) \(style.joiner) #\($0.to.number))" } ?? ""
      words.append("max \(Wording.duration(most))\(place)")
    }
    if stream.comments > 0 {
      words.append(Wording.count(stream.comments, stream.kind == .sse ? "comment" : "empty line"))
    }
    return words.joined(separator: ", ")
  }

  /// Clients that would have received it late.
  private var holds: [String] {
    guard let first = exchange.response?.firstBody else { return [] }
    let own = exchange.request?.head.flatMap { ClientIdentity($0) }?.family
    return exchange.releases.filter { release in
      release.client != own && release.packet.time.since(first.time) >= Self.holdFrom
    }.map { release in
      "\(release.client.holder) would hold it for \(Wording.duration(release.packet.time.since(first.time)))"
    }
  }

  private func unfinished(_ message: Message, _ what: String = "") -> String {
    style.paint("\(what)UNFINISHED: \(message.incompleteness ?? "")", .warning)
  }
}

extension ExchangeRecord {
  /// `200`; of a call of gRPC with the status that it ended with, `200 NOT_FOUND`. nil where nothing answered.
  var answer: String? {
    guard let response else { return nil }
    let status = response.status.code > 0 ? "\(response.status.code)" : "a reply"
    guard isCall, let code = grpcStatus else { return status }
    return "\(status) \(GRPCStatus.name(UInt64(code)) ?? "grpc-status \(code)")"
  }
}

extension TextStyle {
  /// The beginning and the end of a text that is too long.
  func shortened(_ text: String, to limit: Int) -> String {
    guard text.count > limit else { return text }
    return text.prefix(limit * 2 / 3) + "…" + text.suffix(limit - limit * 2 / 3 - 1)
  }
}
