import Events
import Platform

/// What earlier runs over the same capture failed at, by a mistake of this program: now it is left unread, so that the rest
/// is reported. Written as `0c120,0x88,1p7`: of the first capture of a run (0) the content of a connection from packet 120
/// on, and the connection whose first packet is 88; of the second one packet 7.
package struct ReadingFaults: Sendable {
  /// From this packet on the content of its connection is not read: its packets are followed.
  package static let content = UInt8(ascii: "c")
  /// Where that was not enough: the connection that began with this packet is left out.
  package static let connection = UInt8(ascii: "x")
  /// The packet is not decoded.
  package static let packet = UInt8(ascii: "p")

  /// What it says of it, in the order in which it came up.
  package private(set) var remarks: [String] = []
  private(set) var contents: Set<UInt64> = []
  private(set) var connections: Set<UInt64> = []
  private(set) var packets: Set<UInt64> = []
  /// Faults that a test asks for.
  package var trial = FaultTrial()

  package init() {}

  /// Of the capture that is read as number `turn`; what cannot be read is no fault.
  package init(_ text: String, turn: Int) {
    for entry in text.utf8.split(separator: UInt8(ascii: ",")) {
      guard let at = entry.firstIndex(where: { $0 >= UInt8(ascii: "a") }), Int(String(entry[..<at]) ?? "") == turn,
        let number = UInt64(String(entry[entry.index(after: at)...]) ?? "")
      else { continue }
      let shown = Wording.number(number)
      switch entry[at] {
      case Self.content:
        contents.insert(number)
        remarks.append("the content of one connection was not read from packet \(shown) on")
      case Self.connection:
        connections.insert(number)
        remarks.append("one connection was left out: the one that began with packet \(shown)")
      case Self.packet:
        packets.insert(number)
        remarks.append("packet \(shown) was not decoded")
      default: continue
      }
      remarks[remarks.count - 1] += ", because of an internal error there; please report it"
    }
  }

  /// Nothing is to be looked for.
  var isEmpty: Bool { contents.isEmpty && connections.isEmpty && packets.isEmpty && trial.isEmpty }

  /// The notes of a run: of what decodes, of what is reported, and of each task that works in lanes.
  package static let noteCount = 2 + Lane.count
  static let intakeNote = 0
  static let mergerNote = 1
  static let firstLaneNote = 2
}

/// Faults on purpose: the only way to see what a mistake that nobody knows would do. `STREAMSCOPE_TEST_FAULT` holds them, as
/// in `content:120,decode:7`: a place, and the packet at which this program traps there.
package struct FaultTrial: Sendable {
  package static let variable = "STREAMSCOPE_TEST_FAULT"

  package enum Place: String, Sendable {
    /// Where the packet is decoded, its connection is followed, and its content is read.
    case decode, follow, content
    /// Where its content is read, by a stack that is used up.
    case overflow
    /// Where something is reported for which the packet is the last.
    case report
  }

  private var places: [UInt64: [Place]] = [:]

  package init(_ text: String = "") {
    for entry in text.split(separator: ",") {
      let parts = entry.split(separator: ":")
      guard parts.count == 2, let place = Place(rawValue: String(parts[0])), let packet = UInt64(parts[1])
      else { continue }
      places[packet, default: []].append(place)
    }
  }

  var isEmpty: Bool { places.isEmpty }

  func pass(_ place: Place, _ packet: UInt64) {
    guard let asked = places[packet], asked.contains(place) else { return }
    // No input gets here: the environment asks for it.
    guard place == .overflow, Self.sink(0) == 0 else { preconditionFailure("asked for by \(Self.variable)") }
  }

  /// Something of each call is looked at behind the next, or the optimizer makes a loop of them.
  @inline(never)
  private static func sink(_ depth: Int) -> UInt8 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { room in
      room.initialize(repeating: UInt8(truncatingIfNeeded: depth))
      return depth == .max ? 0 : sink(depth + 1) &+ room[depth % 256]
    }
  }
}
