import Reports
import Testing

@Suite("Names of findings")
struct FindingNameTests {
  @Test(
    "A port is no part of a host.",
    arguments: [
      ("a.example:80", "a.example"), ("a.example", "a.example"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"),
      ("::1", "::1"), ("", ""), (":80", ""), ("a:b", "a:b"),
    ])
  func port(_ host: String, _ bare: String) { #expect(FindingName.withoutPort(host) == bare) }
}
