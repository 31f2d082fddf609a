/// How a client is known by its User-Agent: a row of a table, in which the first that fits counts.
///
/// Browsers name their ancestors (`Mozilla/5.0 … AppleWebKit/… Chrome/… Safari/…`), so the narrower name stands first, and
/// Safari last among them.
struct ClientPattern: Sendable {
  let library: String
  let family: ClientFamily
  /// All of these begin a word of it. The version stands behind the first.
  let marks: [String]
  /// One of these does, where there are any.
  let anyOf: [String]
  let without: [String]
  /// The first product is the program that uses the library.
  let namesApp: Bool

  private init(
    _ library: String, _ family: ClientFamily, _ marks: [String], anyOf: [String] = [], without: [String] = [],
    namesApp: Bool = false
  ) {
    self.library = library
    self.family = family
    self.marks = marks
    self.anyOf = anyOf
    self.without = without
    self.namesApp = namesApp
  }

  private static let appleDevices = ["Macintosh", "iPhone", "iPad", "iPod"]

  static let all = apple + browsers + libraries

  private static let apple: [ClientPattern] = [
    ClientPattern("swift-corelibs URLSession", .direct, ["(unknown version) curl/"], namesApp: true),
    ClientPattern("Apple URLSession", .apple, ["CFNetwork/", "Darwin/"], namesApp: true),
    // Libraries over URLSession that write a User-Agent of their own; the second form is AFNetworking's.
    ClientPattern("Apple URLSession", .apple, ["Alamofire/"], without: ["Linux"], namesApp: true),
    ClientPattern("Apple URLSession", .apple, ["Scale/", "iOS"], anyOf: appleDevices, namesApp: true),
    ClientPattern("macOS WebDAV", .unknown, ["WebDAVFS/"]),
    ClientPattern("Apple media loader", .unknown, ["AppleCoreMedia/"]),
  ]

  private static let browsers: [ClientPattern] = [
    // Browsers of other makers on iOS are WebKit inside.
    ClientPattern("Chrome for iOS", .apple, ["CriOS/"]),
    ClientPattern("Firefox for iOS", .apple, ["FxiOS/"]),
    ClientPattern("Edge for iOS", .apple, ["EdgiOS/"]),
    ClientPattern("Opera for iOS", .apple, [], anyOf: ["OPiOS/", "OPT/"]),
    ClientPattern("Internet Explorer", .windows, ["MSIE"]),
    ClientPattern("Internet Explorer", .windows, ["Trident/"]),
    ClientPattern("Edge Legacy", .unknown, ["Edge/"]),
    ClientPattern("Electron", .chromium, ["Electron/"]),
    ClientPattern("Qt WebEngine", .chromium, ["QtWebEngine/"]),
    ClientPattern("Edge", .chromium, ["Edg/"]),
    ClientPattern("Edge for Android", .chromium, ["EdgA/"]),
    ClientPattern("Opera", .chromium, ["OPR/"]),
    ClientPattern("Samsung Internet", .chromium, ["SamsungBrowser/"]),
    ClientPattern("Android WebView", .chromium, ["Chrome/", "wv"]),
    ClientPattern("Headless Chrome", .chromium, ["HeadlessChrome/"]),
    ClientPattern("Chromium", .chromium, ["Chromium/"]),
    ClientPattern("Chrome", .chromium, ["Chrome/"]),
    ClientPattern("Firefox", .firefox, ["Firefox/", "Gecko/"]),
    ClientPattern(
      "Safari", .apple, ["Version/", "Safari/", "AppleWebKit/"], anyOf: appleDevices, without: ["Android"]),
    ClientPattern(
      "WKWebView", .apple, ["AppleWebKit/"], anyOf: appleDevices,
      without: ["Android", "AdobeAIR/", "PhantomJS/", "Version/", "OmniWeb/"]),
  ]

  private static let libraries: [ClientPattern] = [
    ClientPattern("OkHttp", .direct, ["okhttp/"]),
    ClientPattern("Android HttpURLConnection", .direct, ["Dalvik/"]),
    ClientPattern("AsyncHTTPClient", .direct, ["AsyncHTTPClient"]),
    ClientPattern("AsyncHTTPClient", .direct, ["async-http-client"]),
    ClientPattern("Go net/http", .direct, ["Go-http-client/"]),
    ClientPattern("Python requests", .direct, ["python-requests/"]),
    ClientPattern("Python aiohttp", .direct, ["aiohttp/"]),
    ClientPattern("Python httpx", .direct, ["python-httpx/"]),
    ClientPattern("Python urllib", .direct, ["Python-urllib/"]),
    ClientPattern("Python urllib3", .direct, ["python-urllib3/"]),
    ClientPattern("Python websockets", .direct, ["websockets/", "Python/"]),
    ClientPattern("Tornado", .direct, ["Tornado/"]),
    ClientPattern("Apache HttpClient", .direct, ["Apache-HttpClient/"]),
    ClientPattern("Apache HttpAsyncClient", .direct, ["Apache-HttpAsyncClient/"]),
    ClientPattern("Java HttpClient", .direct, ["Java-http-client/"]),
    ClientPattern("Jetty client", .direct, ["Jetty/"]),
    ClientPattern("Reactor Netty", .direct, ["ReactorNetty/"]),
    ClientPattern("Ktor client", .direct, ["ktor-client"]),
    ClientPattern("Java HttpURLConnection", .direct, ["Java/"]),
    ClientPattern("axios", .direct, ["axios/"]),
    ClientPattern("node-fetch", .direct, ["node-fetch"]),
    ClientPattern("undici", .direct, ["undici"]),
    ClientPattern("got", .direct, ["got"], anyOf: ["(https://github.com/sindresorhus/got)"]),
    ClientPattern("Deno", .direct, ["Deno/"]),
    ClientPattern("Bun", .direct, ["Bun/"]),
    ClientPattern("Node fetch", .direct, ["node"]),
    ClientPattern("Dart", .direct, ["Dart/"]),
    ClientPattern(".NET gRPC", .direct, ["grpc-dotnet/"]),
    ClientPattern("RestSharp", .direct, ["RestSharp/"]),
    ClientPattern("PowerShell", .direct, [], anyOf: ["PowerShell/", "WindowsPowerShell/"]),
    ClientPattern("Windows WinHTTP", .unknown, [], anyOf: ["WinHttp", "WinHTTP", "WinHttp.WinHttpRequest.5"]),
    ClientPattern("Windows CryptoAPI", .unknown, ["Microsoft-CryptoAPI/"]),
    ClientPattern("reqwest", .direct, ["reqwest/"]),
    ClientPattern("ureq", .direct, ["ureq/"]),
    ClientPattern("hyper", .direct, ["hyper/"]),
    ClientPattern("PHP Guzzle", .direct, ["GuzzleHttp/"]),
    ClientPattern("Perl LWP", .direct, ["libwww-perl/"]),
    ClientPattern("Ruby Faraday", .direct, ["Faraday"]),
    ClientPattern("Ruby Net::HTTP", .direct, ["Ruby"]),
    ClientPattern("Wget", .direct, ["Wget/"]),
    ClientPattern("Wget2", .direct, ["Wget2/"]),
    ClientPattern("Wget2", .direct, ["wget2/"]),
    ClientPattern("curl", .direct, ["curl/"]),
    ClientPattern("libcurl", .direct, ["libcurl/"]),
  ]
}
