import Testing

@testable import Events

/// Who a User-Agent names.
@Suite("Clients by their User-Agent")
struct ClientIdentityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let agent: String
    let name: String?
    let family: ClientFamily?
    var testDescription: String { agent }

    init(_ agent: String, _ name: String?, _ family: ClientFamily?) {
      self.agent = agent
      self.name = name
      self.family = family
    }
  }

  private static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
  private static let chromium = "AppleWebKit/537.36 (KHTML, like Gecko)"

  static let rows: [Row] = [
    Row("IMClient/3.1 CFNetwork/1121.2.2 Darwin/19.4.0", "Apple URLSession (IMClient 3.1)", .apple),
    Row("Magican (unknown version) CFNetwork/720.5.7 Darwin/14.5.0 (x86_64)", "Apple URLSession (Magican)", .apple),
    Row("tool (unknown version) curl/8.5.0", "swift-corelibs URLSession (tool)", .direct),
    Row("Shop/4 (com.example.shop; build:9; iOS 17.1.0) Alamofire/5.8.1", "Apple URLSession (Shop 4)", .apple),
    Row("Shop/4 (com.example.shop; build:9; Linux 6.1) Alamofire/5.8.1", nil, nil),
    Row("Shop/1.0 (iPhone; iOS 15.0; Scale/3.00)", "Apple URLSession (Shop 1.0)", .apple),
    Row("WebDAVFS/3.0.0 (03008000) Darwin/21.6.0 (x86_64)", "macOS WebDAV 3.0.0", .unknown),
    Row(
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(webKit) Version/17.5 Safari/605.1.15", "Safari 17.5", .apple),
    Row(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) \(webKit) Version/17.5 Mobile/15E148 Safari/604.1",
      "Safari 17.5", .apple),
    Row(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) \(webKit) Mobile/15E148", "WKWebView 605.1.15", .apple),
    Row(
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) \(webKit) CriOS/126.0 Mobile/15E148 Safari/604.1",
      "Chrome for iOS 126.0", .apple),
    // WebKit on other systems loads through other libraries.
    Row("Mozilla/5.0 (X11; Linux x86_64) \(webKit) Version/17.0 Safari/605.1.15", nil, nil),
    Row("Mozilla/5.0 (Linux; U; Android 4.0; de) AppleWebKit/534.30 Version/4.0 Mobile Safari/534.30", nil, nil),
    Row("Mozilla/5.0 (X11; Linux x86_64) \(chromium) Chrome/126.0.0.0 Safari/537.36", "Chrome 126.0.0.0", .chromium),
    Row(
      "Mozilla/5.0 (X11; Linux x86_64) \(chromium) HeadlessChrome/126.0.0.0 Safari/537.36",
      "Headless Chrome 126.0.0.0", .chromium),
    Row(
      "Mozilla/5.0 (Windows NT 10.0) \(chromium) Chrome/88.0 Safari/537.36 Edg/88.0.705.68", "Edge 88.0.705.68",
      .chromium),
    Row(
      "Mozilla/5.0 (Windows NT 10.0) \(chromium) Chrome/64.0 Safari/537.36 Edge/17.17134", "Edge Legacy 17.17134",
      .unknown),
    Row(
      "Mozilla/5.0 (Macintosh) \(chromium) Chat/2 Chrome/108.0 Electron/22.3.1 Safari/537.36", "Electron 22.3.1",
      .chromium),
    Row(
      "Mozilla/5.0 (Linux; Android 11; x Build/R; wv) \(chromium) Version/4.0 Chrome/83.0 Mobile Safari/537.36",
      "Android WebView 83.0", .chromium),
    Row("Mozilla/5.0 (X11; Linux x86_64; rv:118.0) Gecko/20100101 Firefox/118.0", "Firefox 118.0", .firefox),
    Row("Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 5.1)", "Internet Explorer", .windows),
    Row("Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko", "Internet Explorer 7.0", .windows),
    Row("okhttp/4.9.3", "OkHttp 4.9.3", .direct),
    Row("curl/7.34.0 (x) libcurl/7.34.0 OpenSSL/1.0.2a", "curl 7.34.0", .direct),
    Row("Wget/1.14 (darwin12.2.0)", "Wget 1.14", .direct),
    Row("Go-http-client/1.1", "Go net/http 1.1", .direct),
    Row("Python/3.11 aiohttp/3.8.4", "Python aiohttp 3.8.4", .direct),
    Row("python-requests/2.31.0", "Python requests 2.31.0", .direct),
    Row("Apache-HttpClient/4.5.13 (Java/17.0.1)", "Apache HttpClient 4.5.13", .direct),
    Row("Java/1.8.0_291", "Java HttpURLConnection 1.8.0", .direct),
    Row("Dalvik/2.1.0 (Linux; U; Android 11)", "Android HttpURLConnection 2.1.0", .direct),
    Row("node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "node-fetch 1.0", .direct),
    Row("node", "Node fetch", .direct),
    Row("axios/1.4.0", "axios 1.4.0", .direct),
    Row("Dart/2.18 (dart:io)", "Dart 2.18", .direct),
    Row("mycurl/1 nodejs/2", nil, nil),
    Row("Mozilla/5.0", nil, nil),
    Row("", nil, nil),
  ]

  @Test("A User-Agent names one client, or none.", arguments: rows)
  func row(_ row: Row) {
    let identity = ClientIdentity(agent: row.agent)
    #expect(identity?.name == row.name)
    #expect(identity?.family == row.family)
  }

  @Test("Any bytes are a User-Agent.")
  func bytes() {
    for agent in ["/", "//", "CFNetwork/ Darwin/", "Chrome/", "(", String(repeating: "curl", count: 10_000)] {
      _ = ClientIdentity(agent: agent)?.name
    }
  }
}
