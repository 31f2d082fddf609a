/// What a key log can hold of one connection.
package enum KeyLabel: Hashable, Sendable, CaseIterable {
  /// TLS 1.0 to 1.2, of both directions: CLIENT_RANDOM. It is the master secret itself, so the extended master secret
  /// (RFC 7627), which is only another way to make one, needs nothing here.
  case masterSecret
  /// TLS 1.3, each of one direction and one part of the connection.
  case clientEarlyTraffic
  case clientHandshakeTraffic
  case serverHandshakeTraffic
  case clientTraffic
  case serverTraffic

  /// The lengths that a secret of it can have: that of a master secret, or of a hash.
  var byteCounts: [Int] { self == .masterSecret ? [48] : [32, 48] }
}

/// The secrets of one connection, as far as a key log has them.
package struct ConnectionKeys: Sendable {
  package private(set) var masterSecret: SecretBytes?
  package private(set) var clientEarlyTraffic: SecretBytes?
  package private(set) var clientHandshakeTraffic: SecretBytes?
  package private(set) var serverHandshakeTraffic: SecretBytes?
  package private(set) var clientTraffic: SecretBytes?
  package private(set) var serverTraffic: SecretBytes?

  package subscript(label: KeyLabel) -> SecretBytes? {
    switch label {
    case .masterSecret: masterSecret
    case .clientEarlyTraffic: clientEarlyTraffic
    case .clientHandshakeTraffic: clientHandshakeTraffic
    case .serverHandshakeTraffic: serverHandshakeTraffic
    case .clientTraffic: clientTraffic
    case .serverTraffic: serverTraffic
    }
  }

  mutating func set(_ label: KeyLabel, _ secret: SecretBytes) {
    switch label {
    case .masterSecret: masterSecret = secret
    case .clientEarlyTraffic: clientEarlyTraffic = secret
    case .clientHandshakeTraffic: clientHandshakeTraffic = secret
    case .serverHandshakeTraffic: serverHandshakeTraffic = secret
    case .clientTraffic: clientTraffic = secret
    case .serverTraffic: serverTraffic = secret
    }
  }
}
