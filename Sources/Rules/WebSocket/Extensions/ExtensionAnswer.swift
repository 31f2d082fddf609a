import Citation
import Events
import HTTPSemantics

extension MessageHead {
  /// The permessage-deflate that a 101 accepts.
  var acceptedDeflate: ExtensionList.Element? { ExtensionList(block).elements.first(where: \.isDeflate) }
}

extension Upgrade {
  /// What is wrong with an extension of the 101, with the offer beside it.
  func fault(_ what: String, in element: ExtensionList.Element) -> HandshakeFault {
    let offer = block.first("sec-websocket-extensions")
    return HandshakeFault(
      what, [offer.map { field($0, "the offer") }, answered(element.field, "the answer")].compactMap { $0 })
  }
}
