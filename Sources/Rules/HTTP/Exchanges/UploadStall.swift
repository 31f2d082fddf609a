import Citation
import Events
import HTTPSemantics

/// A request body that fell silent although nothing kept the client from sending.
enum UploadStall: DisturbedExchangeRule {
  static let info = RuleInfo(
    id: "http/upload-stall", severity: .warning,
    summary: "The upload stalled although the network was free.",
    explanation: """
      The client had begun its body and sent nothing for the time shown, though the server's window was open and \
      nothing shows a loss. The cause is in the client: the app writes slowly, a stream never reports its end, or a thread \
      that should fill it is busy. The server waits in the middle of a request, and most servers do not wait long.
      """,
    evidence: """
      The last bytes before the silence, and what ended it: more of the body, or the server's patience. A pause with a \
      closed window or a retransmission in it does not count; in a capture beside the server, packets that were lost on the \
      way to it look the same. Without a failed exchange it may be intended, and is a note.
      """,
    fix: """
      Client: find what should have filled the body. An input stream must report its end, or the last chunk is never \
      sent; a file or generator must not be read on a busy thread.
      """,
    specifications: [
      Specification("RFC 9112 §8", "https://www.rfc-editor.org/rfc/rfc9112#section-8")
    ],
    thresholds: [.uploadPause], causedBy: ["multipart/stream-open-stall", "multipart/cl-mismatch", "tcp/host-silent"],
    since: "0.1")

  /// What became of a body that had stalled: it went on, or the server gave up, before the rest came or without one.
  private enum Course {
    case goesOn, tooLate, unfinished

    var before: String { self == .unfinished ? "the last bytes of the body" : "the last bytes before the pause" }

    var after: String {
      switch self {
      case .goesOn: "the body goes on"
      case .tooLate: "the server gives up"
      case .unfinished: "the server gives up, and the body has no end"
      }
    }
  }

  static func judge(_ disturbed: DisturbedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, story) = (disturbed.exchange, disturbed.story)
    guard let request = exchange.request, let last = request.lastBody, request.isWhollyCaptured,
      // Without the server's packets its window is unknown, and so is whether it has answered.
      !exchange.isResponseMissing, !context.isOneSided
    else { return }
    let least = context.thresholds[.uploadPause]
    let end = end(of: request, after: last, exchange, story)
    var from = last
    var to = end
    var course = Course.unfinished
    if let pause = request.longestPause, pause.nanoseconds >= least,
      pause.nanoseconds >= end?.time.since(last.time) ?? 0
    {
      from = pause.from
      to = pause.to
      course = from == last && to == end ? .unfinished : .goesOn
      // What comes when the server has given up is not read.
      if exchange.response == nil, let fin = story.fins.toClient, pause.from.number..<pause.to.number ~= fin.number {
        to = fin
        course = .tooLate
      }
    }
    guard let to, to.time.since(from.time) >= least, story.wasFree(from: from, to: to) else { return }
    // A client that has its answer may well stop.
    if let answer = exchange.response?.first, answer.number <= from.number { return }
    let isHurt = course != .goesOn || exchange.response == nil || exchange.status.isError
    report(
      Finding(
        // Beside the server what was lost before it leaves no trace.
        Self.info, confidence: context.roundTrip.vantage == .server ? .medium : nil, subject: .connection(context.id),
        exchange: exchange.number, direction: .toServer,
        message(exchange, request, to.time.since(from.time), course),
        cost: isHurt ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: [
          Evidence(.packet(from, .toServer), course.before),
          Evidence(.packet(to, course == .goesOn ? .toServer : .toClient), course.after),
        ]))
  }

  private static func message(
    _ exchange: ExchangeRecord, _ request: Message, _ nanoseconds: Int64, _ course: Course
  ) -> FindingMessage {
    let time = Wording.duration(nanoseconds)
    return switch course {
    case .goesOn: "\(exchange.title): the request's body paused for \(time), with the window open and no sign of loss."
    case .tooLate:
      "\(exchange.title): the client sent nothing of the body for \(time), and the server gave up; the rest came too late."
    case .unfinished:
      "\(exchange.title): after \(Wording.bytes(request.bodyBytes)) of an unfinished body the client sent nothing for \(time), and the server gave up."
    }
  }

  /// What the server did about a body that never went on.
  private static func end(
    of request: Message, after last: PacketRef, _ exchange: ExchangeRecord, _ story: ConnectionStory
  ) -> PacketRef? {
    guard !request.isComplete else { return nil }
    if let answer = exchange.response?.first { return answer.number > last.number ? answer : nil }
    guard let end = story.serverEnd(after: last) else { return nil }
    // The client went first: it gave up, and the server's end only answers that.
    if let own = story.fins.toServer, own.number < end.number { return nil }
    return end
  }
}

extension Threshold {
  static let uploadPause = Threshold(
    "http.upload-pause", .nanoseconds, 2_000_000_000, "a request body silent this long is stalled")
}
