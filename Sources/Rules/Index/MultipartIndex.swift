// Written by .ci/index from the sources in Sources/Rules/Multipart. Not to be edited.
import Events

enum MultipartIndex {
  static let rules: [any Rule.Type] = [
    MultipartBareLF.self,
    BoundaryIllegal.self,
    BoundaryInContent.self,
    BoundaryNotInBody.self,
    BoundaryParamMissing.self,
    BufferedUpload.self,
    CLMismatch.self,
    CTEDeprecated.self,
    DataAfterFinal.self,
    DelimiterDashesMissing.self,
    DelimiterNotAtLineStart.self,
    DispositionWrong.self,
    FileWithoutType.self,
    FilenameEscaping.self,
    FinalDelimiterMissing.self,
    MixedReplaceClient.self,
    NameMissing.self,
    MultipartNoBlankLine.self,
    ParamUnquoted.self,
    Preamble.self,
    QuoteUnbalanced.self,
    RetryTruncatedStream.self,
    StreamOpenStall.self,
  ]

  static let multipartBodyRules: [any MultipartBodyRule.Type] = [
    MultipartBareLF.self,
    BoundaryIllegal.self,
    BoundaryInContent.self,
    BoundaryNotInBody.self,
    BoundaryParamMissing.self,
    BufferedUpload.self,
    CTEDeprecated.self,
    DataAfterFinal.self,
    DelimiterDashesMissing.self,
    DelimiterNotAtLineStart.self,
    DispositionWrong.self,
    FileWithoutType.self,
    FilenameEscaping.self,
    FinalDelimiterMissing.self,
    MixedReplaceClient.self,
    NameMissing.self,
    MultipartNoBlankLine.self,
    ParamUnquoted.self,
    Preamble.self,
    QuoteUnbalanced.self,
    StreamOpenStall.self,
  ]
}

struct MultipartConnectionWatchers: Sendable {
  static var interests: EventKinds {
    CLMismatch.interests
      | MultipartBodies.interests
  }

  private var clMismatch = CLMismatch()
  private var multipartBodies = MultipartBodies()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    clMismatch.observe(exchange, in: context, report: report)
    multipartBodies.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !CLMismatch.interests.isDisjoint(with: kind) {
      clMismatch.observe(event, in: context, report: report)
    }
    if !MultipartBodies.interests.isDisjoint(with: kind) {
      multipartBodies.observe(event, in: context, report: report)
    }
  }
}
