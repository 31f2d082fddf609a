import Citation
import Digests
import Events
import HTTPSemantics

/// A 101 that is none: without the proof, or without what makes it a 101.
enum AcceptanceFaults {
  static let rows: [UpgradeResponseRule] = [missing, mismatch, upgrade, connection, body]

  /// What every server appends to the key (RFC 6455 §1.3).
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The proof that belongs to a key.
  static func accept(for key: [UInt8]) -> String {
    let text = key + Array(suffix.utf8)
    return SHA1.digest(of: text.span).base64
  }

  private static let mismatch = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-accept-mismatch", severity: .error,
      summary: "The server's Sec-WebSocket-Accept does not belong to the client's key.",
      explanation: """
        The value is the SHA-1 of the key, as it was sent, with a fixed GUID behind it, in Base64. Another value comes from \
        a cached 101, from a wrong GUID, from a key that was decoded first or has a blank at its end, or from a proxy that \
        made a key of its own. Clients drop the connection, and their API shows 1006.
        """,
      evidence: "The key, and the answer; the message holds what it should be.",
      fix:
        "Server: Base64(SHA-1(key + \"258EAFA5-E914-47DA-95CA-C5AB0DC85B11\")), with the key's text. Proxy: cache no 101.",
      specifications: [.webSocket("4.2.2"), .webSocket("4.1")], since: "0.1")
  ) { upgrade, answer in
    guard let key = upgrade.key, let accept = answer.block.first("sec-websocket-accept") else { return nil }
    let value = Array(upgrade.block.bytes[key.value.clamped(to: upgrade.block.bytes.indices)])
    let expected = AcceptanceFaults.accept(for: value)
    guard answer.block.value(accept) != expected else { return nil }
    return HandshakeFault(
      "Sec-WebSocket-Accept is \(answer.block.shown(accept)) and should be \(expected)",
      [upgrade.field(key, "the key"), upgrade.answered(accept, "not its digest")].compactMap { $0 })
  }

  private static let missing = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-accept-missing", severity: .error,
      summary: "A 101 has no Sec-WebSocket-Accept.",
      explanation: """
        The digest proves that the server understood the key and did not merely pass a 101 on. Clients drop the connection \
        without it; APIs show 1006.
        """,
      evidence: "The status line of the 101. An answer to a draft of 2010, which had another proof, is left alone.",
      fix: "Server: answer the key with Sec-WebSocket-Accept.", specifications: [.webSocket("4.1")], since: "0.1")
  ) { upgrade, answer in
    guard upgrade.era == .standard, upgrade.key != nil, answer.block.first("sec-websocket-accept") == nil else {
      return nil
    }
    return HandshakeFault("the 101 has no Sec-WebSocket-Accept", statusLine(upgrade, "without the proof"))
  }

  private static let upgrade = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-resp-upgrade-missing", severity: .error,
      summary: "A 101 does not say that it switches to WebSocket.",
      explanation: """
        101 switches to what Upgrade names; without Upgrade: websocket the client does not know to what, and drops the \
        connection. A proxy that takes hop-by-hop fields out of responses does that.
        """,
      evidence: "The Upgrade field, or the status line where there is none.",
      fix: "Server: send Upgrade: websocket with the 101. Proxy: forward it.", specifications: [.webSocket("4.1")],
      since: "0.1")
  ) { upgrade, answer in
    guard !answer.block.contains("websocket", in: "upgrade") else { return nil }
    if let field = answer.block.first("upgrade"), let evidence = upgrade.answered(field, "not websocket") {
      return HandshakeFault("the 101 switches to \"\(answer.block.shown(field))\"", [evidence])
    }
    return HandshakeFault("the 101 has no Upgrade: websocket", statusLine(upgrade, "without Upgrade"))
  }

  private static let connection = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-resp-connection-missing", severity: .error,
      summary: "A 101 does not name the upgrade in Connection.",
      explanation: "Clients look for Connection: Upgrade in the 101, and drop the connection without it.",
      evidence: "The Connection field, or the status line where there is none.",
      fix: "Server: send Connection: Upgrade with the 101. Proxy: forward it.", specifications: [.webSocket("4.1")],
      since: "0.1")
  ) { upgrade, answer in
    guard !answer.block.contains("upgrade", in: "connection") else { return nil }
    if let field = answer.block.first("connection"), let evidence = upgrade.answered(field, "without Upgrade") {
      return HandshakeFault("Connection in the 101 says \"\(answer.block.shown(field))\" and not Upgrade", [evidence])
    }
    return HandshakeFault("the 101 has no Connection: Upgrade", statusLine(upgrade, "without Connection"))
  }

  private static let body = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-101-body-headers", severity: .error,
      summary: "A 101 announces a body.",
      explanation: """
        What follows a 101 are frames. Who believes Content-Length or Transfer-Encoding reads the first frames as a body, and a \
        server that really sends one has it read as frames. Proxies refuse or strip such an answer.
        """,
      evidence: "The field in the 101.", fix: "Server: send neither Content-Length nor Transfer-Encoding with a 101.",
      specifications: [
        .http("15.2"), .http("8.6"),
        Specification("RFC 9112 §6.1", "https://www.rfc-editor.org/rfc/rfc9112#section-6.1"),
      ], since: "0.1")
  ) { upgrade, answer in
    guard let field = answer.block.first("content-length") ?? answer.block.first("transfer-encoding"),
      let evidence = upgrade.answered(field, "in a 101")
    else { return nil }
    return HandshakeFault(
      "the 101 announces a body: \(answer.block.name(field)) \(answer.block.shown(field))", [evidence])
  }

  static func statusLine(_ upgrade: Upgrade, _ note: String) -> [Evidence] {
    guard let response = upgrade.response else { return [] }
    return [Evidence.startLine(response, note)].compactMap { $0 }
  }
}
