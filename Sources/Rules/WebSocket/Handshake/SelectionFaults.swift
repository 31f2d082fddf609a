import Citation
import Events
import HTTPSemantics

/// What a 101 selects of the subprotocols, and what it says beside.
enum SelectionFaults {
  static let rows: [UpgradeResponseRule] = [unrequested, multiple, ignored, version, draftFields]

  private static let unrequested = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-subprotocol-unrequested", severity: .error,
      summary: "The server selected a subprotocol that the client had not offered.",
      explanation: """
        The client must drop the connection then, and browsers do; the API shows 1006. Names are compared letter by letter. \
        Servers with a fixed subprotocol, and proxies that take the offer out of the request, cause it.
        """,
      evidence: "The offer, where there is one, and the selection.",
      fix:
        "Server: select one of the names offered, in the same letters, or none. Proxy: pass Sec-WebSocket-Protocol on.",
      specifications: [.webSocket("4.1"), .webSocket("4.2.2")], since: "0.1")
  ) { upgrade, answer in
    guard let field = answer.block.first("sec-websocket-protocol"),
      answer.block.all("sec-websocket-protocol").count == 1
    else { return nil }
    let selected = answer.block.tokens("sec-websocket-protocol")
    guard selected.count == 1, !upgrade.block.tokens("sec-websocket-protocol").contains(selected[0]) else { return nil }
    let offer = upgrade.block.first("sec-websocket-protocol")
    return HandshakeFault(
      "the server selected a subprotocol that \(offer == nil ? "nobody asked for" : "was not offered")",
      [offer.map { upgrade.field($0, "the offer") }, upgrade.answered(field, "the selection")].compactMap { $0 })
  }

  private static let multiple = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-subprotocol-multiple", severity: .error,
      summary: "The server selected more than one subprotocol.",
      explanation: """
        A connection speaks one subprotocol or none. Servers that echo the whole offer do this, and clients drop the \
        connection or take the list for a name that nobody knows.
        """,
      evidence: "The selection.", fix: "Server: select one of the names offered.",
      specifications: [.webSocket("4.1"), .webSocket("11.3.4")], since: "0.1")
  ) { upgrade, answer in
    let fields = answer.block.all("sec-websocket-protocol")
    let selected = answer.block.tokens("sec-websocket-protocol")
    guard let field = fields.first, fields.count > 1 || selected.count > 1 else { return nil }
    return HandshakeFault(
      "the server selected \(selected.count) subprotocols",
      [upgrade.answered(field, "one of \(selected.count)")].compactMap { $0 })
  }

  private static let ignored = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-subprotocol-ignored", severity: .warning,
      summary: "The client offered subprotocols, and the server selected none.",
      explanation: """
        RFC 6455 lets a server do without, and browsers do not: they close the connection right behind the 101, before any \
        frame, and the API shows 1006. Other clients go on.
        """,
      evidence: "The offer, and the 101 without a selection.",
      fix: "Server: select one of the names offered. Client: offer none where the server has none.",
      specifications: [.webSocketAPI, .webSocket("4.1")], since: "0.1")
  ) { upgrade, answer in
    guard let offer = upgrade.block.first("sec-websocket-protocol"),
      !upgrade.block.tokens("sec-websocket-protocol").isEmpty,
      answer.block.first("sec-websocket-protocol") == nil
    else { return nil }
    return HandshakeFault(
      "of the subprotocols offered the server selected none",
      [upgrade.field(offer, "the offer")] + AcceptanceFaults.statusLine(upgrade, "without Sec-WebSocket-Protocol"))
  }

  private static let version = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-version-in-101", severity: .note,
      summary: "A 101 has Sec-WebSocket-Version.",
      explanation: """
        The field lists what a server speaks when it refuses a version. In a 101 it means nothing, and clients ignore it.
        """,
      evidence: "The field in the 101.", fix: "Server: send it with 400 or 426 only.",
      specifications: [.webSocket("4.4")],
      since: "0.1"), isFatal: false
  ) { upgrade, answer in
    guard let field = answer.block.first("sec-websocket-version") else { return nil }
    return HandshakeFault(
      "the 101 names version \(answer.block.shown(field))",
      [upgrade.answered(field, "means nothing here")].compactMap { $0 })
  }

  private static let draftFields = UpgradeResponseRule(
    RuleInfo(
      id: "ws/hs-hixie-response-headers", severity: .warning,
      summary: "A 101 has fields or a reason phrase of the drafts of 2010.",
      explanation: """
        WebSocket-Origin, WebSocket-Location and "Web Socket Protocol Handshake" belong to drafts 75 and 76. Clients ignore \
        them. They tell of old code behind: such servers often have no pings, no binary messages, no fragments and no \
        64-bit lengths, and die of the first. The fields show the server's own address, too.
        """,
      evidence: "The fields, or the status line. An answer to a client of those drafts is left alone.",
      fix: "Server: take the fields out, and test pings, binary messages, fragments and messages of 64 KiB and more.",
      specifications: [.webSocket("4.2.2"), .webSocketDraft], since: "0.1"), isFatal: false
  ) { upgrade, answer in
    guard upgrade.era == .standard else { return nil }
    let names: [StaticString] = [
      "websocket-origin", "websocket-location", "sec-websocket-origin", "sec-websocket-location",
    ]
    let fields = names.compactMap { answer.block.first($0) }
    let reason = answer.reasonText
    let hasReason =
      ["web socket protocol handshake", "websocket protocol handshake"].contains(reason.lowercased())
    guard !fields.isEmpty || hasReason else { return nil }
    var what = fields.map { answer.block.name($0) }
    if hasReason { what.insert("\"\(reason)\"", at: 0) }
    return HandshakeFault(
      "the 101 has \(what.joined(separator: ", ")), of the drafts of 2010",
      (hasReason ? AcceptanceFaults.statusLine(upgrade, "the reason phrase of the drafts") : [])
        + fields.compactMap { upgrade.answered($0, "of the drafts") })
  }
}
