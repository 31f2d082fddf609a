/// The outcome of an assertion over a capture.
package struct AssertionResult: Sendable, Equatable {
  package enum Verdict: String, Sendable {
    case passed, failed
    /// Too few samples for a verdict.
    case inconclusive
  }

  /// A figure, exactly: `value` over ten to the power of `scale`.
  package struct Amount: Sendable, Equatable {
    package enum Unit: String, Sendable { case nanoseconds = "ns", bytes, count, perSecond }

    package var value: Int64
    package var scale: Int
    package var unit: Unit

    package init(_ value: Int64, scale: Int = 0, _ unit: Unit) {
      self.value = value
      self.scale = scale
      self.unit = unit
    }
  }

  /// The sample closest to the limit, or furthest beyond it.
  package struct Place: Sendable, Equatable {
    package var packet: UInt64
    package var connection: Int?
    package var exchange: Int?

    package init(packet: UInt64, connection: Int?, exchange: Int?) {
      self.packet = packet
      self.connection = connection
      self.exchange = exchange
    }
  }

  /// As it was written.
  package var text: String
  package var verdict = Verdict.inconclusive
  /// nil without samples.
  package var observed: Amount?
  package var relation: String
  package var limit: Amount
  package var samples: UInt64 = 0
  package var worst: Place?
  /// Why there is no verdict, and what was not captured.
  package var notes: [String] = []

  package init(text: String, relation: String, limit: Amount) {
    self.text = text
    self.relation = relation
    self.limit = limit
  }
}

extension AssertionResult.Amount {
  /// `1.200 s`, `64 B`, `3`, `12.500 a second`
  package var words: String {
    switch unit {
    case .nanoseconds: return Wording.duration(value)
    case .bytes: return Wording.bytes(value.magnitude)
    case .count, .perSecond:
      let sign = value < 0 ? "-" : ""
      let figure = scale == 0 ? Wording.number(value.magnitude) : Wording.decimal(value.magnitude, places: scale)
      return sign + figure + (unit == .perSecond ? " a second" : "")
    }
  }
}
