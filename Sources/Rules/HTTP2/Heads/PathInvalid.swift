import Events
import HTTPSemantics

/// A target that leads nowhere.
enum PathInvalid: HeadRule {
  static let info = RuleInfo(
    id: "h2/path-invalid", severity: .error,
    summary: "The path of a request is none.",
    explanation: "It begins with a slash; OPTIONS may ask for * instead. The request is malformed.",
    evidence: "The field :path.",
    fix: "Client: send / for an empty path, and no fragment.",
    specifications: [.requestPseudo], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    guard section.isRequest, !section.isTrailer, section.block.value(":method") != "CONNECT",
      let field = section.block.first(":path")
    else { return nil }
    let path = section.block.bytes[field.value]
    if path.first == UInt8(ascii: "/") {
      return path.contains(UInt8(ascii: "#")) ? HeadFlaw(field, ":path has a fragment") : nil
    }
    if path.elementsEqual([UInt8(ascii: "*")]), section.block.value(":method") == "OPTIONS" { return nil }
    if section.isUnknown(field) || section.isValueUnknown(field) { return nil }
    return HeadFlaw(field, path.isEmpty ? ":path is empty" : ":path does not begin with /")
  }
}
