import Citation
import Events
import HTTPSemantics

/// A large upload that was written at once.
enum BufferedUpload: MultipartBodyRule {
  static let info = RuleInfo(
    id: "multipart/buffered-upload", severity: .note, confidence: .low,
    summary: "A large multipart upload was sent in one burst, as from memory.",
    explanation: """
      A known length and a body without a pause are typical of an upload that was built in memory before it was sent: \
      for a while the file is there twice or more. That is how apps with large videos are killed by the system. A file \
      that is read while it is sent looks the same when the disk is faster than the network, so this is a hint.
      """,
    evidence: """
      The first and the last packet of the body. A chunked body, and one with a pause of 200 ms or more, does not \
      count.
      """,
    fix: "Client: stream the body from a file (uploadTask with fromFile, a request body that reads the file).",
    specifications: [.formBoundary], thresholds: [.multipartBuffered], since: "0.1")

  static func judge(_ body: MultipartBody, in context: FlowContext, report: (Finding) -> Void) {
    guard body.record != nil else { return }
    let (message, exchange) = (body.message, body.exchange)
    guard exchange.isRequest(message), message.framing == .length, message.isComplete, !message.isDrip,
      message.bodyBytes >= UInt64(max(0, context.thresholds[.multipartBuffered])), let first = message.firstBody,
      let last = message.lastBody, message.isWhollyCaptured
    else { return }
    let time = last.time.since(first.time)
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): \(Wording.bytes(message.bodyBytes)) of a body of known length in \(Wording.duration(time)), without a pause.",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(first, message.direction), "the body begins"),
          Evidence(.packet(last, message.direction), "and ends"),
        ]))
  }
}

extension Threshold {
  static let multipartBuffered = Threshold(
    "multipart.buffered", .bytes, 1_048_576, "a body this large, sent without a pause, was in memory")
}
