import Citation

/// Two columns for two independent sides: the client's messages on the left, the server's on the right, and an arrow
/// between them.
struct SocketLanes {
  private static let left = 14...30

  private let width: Int
  private let style: TextStyle

  init(_ lines: [TimelineLine], _ style: TextStyle) {
    let longest = lines.filter { $0.direction == .toServer }.map(\.words.visibleCount).max() ?? 0
    width = min(max(longest, Self.left.lowerBound), Self.left.upperBound)
    self.style = style
  }

  var heading: String { "client".padded(to: width + 6) + "server" }

  /// What is printed as it stands, and what follows it and may be wrapped.
  func cells(_ line: TimelineLine) -> (lead: String, words: String) {
    switch line.direction {
    case .toServer?: (line.words.padded(to: width) + " ", style.isASCII ? "-->" : "──▶")
    case .toClient?: ("".padded(to: width) + (style.isASCII ? " <--  " : " ◀──  "), line.words)
    case nil: ("", line.words)
    }
  }
}
