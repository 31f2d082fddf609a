import Citation
import Events
import HTTPSemantics

/// What permessage-deflate may be offered, and answered (RFC 7692 §7.1).
enum DeflateParameters {
  /// Of a fault in one.
  static let isFatal = """
    In an answer it is fatal: the client must drop the connection. In an offer the server only declines, and there is no \
    compression.
    """
  static let evidence = "The answer; or the offer, which is a note."
  static let fix = "Sender: write what RFC 7692 §7.1 lists."

  struct Faults: Sendable {
    /// The parameter, as the end of a sentence.
    var unknown: String?
    var invalid: String?
    var duplicate: String?
  }

  static func faults(of element: ExtensionList.Element, isAnswer: Bool) -> Faults {
    var faults = Faults()
    var seen: Set<String> = []
    for parameter in element.parameters {
      let name = parameter.name.lowercased()
      let shown = HeaderBlock.shown(parameter.name)
      if !seen.insert(name).inserted { faults.duplicate = faults.duplicate ?? "\(shown) stands twice" }
      switch name {
      case "server_no_context_takeover", "client_no_context_takeover":
        if parameter.value != nil { faults.invalid = faults.invalid ?? "\(shown) has a value, and takes none" }
      case "server_max_window_bits", "client_max_window_bits":
        guard let value = parameter.value else {
          if isAnswer || name == "server_max_window_bits" { faults.invalid = faults.invalid ?? "\(shown) has no value" }
          break
        }
        if parameter.windowBits == nil {
          faults.invalid = faults.invalid ?? "\(shown) is \(HeaderBlock.shown(value)), not 8 to 15"
        }
      default: faults.unknown = faults.unknown ?? "\(shown) is no parameter of permessage-deflate"
      }
    }
    return faults
  }

  /// Whether an answer gives what an offer asks for.
  static func satisfies(_ answer: ExtensionList.Element, _ offer: ExtensionList.Element) -> Bool {
    if offer.parameter("server_no_context_takeover") != nil, answer.parameter("server_no_context_takeover") == nil {
      return false
    }
    if !keeps("server_max_window_bits", answer, offer, mayOmit: false) { return false }
    return keeps("client_max_window_bits", answer, offer, mayOmit: true)
  }

  /// Whether the answer's window is no larger than the one offered.
  private static func keeps(
    _ name: String, _ answer: ExtensionList.Element, _ offer: ExtensionList.Element, mayOmit: Bool
  ) -> Bool {
    guard let asked = offer.parameter(name)?.windowBits else { return true }
    guard let given = answer.parameter(name)?.windowBits else { return mayOmit }
    return given <= asked
  }
}

/// A rule about one fault of a parameter: in an answer, and in an offer, where it costs compression at most.
protocol DeflateParameterFault {
  static func fault(of faults: DeflateParameters.Faults) -> String?
}

extension DeflateParameterFault {
  static var refusalRank: Int? { nil }

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    for offer in ExtensionList(upgrade.block).elements where offer.isDeflate {
      guard let what = fault(of: DeflateParameters.faults(of: offer, isAnswer: false)) else { continue }
      return HandshakeFault("in the offer, \(what)", [upgrade.field(offer.field, "the offer")], severity: .note)
    }
    return nil
  }

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    for element in ExtensionList(answer.block).elements where element.isDeflate {
      guard let what = fault(of: DeflateParameters.faults(of: element, isAnswer: true)) else { continue }
      return upgrade.fault("in the answer, \(what)", in: element)
    }
    return nil
  }
}
