/// A figure that a rule compares with: named, so that a finding can print it and a configuration can change it.
package struct Threshold: Sendable, Hashable {
  package enum Unit: String, Sendable { case nanoseconds, bytes, count, percent }

  /// `family.what`
  package let name: String
  package let unit: Unit
  package let standard: Int64
  /// Its meaning, in a few words.
  package let meaning: String

  package init(_ name: String, _ unit: Unit, _ standard: Int64, _ meaning: String) {
    self.name = name
    self.unit = unit
    self.standard = standard
    self.meaning = meaning
  }

  package func words(_ value: Int64) -> String {
    switch unit {
    case .nanoseconds: Wording.duration(value)
    case .bytes: Wording.bytes(UInt64(max(0, value)))
    case .count: Wording.number(UInt64(max(0, value)))
    case .percent: "\(value) %"
    }
  }
}

/// The values in force: the defaults, and those that were changed.
package struct Thresholds: Sendable {
  private var changed: [String: Int64] = [:]

  package init() {}

  package mutating func set(_ threshold: Threshold, _ value: Int64) {
    changed[threshold.name] = value
  }

  package var areChanged: Bool { !changed.isEmpty }

  package subscript(_ threshold: Threshold) -> Int64 {
    changed.isEmpty ? threshold.standard : changed[threshold.name] ?? threshold.standard
  }
}
