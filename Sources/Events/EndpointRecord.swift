import Citation
import HTTPSemantics

/// Exchanges of one method, host and path shape, counted together.
package struct EndpointRecord: Sendable {
  package let name: EndpointName
  package var exchanges: UInt64 = 0
  /// Exchanges with a diagnosis.
  package var hurt: UInt64 = 0
  /// By kind, in the order in which kinds came.
  package private(set) var figures: [EndpointFigures] = []
  /// Pauses inside the bodies of responses, of MessageRecord.gapFrom and more.
  package var gaps = ExponentialHistogram()
  /// Causes of silence of bodies, of requests and responses together.
  package var silence = SilenceSums()
  package var statuses = StatusCounts()
  /// Of answers of language models, where there are any.
  @Rare package var answers: AnswerSums?

  package init(_ name: EndpointName) {
    self.name = name
  }

  package mutating func add(_ exchange: ExchangeRecord) {
    figures[place(of: exchange.kind)].add(exchange)
  }

  package mutating func add(_ socket: WebSocketRecord) {
    figures[place(of: .websocket)].add(socket)
  }

  private mutating func place(of kind: ExchangeKind) -> Int {
    // In their places: figures that are taken into the hand are copied.
    for at in figures.indices where figures[at].kind == kind { return at }
    figures.append(EndpointFigures(kind))
    return figures.count - 1
  }

  /// From a request's complete head to the first byte of the final response, of all kinds.
  package var waits: ExponentialHistogram {
    figures.reduce(into: ExponentialHistogram()) { $0.add($1.waits) }
  }

  package mutating func add(_ exchange: ExchangeRecord, _ answer: AnswerRecord) {
    _answers.make(AnswerSums())
    _answers.value.add(exchange, answer)
  }
}

/// Figures of several answers of language models.
package struct AnswerSums: Sendable {
  package var count: UInt64 = 0
  /// From complete request heads to first deltas.
  package var firstTokens = ExponentialHistogram()
  /// Between deltas.
  package var gaps = ExponentialHistogram()
  package var tokens: UInt64 = 0
  /// How long the answers took that those tokens are of.
  package var nanoseconds: Int64 = 0

  package init() {}

  package mutating func add(_ exchange: ExchangeRecord, _ answer: AnswerRecord) {
    count += 1
    if let first = exchange.timeToFirstToken { firstTokens.add(first) }
    gaps.add(answer.gaps)
    if let own = answer.tokens, let duration = exchange.answerDuration, duration > 0 {
      tokens &+= own.count
      nanoseconds &+= duration
    }
  }

  /// Thousandths of tokens in a second of an answer, on average.
  package var milliTokensPerSecond: Int64? {
    guard nanoseconds > 0, tokens > 0 else { return nil }
    return Int64(clamping: Int128(tokens) * 1_000_000_000_000 / Int128(nanoseconds))
  }
}
