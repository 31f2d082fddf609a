import Testing

@testable import Reports

@Suite("Names of secrets")
struct SecretNameTests {
  @Test("Every beginning of a token is seen where a word begins, and nowhere else.")
  func beginnings() {
    for beginning in SecretNames.tokenBeginnings {
      #expect(SecretNames.holdsToken("use \(beginning)0123456789abcdef"), "\(beginning)")
      #expect(SecretNames.holdsToken("\(beginning)0123456789abcdef"), "\(beginning)")
      #expect(!SecretNames.holdsToken("0\(beginning)0123456789abcdef"), "\(beginning)")
    }
    #expect(
      !SecretNames.holdsToken("a risky key, yet sky-high") && !SecretNames.holdsToken("e")
        && !SecretNames.holdsToken(""))
  }

  @Test(
    "Fields by their names.",
    arguments: [
      ("authorization", true), ("x-api-key", true), ("x-amz-security-token", true), ("x-session-id", true),
      ("x-csrf-token", true), ("sec-websocket-protocol", true), ("sec-websocket-key", false),
      ("idempotency-key", false),
      ("access-control-allow-credentials", false), ("www-authenticate", false), ("content-type", false),
      ("x-author", false), ("etag", false), ("surrogate-key", false), ("cookie2", true),
    ])
  func fields(_ name: String, _ isSecret: Bool) {
    #expect(SecretNames.isField(name) == isSecret)
  }
}
