import Citation
import Events

/// The silence of a response right before something ended it, where it is longer than any before: a timer may have run out.
struct LastSilence: Sendable {
  /// A shorter one is no timer's.
  private static let least: Int64 = 2_000_000_000

  let nanoseconds: Int64
  private let timer: ProxyTimer?

  init?(_ response: Message, until end: PacketRef) {
    guard let last = response.lastBody ?? response.headReleased, last.number < end.number else { return nil }
    nanoseconds = end.time.since(last.time)
    guard nanoseconds >= Self.least, nanoseconds > response.longestSilence else { return nil }
    timer = ProxyTimer(response)
  }

  /// `, 5.002 s after the last of it`
  var words: String { ", \(Wording.duration(nanoseconds)) after the last of it" }

  /// For a call of gRPC, or any other stream of HTTP/2.
  func fix(isCall: Bool) -> String {
    let proxy = timer.map { "Proxy (\($0.name)): raise \(isCall ? $0.call : $0.stream)" }
    let general =
      isCall
      ? "nginx: grpc_read_timeout; haproxy: timeout server" : "nginx: proxy_read_timeout; haproxy: timeout server"
    return """
      \(proxy ?? "Proxy, if there is one: raise the time that it waits for its origin (\(general))") where that ran out; \
      its log says so. Server: send something before it does, or find what it waited for.
      """
  }
}

extension Message {
  /// The longest time without a byte of its body before the last of them.
  var longestSilence: Int64 {
    let last = lastBody?.number ?? 0
    let silences = stalls.lazy.filter { $0.to.number <= last }.map(\.nanoseconds)
    return max(stream?.gaps.maximum ?? 0, silences.max() ?? 0)
  }
}
