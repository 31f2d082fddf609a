import Citation
import Events
import HTTPSemantics

/// What the two sides of a connection are called: by each other, and by themselves.
///
/// The first word counts: a connection serves one client, and mostly one host.
struct PartyNames: Sendable {
  private static let limit = 256

  private var host: String?
  private var client: String?
  private var server: String?
  private var exchanges: UInt64 = 0
  private var hasEvents = false
  private var hasCalls = false
  /// All requests were of HTTP/0.9: a method and a target, and nothing else.
  private var isSimple: Bool?
  /// Some were of HTTP/1, or of nobody knows what.
  private var hasHTTP1 = false

  mutating func note(_ exchange: ExchangeRecord) {
    exchanges += 1
    if exchange.key.stream == nil { hasHTTP1 = true }
    if let head = exchange.request?.head ?? exchange.response?.head {
      isSimple = head.version == .simple && isSimple ?? true
    }
    if exchange.response?.itemKind == .sse { hasEvents = true }
    if !hasCalls, exchange.isCall { hasCalls = true }
    if host == nil { host = Self.name(exchange.host) }
    if client == nil { client = Self.name(exchange.clientAgent) }
    if server == nil { server = Self.name(exchange.serverAgent) }
  }

  private static func name(_ value: String?) -> String? {
    guard let value, !value.isEmpty else { return nil }
    // They stand in titles, where secrets are left out.
    let shown = SecretScan.leftOut(of: value)
    return shown.utf8.count <= limit ? shown : String(shown.prefix(limit))
  }

  func complete(_ record: inout ConnectionRecord) {
    record.serverName = host
    record.clientAgent = client
    record.serverAgent = server
    record.exchanges = exchanges
    if hasHTTP1 { record.protocols.append(isSimple == true ? "http/0.9" : "http/1.1") }
    if hasEvents { record.protocols.append("sse") }
    if hasCalls { record.protocols.append("grpc") }
  }
}
