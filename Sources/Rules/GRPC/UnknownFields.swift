import HTTPSemantics

extension HeaderBlock {
  /// Some names are entries of a table that was filled before the capture began: what is not here may be one of them.
  var hasUnknownFields: Bool {
    fields.contains { bytes[$0.name].first == UInt8(ascii: "(") }
  }
}
