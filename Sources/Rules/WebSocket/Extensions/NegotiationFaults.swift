import Citation
import Events
import HTTPSemantics

/// Extensions that a 101 names, against those that were offered.
enum NegotiationFaults {
  static let rows: [UpgradeResponseRule] = [
    unoffered, duplicate, parameterUnknown, parameterInvalid, parameterDuplicate, clientWindow, notHonoured,
  ]

  private static let fails = """
    The client must drop the connection: it would not know how to read what comes. Browsers close right behind the 101, and \
    the API shows 1006.
    """

  private static let unoffered = UpgradeResponseRule(
    RuleInfo(
      id: "ws/ext-unoffered", severity: .error,
      summary: "The server uses an extension that the client had not offered.",
      explanation:
        "\(fails) A proxy that takes the offer out of the request makes a correct server do this to nobody, and a "
        + "server with a fixed answer to everybody.",
      evidence: "The offer, where there is one, and the answer.",
      fix: "Server: answer only what was offered. Proxy: take Sec-WebSocket-Extensions out of both or of none.",
      specifications: [.webSocket("9.1"), .deflate("5")], since: "0.1")
  ) { upgrade, answer in
    let offered = Set(ExtensionList(upgrade.block).elements.map { $0.name.lowercased() })
    guard let element = ExtensionList(answer.block).elements.first(where: { !offered.contains($0.name.lowercased()) })
    else { return nil }
    return fault("the server uses \(HeaderBlock.shown(element.name)), which was not offered", upgrade, element)
  }

  private static let duplicate = UpgradeResponseRule(
    RuleInfo(
      id: "ws/ext-duplicate", severity: .error,
      summary: "The server uses an extension twice.",
      explanation: "\(fails) Servers that echo an offer with alternatives, instead of picking one, do this.",
      evidence: "The answer.", fix: "Server: accept one of the client's alternatives.",
      specifications: [.deflate("5"), .webSocket("9.1")], since: "0.1")
  ) { upgrade, answer in
    var seen: Set<String> = []
    guard
      let element = ExtensionList(answer.block).elements.first(where: { !seen.insert($0.name.lowercased()).inserted })
    else { return nil }
    return fault("the server accepted \(HeaderBlock.shown(element.name)) more than once", upgrade, element)
  }

  private static let parameterUnknown = UpgradeResponseRule(
    parameterInfo(
      "ws/ext-param-unknown", "A parameter of permessage-deflate is none of the four.",
      "There are server_no_context_takeover, client_no_context_takeover, server_max_window_bits and client_max_window_bits."
    )
  ) { upgrade, answer in
    parameter(\.unknown, upgrade, answer)
  }

  private static let parameterInvalid = UpgradeResponseRule(
    parameterInfo(
      "ws/ext-param-invalid", "A parameter of permessage-deflate has a value that it cannot have.",
      "Window bits are 8 to 15 without a leading zero; the context parameters have no value; server_max_window_bits needs one."
    )
  ) { upgrade, answer in
    parameter(\.invalid, upgrade, answer)
  }

  private static let parameterDuplicate = UpgradeResponseRule(
    parameterInfo(
      "ws/ext-param-duplicate", "A parameter of permessage-deflate stands twice.",
      "Which of the two counts would be anybody's guess.")
  ) { upgrade, answer in
    parameter(\.duplicate, upgrade, answer)
  }

  private static let clientWindow = UpgradeResponseRule(
    RuleInfo(
      id: "ws/ext-client-window-unoffered", severity: .error,
      summary: "The server limits the client's window, and the client had not said that it can do that.",
      explanation: "client_max_window_bits in an answer is allowed only where the offer has it. \(fails)",
      evidence: "The offer, and the answer.",
      fix: "Server: send client_max_window_bits only to clients that offered it.",
      specifications: [.deflate("7.1.2.2")],
      since: "0.1")
  ) { upgrade, answer in
    let offers = ExtensionList(upgrade.block).elements.filter(\.isDeflate)
    guard !offers.isEmpty, offers.allSatisfy({ $0.parameter("client_max_window_bits") == nil }),
      let element = accepted(answer), element.parameter("client_max_window_bits") != nil
    else { return nil }
    return fault("the server answered client_max_window_bits, which the client had not offered", upgrade, element)
  }

