// Written by .ci/index from the sources in Sources/Rules/Chunked. Not to be edited.
import Events

enum ChunkedIndex {
  static let rules: [any Rule.Type] = [
    ChunkedBareCR.self,
    ChunkedBareLF.self,
    BodyNotChunked.self,
    DataAfterTerminator.self,
    DataLengthMismatch.self,
    DoubleChunked.self,
    EarlyTerminator.self,
    EmptyUploadEarlyEnd.self,
    EventSplitAcrossChunks.self,
    ExtMalformed.self,
    ExtPresent.self,
    FramingWithoutHeader.self,
    MissingLastChunk.self,
    NagleStall.self,
    RequestRejected411501.self,
    SizeBadDigits.self,
    SizeEmpty.self,
    SizeLeadingWS.self,
    SizeLeadingZeros.self,
    SizeOverflow.self,
    SizeTrailingWS.self,
    TEAndCL.self,
    TECase.self,
    TEChunkedTwice.self,
    TEDuplicateField.self,
    TEForbiddenStatus.self,
    TEHTTP10.self,
    TEIdentity.self,
    TEListEmptyElement.self,
    TENonToken.self,
    TENotFinal.self,
    TEOnHEAD304.self,
    TEUnknownCoding.self,
    TerminatorIncomplete.self,
    TerminatorLate.self,
    TinyChunks.self,
    TrailerForbidden.self,
    TrailersPresent.self,
    UploadStall64K.self,
    WriteSplitting.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    RequestRejected411501.self,
    TEHTTP10.self,
    TEOnHEAD304.self,
    TerminatorLate.self,
    UploadStall64K.self,
  ]

  static let messageRules: [any MessageRule.Type] = [
    ChunkedBareCR.self,
    ChunkedBareLF.self,
    BodyNotChunked.self,
    DataLengthMismatch.self,
    DoubleChunked.self,
    EventSplitAcrossChunks.self,
    ExtMalformed.self,
    ExtPresent.self,
    FramingWithoutHeader.self,
    MissingLastChunk.self,
    SizeBadDigits.self,
    SizeEmpty.self,
    SizeLeadingWS.self,
    SizeLeadingZeros.self,
    SizeOverflow.self,
    SizeTrailingWS.self,
    TEAndCL.self,
    TECase.self,
    TEChunkedTwice.self,
    TEDuplicateField.self,
    TEForbiddenStatus.self,
    TEIdentity.self,
    TEListEmptyElement.self,
    TENonToken.self,
    TENotFinal.self,
    TEUnknownCoding.self,
    TerminatorIncomplete.self,
    TinyChunks.self,
    TrailerForbidden.self,
    TrailersPresent.self,
    WriteSplitting.self,
  ]

  static let surplusChunkRules: [any SurplusChunkRule.Type] = [
    DataAfterTerminator.self,
    EarlyTerminator.self,
  ]
}

struct ChunkedConnectionWatchers: Sendable {
  static var interests: EventKinds {
    BytesAfterTerminator.interests
      | EmptyUploadEarlyEnd.interests
      | NagleStall.interests
  }

  private var bytesAfterTerminator = BytesAfterTerminator()
  private var emptyUploadEarlyEnd = EmptyUploadEarlyEnd()
  private var nagleStall = NagleStall()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    bytesAfterTerminator.observe(exchange, in: context, report: report)
    emptyUploadEarlyEnd.observe(exchange, in: context, report: report)
    nagleStall.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !BytesAfterTerminator.interests.isDisjoint(with: kind) {
      bytesAfterTerminator.observe(event, in: context, report: report)
    }
    if !EmptyUploadEarlyEnd.interests.isDisjoint(with: kind) {
      emptyUploadEarlyEnd.observe(event, in: context, report: report)
    }
    if !NagleStall.interests.isDisjoint(with: kind) {
      nagleStall.observe(event, in: context, report: report)
    }
  }
}
