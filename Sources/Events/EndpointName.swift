import Citation
import HTTPSemantics

/// The common properties of exchanges that are counted together.
package struct EndpointName: Hashable, Comparable, Sendable {
  package let method: String
  /// In lower case; empty where the request named none.
  package let host: String
  /// See PathTemplate.
  package let path: String
  /// Looked up for every exchange.
  private let mixed: Int

  package init(method: String, host: String, path: String) {
    self.method = method
    self.host = host
    self.path = path
    var mixer = WordMixer()
    mixer.combine(method.utf8.span)
    mixer.combine(host.utf8.span)
    mixer.combine(path.utf8.span)
    mixed = mixer.value
  }

  // Where it is the same text in memory, as of names that EndpointNames gave, this ends at once.
  package static func == (left: EndpointName, right: EndpointName) -> Bool {
    left.path == right.path && left.host == right.host && left.method == right.method
  }
  package static func != (left: EndpointName, right: EndpointName) -> Bool { !(left == right) }

  package func hash(into hasher: inout Hasher) { hasher.combine(mixed) }

  package static func < (left: EndpointName, right: EndpointName) -> Bool {
    (left.host, left.path, left.method) < (right.host, right.path, right.method)
  }
}

extension ExchangeRecord {
  /// nil when the request was not seen.
  package var endpoint: EndpointName? {
    guard let head = request?.head, case .request(_, let name, let target) = head.line else { return nil }
    let bytes = head.block.bytes
    let host = head.authority.map { text(of: bytes[$0.value.clamped(to: bytes.indices)].map(\.lowercased)) }
    return EndpointName(
      method: SecretScan.leftOut(of: text(of: bytes[name.clamped(to: bytes.indices)])),
      host: SecretScan.leftOut(of: host ?? ""),
      path: PathTemplate.of(bytes[target.clamped(to: bytes.indices)]))
  }
}

/// The endpoints of exchanges: made once for requests of one shape, and given again by a hash of what they are made of.
///
/// Bounded: of two shapes that want one place, the later has it.
package struct EndpointNames: Sendable {
  private static let count = 128

  private struct Known: Sendable {
    let mixed: Int
    let name: EndpointName
  }

  private var known = [Known?](repeating: nil, count: EndpointNames.count)

  package init() {}

  package mutating func name(of exchange: ExchangeRecord) -> EndpointName? {
    guard let head = exchange.request?.head, case .request(_, let name, let target) = head.line else { return nil }
    let held = head.block.bytes
    let bytes = held.span
    var mixer = WordMixer()
    mixer.combine(bytes.extracting(name.clamped(to: bytes.indices)))
    // An empty host and none make one name.
    if let host = head.authority { mixer.combine(lowercased: bytes.extracting(host.value.clamped(to: bytes.indices))) }
    PathTemplate.mix(bytes.extracting(target.clamped(to: bytes.indices)), into: &mixer)
    let mixed = mixer.value
    let place = mixed & (Self.count - 1)
    if let known = known[place], known.mixed == mixed { return known.name }
    guard let made = exchange.endpoint else { return nil }
    known[place] = Known(mixed: mixed, name: made)
    return made
  }
}
