import Citation

/// Filters that show in Wireshark what a finding cites.
enum DisplayFilter {
  /// `frame.number in {4,6,11}`; nil without packets. Of many the first fifty.
  static func packets(_ numbers: [UInt64]) -> String? {
    let distinct = Array(Set(numbers)).sorted().prefix(50)
    guard !distinct.isEmpty else { return nil }
    return "frame.number in {" + distinct.map(String.init).joined(separator: ",") + "}"
  }

  /// Of a series: a filter for each file, by the numbers there.
  static func packets(_ numbers: [UInt64], in members: MemberTable) -> [(file: String, filter: String)] {
    var files: [(file: String, numbers: [UInt64])] = []
    for number in Array(Set(numbers)).sorted().prefix(50) {
      guard let place = members.place(of: number) else { continue }
      if files.last?.file != place.file { files.append((place.file, [])) }
      files[files.count - 1].numbers.append(place.number)
    }
    return files.compactMap { file in packets(file.numbers).map { (file.file, $0) } }
  }
}
