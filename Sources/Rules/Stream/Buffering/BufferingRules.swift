import Events

/// What holds a stream back, as far as its bytes show: buffers, compression, and heads that invite to it.
struct BufferingRules: Sendable {
  static let infos: [RuleInfo] = [
    BufferedStream.untilEnd, BufferedStream.blocks, CompressedStream.info, HeldEnds.info, OldUpstream.info,
    DrippedLength.info, CacheableStream.info,
  ]

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, response.bodyBytes > 0 else { return }
    if response.stream != nil {
      if let held = HeldStream(exchange, in: context) {
        BufferedStream().observe(held, in: context, report: report)
        CompressedStream().observe(held, in: context, report: report)
      }
      CacheableStream().observe(exchange, in: context, report: report)
    }
    HeldEnds().observe(exchange, in: context, report: report)
    OldUpstream().observe(exchange, in: context, report: report)
    DrippedLength().observe(exchange, in: context, report: report)
  }
}