  private static let notHonoured = UpgradeResponseRule(
    RuleInfo(
      id: "ws/ext-offer-not-honoured", severity: .error,
      summary: "The server accepted compression on other terms than the client asked for.",
      explanation: """
        server_no_context_takeover and server_max_window_bits in an offer are conditions: a client with little memory asks \
        for them. A server that cannot meet them declines the offer. \(fails)
        """,
      evidence: "The offer, and the answer.", fix: "Server: repeat the conditions in the answer, or decline the offer.",
      specifications: [.deflate("7.1.1.1"), .deflate("7.1.2.1")], since: "0.1")
  ) { upgrade, answer in
    let offers = ExtensionList(upgrade.block).elements.filter(\.isDeflate)
    guard !offers.isEmpty, let element = accepted(answer),
      !offers.contains(where: { DeflateParameters.satisfies(element, $0) })
    else { return nil }
    return fault("the answer meets none of the client's offers of permessage-deflate", upgrade, element)
  }

  private static func parameterInfo(_ id: RuleID, _ summary: String, _ why: String) -> RuleInfo {
    RuleInfo(
      id: id, severity: .error, summary: summary,
      explanation: """
        \(why) In an answer it is fatal: the client must drop the connection. In an offer the server only declines, and there \
        is no compression.
        """,
      evidence: "The answer; or the offer, which is a note.", fix: "Sender: write what RFC 7692 §7.1 lists.",
      specifications: [.deflate("7.1")], since: "0.1")
  }

  private static func accepted(_ answer: MessageHead) -> ExtensionList.Element? {
    ExtensionList(answer.block).elements.first(where: \.isDeflate)
  }

  private static func parameter(
    _ kind: KeyPath<DeflateParameters.Faults, String?> & Sendable, _ upgrade: Upgrade, _ answer: MessageHead
  ) -> HandshakeFault? {
    for element in ExtensionList(answer.block).elements where element.isDeflate {
      guard let what = DeflateParameters.faults(of: element, isAnswer: true)[keyPath: kind] else { continue }
      return fault("in the answer, \(what)", upgrade, element)
    }
    return nil
  }

  private static func fault(_ what: String, _ upgrade: Upgrade, _ element: ExtensionList.Element) -> HandshakeFault {
    let offer = upgrade.block.first("sec-websocket-extensions")
    return HandshakeFault(
      what,
      [offer.map { upgrade.field($0, "the offer") }, upgrade.answered(element.field, "the answer")].compactMap { $0 })
  }

  // MARK: Offers

  /// The same of an offer, where it costs compression at most.
  static func observe(offerOf upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    let offers = ExtensionList(upgrade.block).elements.filter(\.isDeflate)
    let kinds: [(UpgradeResponseRule, KeyPath<DeflateParameters.Faults, String?> & Sendable)] = [
      (parameterUnknown, \.unknown), (parameterInvalid, \.invalid), (parameterDuplicate, \.duplicate),
    ]
    for (row, kind) in kinds {
      for offer in offers {
        guard let what = DeflateParameters.faults(of: offer, isAnswer: false)[keyPath: kind] else { continue }
        report(
          Finding(
            row.info, severity: .note, subject: .connection(context.id), exchange: upgrade.exchange.number,
            direction: upgrade.request.direction, FindingMessage("\(upgrade.exchange.title): in the offer, \(what)."),
            cost: .none, fix: row.info.fix, evidence: [upgrade.field(offer.field, "the offer")]))
        break
      }
    }
  }
}
