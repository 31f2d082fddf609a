import Citation
import Events

/// What the client's app has received of a response while its library buffers it: a column beside the wire.
///
/// Inferred from what is known of the library; the wire shows nothing of it.
struct HoldColumn {
  /// A shorter hold is not worth a column.
  private static let least: Int64 = 100_000_000

  let title: String
  private let exchange: Int
  private let direction: Direction
  private let status: UInt16
  /// The packets of the first body byte and of what ended the hold.
  private let from: PacketRef
  private let until: HoldEnd
  private let style: TextStyle

  /// The first exchange of a connection whose client holds it long enough.
  init?(_ exchanges: [ExchangeRecord], _ style: TextStyle) {
    for exchange in exchanges {
      guard let request = exchange.request?.head, let response = exchange.response, let head = response.head,
        let identity = ClientIdentity(request), let app = identity.family.app, let first = response.firstBody
      else { continue }
      let path = String(exchange.target.prefix { $0 != "?" })
      let hold = ClientHold.all.first { hold in
        hold.family == identity.family && hold.bytes != nil
          && hold.applies(to: head, opening: response.opening, path: path)
      }
      guard let bytes = hold?.bytes, let end = exchange.holdEnd(bytes), end.packet.time.since(first.time) >= Self.least
      else { continue }
      title = "\(app) has"
      self.exchange = exchange.number
      direction = response.direction
      status = head.status.code
      from = first
      until = end
      self.style = style
      return
    }
    return nil
  }

  private var length: Int64 { until.packet.time.since(from.time) }

  /// The cell beside a line; `previous` is the line before it.
  func cell(_ line: TimelineLine) -> String {
    if line.end.number < from.number { return "" }
    if line.start.number <= from.number { return waiting("┐") + " held \(Wording.duration(length))" }
    if line.end.number < until.packet.number { return waiting("│") }
    if line.start.number <= until.packet.number { return ended(line) }
    guard line.exchange == exchange, line.direction == direction else { return "" }
    return line.isLastChunk ? "end of body" : line.added > 0 ? "+ \(Wording.bytes(line.added))" : ""
  }

  /// The cell beside a silence after a line.
  func cell(after line: TimelineLine) -> String {
    line.end.number >= from.number && line.end.number < until.packet.number ? waiting("│") : ""
  }

  private func waiting(_ sign: String) -> String { "nothing".padded(to: title.count) + "  " + sign }

  private func ended(_ line: TimelineLine) -> String {
    let has = "\(status) + \(Wording.bytes(line.body ?? until.bytes))".padded(to: title.count) + "  ┘ "
    switch until.cause {
    case .reached: return has + "\(Wording.bytes(until.bytes)) reached"
    case .bodyEnd: return has + "end of body"
    case .connectionEnd(.fin, direction): return has + "end of body"
    case .connectionEnd: return waiting("┘") + " given up"
    case .captureEnd: return waiting("┘") + " capture ends"
    }
  }
}

extension ClientFamily {
  /// Who holds a response: of Chromium not what asks with fetch().
  var holder: String { self == .chromium ? "a Chromium tab" : title }

  /// The app that uses a library of this family; nil if it buffers nothing, or its behaviour is unknown.
  fileprivate var app: String? {
    switch self {
    case .apple: "an Apple app"
    case .chromium: holder
    case .firefox: "a Firefox page"
    case .windows, .direct, .unknown: nil
    }
  }
}
