import HTTPSemantics

/// Exchanges of one method, host and path shape, counted together.
package struct EndpointRecord: Sendable {
  package let name: EndpointName
  package var exchanges: UInt64 = 0
  /// Exchanges with a diagnosis.
  package var hurt: UInt64 = 0
  /// From a request's complete head to the first byte of the final response.
  package var waits = DurationHistogram()
  /// Pauses inside the bodies of responses, of MessageRecord.gapFrom and more.
  package var gaps = DurationHistogram()
  /// Causes of silence of bodies, of requests and responses together.
  package var silence = SilenceSums()

  package init(_ name: EndpointName) {
    self.name = name
  }
}

/// The common properties of exchanges that are counted together.
package struct EndpointName: Hashable, Comparable, Sendable {
  package var method: String
  /// In lower case; empty where the request named none.
  package var host: String
  /// See PathTemplate.
  package var path: String

  package init(method: String, host: String, path: String) {
    self.method = method
    self.host = host
    self.path = path
  }

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
      method: text(of: bytes[name.clamped(to: bytes.indices)]), host: host ?? "",
      path: PathTemplate.of(bytes[target.clamped(to: bytes.indices)]))
  }
}
