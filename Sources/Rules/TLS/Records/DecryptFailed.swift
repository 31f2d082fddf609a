import Citation
import Events
import TLSSemantics

/// A record that does not open, though the secrets of its connection are there.
enum DecryptFailed: TLSRule {
  static let info = RuleInfo(
    id: "tls/decrypt-failed", severity: .warning,
    summary: "A record cannot be decrypted although the key log has secrets of its connection.",
    explanation: """
      From that record on the direction stays undecrypted, and nothing is reported of its contents. The log is of \
      another run, cut, or edited; or bytes were changed on the way, which the receiver then noticed as well: it \
      answers with the alert bad_record_mac.
      """,
    evidence: """
      The record, counted from one in its direction. After bytes that the capture lacks the rule is silent: records \
      that are missing cannot be counted. Drafts of TLS 1.3 are not judged either: their records are protected \
      otherwise.
      """,
    fix: "Record the key log and the capture in one run; look whether the receiver complained with bad_record_mac.",
    specifications: [
      Specification("SSLKEYLOGFILE format", "https://datatracker.ietf.org/doc/draft-ietf-tls-keylogfile/"),
      .rfc(8446, "5.2"),
    ], since: "0.1")

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    // Drafts of TLS 1.3 protect their records otherwise.
    guard story.session.version.map({ !$0.isTLS13 || $0 == .tls13 }) ?? true,
      case .failed(let record, let direction, let hadOpened) = story.session.opening
    else { return }
    let alert = story.alert([20, 51]).map { [$0.evidence("the receiver, too: \($0.words)")] } ?? []
    report(
      story.finding(
        info, direction,
        "Record \(Wording.number(record.index + 1)) of \(Wording.sender(direction)) cannot be decrypted with the secrets of the key log; \(hadOpened ? "those before it did" : "nor does any other").",
        cost: alert.isEmpty ? .none : .failed(.connection),
        [Evidence(.bytes(record.span, direction), "does not open")] + alert))
  }
}
