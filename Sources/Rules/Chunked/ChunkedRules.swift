import Events
import HTTPSemantics

/// The chunked transfer coding: how it is announced (Coding), each chunk (Chunks), the end (End), and how it is written
/// to the wire (Pace).
struct ChunkedRules: Sendable {
  static let infos: [RuleInfo] =
    anomalies.rows.map(\.info) + [
      TransferEncodingCase.info, TransferEncodingAndLength.info, TransferEncodingInOldVersion.info,
      TransferEncodingWithoutBody.info, ChunkedRequestRejected.info, InnerChunking.double, InnerChunking.withoutHeader,
      BodyNotChunked.info, ChunkSizes.badDigits, ChunkSizes.empty, ChunkSizes.overflow, SizeTrailingBlank.info,
      ChunkLengthMismatch.info, MissingLastChunk.info, TerminatorIncomplete.info, TerminatorLate.info,
      BytesAfterTerminator.earlyTerminator, BytesAfterTerminator.data, Trailers.present, Trailers.forbidden,
      UploadEnds.empty, UploadEnds.stalled, WriteSplitting.info, TinyChunks.info, NagleStall.info, EventSplit.info,
    ]
  static let interests: EventKinds = [.exchange, .stray, .directionEnded, .connectionClosed]

  private static let anomalies = AnomalyTable(TransferEncodingAnomalies.rows + ChunkLineAnomalies.rows)

  private var ends = ConnectionEnds()
  private var after = BytesAfterTerminator()
  private var uploads = UploadEnds()
  private var nagle = NagleStall()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .exchange(let exchange): observe(exchange, in: context, report: report)
    case .stray(.error(let error), let direction, let number): after.note(error, direction, exchange: number)
    case .directionEnded(let end, let direction, let packet): ends.note(end, direction, packet)
    case .connectionClosed:
      after.close(ends, in: context, report: report)
      nagle.close(in: context, report: report)
    default: break
    }
  }

  private mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    after.note(exchange)
    // An exchange without the field, and without a body that could have needed it, is none of this family's.
    guard exchange.messages.contains(where: Self.concerns) else { return }
    Self.anomalies.observe(exchange, in: context, report: report)
    TransferEncodingCase().observe(exchange, in: context, report: report)
    TransferEncodingAndLength().observe(exchange, in: context, report: report)
    TransferEncodingInOldVersion().observe(exchange, in: context, report: report)
    TransferEncodingWithoutBody().observe(exchange, in: context, report: report)
    ChunkedRequestRejected().observe(exchange, in: context, report: report)
    InnerChunking().observe(exchange, in: context, report: report)
    BodyNotChunked().observe(exchange, in: context, report: report)
    ChunkSizes().observe(exchange, in: context, report: report)
    SizeTrailingBlank().observe(exchange, ends, in: context, report: report)
    ChunkLengthMismatch().observe(exchange, in: context, report: report)
    MissingLastChunk().observe(exchange, ends, in: context, report: report)
    TerminatorIncomplete().observe(exchange, ends, in: context, report: report)
    TerminatorLate().observe(exchange, in: context, report: report)
    Trailers().observe(exchange, in: context, report: report)
    uploads.observe(exchange, ends, in: context, report: report)
    WriteSplitting().observe(exchange, in: context, report: report)
    TinyChunks().observe(exchange, in: context, report: report)
    nagle.observe(exchange, in: context)
    EventSplit().observe(exchange, in: context, report: report)
  }

  private static func concerns(_ message: Message) -> Bool {
    message.chunks != nil || message.innerChunks != nil || message.head?.block.first("transfer-encoding") != nil
  }
}
