/// Filters that show in Wireshark what a finding cites.
enum DisplayFilter {
  /// `frame.number in {4,6,11}`; nil without packets. Of many the first fifty.
  static func packets(_ numbers: [UInt64]) -> String? {
    let distinct = Array(Set(numbers)).sorted().prefix(50)
    guard !distinct.isEmpty else { return nil }
    return "frame.number in {" + distinct.map(String.init).joined(separator: ",") + "}"
  }
}
