import Events
import HTTPSemantics

/// Fields that HTTP/2 has no use for.
enum ConnectionField: HeadRule {
  static let info = RuleInfo(
    id: "h2/connection-field", severity: .error,
    summary: "A field of HTTP/1 connections stands in a message of HTTP/2.",
    explanation: """
      Connection, Keep-Alive, Upgrade, Transfer-Encoding and Proxy-Connection speak of a connection, and frames have \
      taken their place. Safari, curl and nghttp2 refuse such a response; Chrome and Firefox ignore the field. \
      Mostly a proxy copied them from the server behind it.
      """,
    evidence: "The field.",
    fix: """
      Proxy: drop the fields that Connection names, and those five. Server: do not send them over HTTP/2.
      """,
    specifications: [.connectionFields], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    if section.asksForSocketAsBefore { return nil }
    let names: [StaticString] = ["connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade"]
    for name in names {
      if let field = section.block.first(name) { return HeadFlaw(field, "there is a field \(name)") }
    }
    guard let field = section.block.first("te"), section.block.value(field) != "trailers" else { return nil }
    return HeadFlaw(field, "te is something else than trailers")
  }
}
