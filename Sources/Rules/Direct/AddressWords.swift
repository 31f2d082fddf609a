import Citation
import Events

extension Wording {
  /// `10.0.0.1, 10.0.0.2 and 3 more`
  static func addresses(_ addresses: [IPAddress]) -> String {
    let shown = 4
    let named = addresses.prefix(shown).map(\.description).joined(separator: ", ")
    return addresses.count > shown ? "\(named) and \(addresses.count - shown) more" : named
  }
}
