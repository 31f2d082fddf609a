// Written by .ci/index from the sources in Sources/Rules/TLS. Not to be edited.
import Events

enum TLSIndex {
  static let rules: [any Rule.Type] = [
    AlertFatal.self,
    ALPNMissing.self,
    AnswerSlow.self,
    BigRecordFirstByte.self,
    CertNameMismatch.self,
    ChunkInference.self,
    ClearAnswer.self,
    ClientCertificateMissing.self,
    ClientRejectsCert.self,
    CloseNotifyThenData.self,
    DecryptFailed.self,
    EarlyData.self,
    HandshakeSlow.self,
    HelloRetry.self,
    HelloUnanswered.self,
    LargeChain.self,
    NoCloseNotify.self,
    NoResumption.self,
    NoSNI.self,
    OldVersion.self,
    RecordSplitMessage.self,
    RecordStall.self,
    RefusedLate.self,
    SNIHostMismatch.self,
    SNIIPLiteral.self,
    StreamCut.self,
    StreamStall.self,
    TinyRecords.self,
    TransferStall.self,
    UnansweredRecord.self,
    UnrecognizedName.self,
  ]

  static let tlsRules: [any TLSRule.Type] = [
    AlertFatal.self,
    ALPNMissing.self,
    AnswerSlow.self,
    BigRecordFirstByte.self,
    CertNameMismatch.self,
    ChunkInference.self,
    ClientCertificateMissing.self,
    CloseNotifyThenData.self,
    DecryptFailed.self,
    EarlyData.self,
    HandshakeSlow.self,
    HelloRetry.self,
    HelloUnanswered.self,
    LargeChain.self,
    NoCloseNotify.self,
    OldVersion.self,
    RecordSplitMessage.self,
    RecordStall.self,
    RefusedLate.self,
    SNIHostMismatch.self,
    SNIIPLiteral.self,
    StreamCut.self,
    StreamStall.self,
    TinyRecords.self,
    TransferStall.self,
    UnansweredRecord.self,
    UnrecognizedName.self,
  ]
}

struct TLSConnectionWatchers: Sendable {
  static var interests: EventKinds {
    TLSSessionWatch.interests
  }

  private var tlsSessionWatch = TLSSessionWatch()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    tlsSessionWatch.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !TLSSessionWatch.interests.isDisjoint(with: kind) {
      tlsSessionWatch.observe(event, in: context, report: report)
    }
  }
}
