import Citation
import Events

// Exchanges as keys of what rules over the capture remember: connections are numbered there.

extension ExchangeKey: MixedKey {
  package func mix(into mixer: inout WordMixer) {
    mixer.combine(connection)
    mixer.combine(number)
  }
}

extension Finding {
  /// The exchange that it is about.
  var leg: ExchangeKey? {
    guard let connection, let exchange else { return nil }
    return ExchangeKey(connection: connection, number: exchange)
  }
}
