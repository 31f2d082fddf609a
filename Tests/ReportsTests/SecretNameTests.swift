import HTTPSemantics
import Testing

@Suite("Names of secrets")
struct SecretNameTests {
  @Test("Every beginning of a token is seen where a word begins, and nowhere else.")
  func beginnings() {
    for beginning in SecretTokens.beginnings {
      #expect(hidden("use \(beginning)0123456789abcdef") == "use …", "\(beginning)")
      #expect(hidden("\(beginning)0123456789abcdef") == "…", "\(beginning)")
      #expect(hidden("0\(beginning)0123456789abcdef") == "0\(beginning)0123456789abcdef", "\(beginning)")
    }
    for text in ["a risky key, yet sky-high", "e", "eyJ", ""] { #expect(hidden(text) == text) }
  }

  private func hidden(_ text: String) -> String { SecretScan.leftOut(of: text) }

  @Test(
    "Secrets in addresses and values.",
    arguments: [
      ("/a?token=b&x=1", "/a?token=…&x=1"), ("/a?x=1&%74oken=b%26c&y=2", "/a?x=1&%74oken=…&y=2"),
      ("/a;jsessionid=b?x=1", "/a;jsessionid=…?x=1"), ("/a?next=%2Fb%3Ftoken%3Dc", "/a?next=%2Fb%3Ftoken%3D…"),
      ("http://u:p@h.example/a", "http://…@h.example/a"), ("u:p@h.example:80", "…@h.example:80"),
      ("/npm/a@18.2.0/index.js", "/npm/a@18.2.0/index.js"), ("https://h:8080/npm/a@18/b", "https://h:8080/npm/a@18/b"),
      ("https://h.example/?mail=a@b", "https://h.example/?mail=a@b"), ("Bearer abc", "Bearer …"),
      ("Basic realm=\"token\"", "Basic realm=\"token\""), ("auth.example:8080", "auth.example:8080"),
      ("https://auth.example/token", "https://auth.example/token"),
      ("video/mp4; codecs=\"avc1\"", "video/mp4; codecs=\"avc1\""),
      ("{\"token\":\"b c\"}", "{\"token\":…"), ("max-age=60, private", "max-age=60, private"),
      ("Mon, 06 Jul 2026 10:00:00 GMT", "Mon, 06 Jul 2026 10:00:00 GMT"), ("/a?token=…", "/a?token=…"),
      ("/a?token=[9 B sha256:0123456789ab]", "/a?token=[9 B sha256:0123456789ab]"),
      ("/a?token=[9 B sha256:0123456789ax]", "/a?token=… B sha256:0123456789ax]"),
    ])
  func values(_ text: String, _ shown: String) {
    #expect(hidden(text) == shown)
    #expect(hidden(hidden(text)) == shown, "twice")
  }

  @Test(
    "What costs time: the same again and again.", arguments: ["a=", "basic ", "a@b", "%25", "a:b=c&d@", "eyJ", "\"="])
  func repeated(_ piece: String) {
    _ = hidden(String(repeating: piece, count: 60_000))
  }

  @Test(
    "Fields by their names.",
    arguments: [
      ("authorization", true), ("x-api-key", true), ("x-amz-security-token", true), ("x-session-id", true),
      ("x-csrf-token", true), ("sec-websocket-protocol", true), ("sec-websocket-key", false),
      ("idempotency-key", false),
      ("access-control-allow-credentials", false), ("www-authenticate", false), ("content-type", false),
      ("x-author", false), ("x_api_key", true), ("x-auth\u{1}-token", true), ("%61uthorization", true),
      (" cookie\u{0}", true), ("authorisation", true), ("etag", false), ("surrogate-key", false), ("cookie2", true),
    ])
  func fields(_ name: String, _ isSecret: Bool) {
    #expect(SecretNames.isField(name) == isSecret)
  }

  @Test(
    "Each word makes a secret of a field, wherever it stands in the name.",
    arguments: [
      "token", "secret", "password", "passwd", "apikey", "api-key", "access-key", "authoriz", "authoris", "session",
      "credential", "signature", "jwt", "csrf", "xsrf", "private", "cookie", "otp", "hmac", "authentication-info",
      "assertion", "saml",
    ])
  func fieldWords(_ word: String) {
    for name in [word, "x-\(word)", "\(word)x", word.uppercased(), "x-\(word.uppercased())-y"] {
      #expect(SecretNames.isField(name), "\(name)")
    }
  }

  @Test(
    "Each word makes a secret of a parameter.",
    arguments: [
      "token", "key", "secret", "pass", "pwd", "auth", "session", "sid", "sig", "jwt", "code", "credential", "nonce",
      "assertion", "ticket", "saml", "otp", "hmac", "csrf", "xsrf", "cookie",
    ])
  func parameterWords(_ word: String) {
    for name in [word, "x\(word)", "\(word)x", "x-\(word.uppercased())"] {
      #expect(hidden("/a?\(name)=b&q=1") == "/a?\(name)=…&q=1")
    }
  }
}
