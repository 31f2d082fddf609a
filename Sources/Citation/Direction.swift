/// Which way bytes travel on a connection.
package enum Direction: UInt8, Hashable, Sendable, CaseIterable {
  case toServer, toClient

  package var opposite: Direction { self == .toServer ? .toClient : .toServer }
}

/// One value for each direction of a connection.
package struct BothDirections<Value> {
  package var toServer: Value
  package var toClient: Value

  package init(toServer: Value, toClient: Value) {
    self.toServer = toServer
    self.toClient = toClient
  }

  package init(repeating value: Value) {
    self.init(toServer: value, toClient: value)
  }

  @inline(__always)
  package subscript(direction: Direction) -> Value {
    // Lent, not copied: a direction's value can be large, and this is asked several times per packet.
    _read {
      if direction == .toServer { yield toServer } else { yield toClient }
    }
    _modify {
      if direction == .toServer { yield &toServer } else { yield &toClient }
    }
  }
}

extension BothDirections: Sendable where Value: Sendable {}
extension BothDirections: Equatable where Value: Equatable {}
