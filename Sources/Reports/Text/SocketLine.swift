import Citation
import Events
import WebSocketSemantics

/// What a WebSocket connection carried, in a line: `up 1 text, 1 ping`, `down 3 text`, pings, how it was closed.
struct SocketLine {
  let record: WebSocketRecord
  let style: TextStyle

  var parts: [String] {
    var parts: [String] = []
    if record.opening.isMidstream { parts.append("WebSocket, recognised by its frames") }
    if let application = record.application { parts.append(application) }
    parts.append(record.opening.deflate == nil ? "no compression agreed" : "permessage-deflate" + ratio)
    parts += Direction.allCases.map { "\($0 == .toServer ? "up" : "down") \(figures(record.sides[$0]))" }
    parts += Direction.allCases.compactMap { direction in
      let trips = record.pingRoundTrips[direction]
      guard let median = trips.quantile(50) else { return nil }
      return "\(direction == .toServer ? "client's" : "server's") pings answered in \(Wording.duration(median))"
    }
    parts.append(closing)
    return parts
  }

  private func figures(_ side: WebSocketDirection) -> String {
    var words: [String] = []
    for (count, name) in [
      (side.text, "text"), (side.binary, "binary"), (side.frames[9], "ping"), (side.frames[10], "pong"),
    ] where count > 0 {
      words.append("\(Wording.number(count)) \(name)")
    }
    if words.isEmpty { return "nothing" }
    return words.joined(separator: ", ") + (side.messages > 0 ? ", \(Wording.bytes(side.bytes))" : "")
  }

  /// Compressed size in relation to decompressed size.
  private var ratio: String {
    let figures = Direction.allCases.compactMap { record.sides[$0].deflate }
    let wire = figures.reduce(UInt64(0)) { $0 &+ $1.compressed }
    let plain = figures.reduce(UInt64(0)) { $0 &+ $1.inflated }
    guard plain > 0 else { return ", unused" }
    return " to \(wire &* 100 / plain) %"
  }

  private var closing: String {
    let closes = Direction.allCases.compactMap { direction -> String? in
      guard let frame = record.sides[direction].close else { return nil }
      let side = direction == record.opening.client ? "client" : "server"
      return "\(side) \(frame.closeCode.map { "\($0)" } ?? "without a code") (#\(frame.span.first.number))"
    }
    return closes.isEmpty ? "no Close" : "Close: " + closes.joined(separator: ", ")
  }
}
