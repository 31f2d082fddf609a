/// The rows: which client buffers what, for how long, and the source.
extension ClientHold {
  private static let officeTypes: Set<String> = [
    "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/vnd.ms-word",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.ms-excel.sheet.macroenabled.12", "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12", "application/mspowerpoint", "application/msexcel",
    "application/vnd.ms-word.document.12", "application/vnd.msword",
  ]

  /// CFNetwork holds the response itself, too: neither a head nor data reaches the program.
  package static let apple = ClientHold(
    "Apple URLSession, NSURLConnection", .apple, .delivery(512), .essences(["text/html", "text/plain", ""]),
    exempt: .nosniff, held: "text/html; no type; text/plain, by reports",
    freed: "nosniff; application/json, text/event-stream; application/octet-stream (one old report says not)",
    source: "a WebKit engineer in web-platform-tests issue 41037; Apple forum thread 64875; ktor's tests", .high)

  package static let chromiumUnknown = ClientHold(
    "Chrome, Edge, Electron, Android WebView: tabs, frames, XMLHttpRequest", .chromium, .delivery(1024), .unknown,
    exempt: [.nosniff, .opening], held: "no type, */*, unknown/unknown, application/unknown, no slash",
    freed: "nosniff; fetch(); earlier by an HTML tag, a known file's first bytes or a binary byte",
    source: "net/base/mime_sniffer.cc", .high)

  package static let chromiumText = ClientHold(
    "Chrome, Edge, Electron, Android WebView: tabs, frames, XMLHttpRequest", .chromium, .delivery(1024),
    .essences(["text/plain"]),
    exempt: [.nosniff, .opening], held: "text/plain",
    freed: "nosniff; fetch(); earlier by a byte order mark or a binary byte",
    source: "net/base/mime_sniffer.cc; Stack Overflow question 13557900", .high)

  package static let all: [ClientHold] = [
    apple,
    ClientHold(
      "Safari, WKWebView, browsers on iOS", .apple, .delivery(512), .prose,
      held: "as URLSession, which loads for them", freed: "nosniff",
      source: "WebKit pull requests 28961 and 34576; an issue report of 2025 on compressed text/plain", .medium),
    ClientHold(
      "Safari's fetch()", .apple, .rejection, .prose, held: "multipart/x-mixed-replace: refused at the first read",
      freed: "application/octet-stream", source: "an issue report", .medium),
    chromiumUnknown,
    chromiumText,
    ClientHold(
      "Chrome, Edge, Electron, Android WebView", .chromium, .delivery(300),
      .essences(["text/xml", "application/xml"]), exempt: [.nosniff, .opening], held: "text/xml, application/xml",
      freed: "nosniff; earlier by the first element", source: "net/base/mime_sniffer.cc", .high),
    ClientHold(
      "Chrome, Edge, Electron, Android WebView", .chromium, .delivery(42), .essences(["application/octet-stream"]),
      exempt: .nosniff, pathEnd: ".crx", held: "application/octet-stream, path ends in .crx", freed: "nosniff",
      source: "net/base/mime_sniffer.cc", .high),
    ClientHold(
      "Chrome, Edge, Electron, Android WebView", .chromium, .delivery(8), .essences(["application/octet-stream"]),
      exempt: .nosniff, held: "application/octet-stream", freed: "nosniff", source: "net/base/mime_sniffer.cc", .high),
    ClientHold(
      "Chrome, Edge, Electron, Android WebView", .chromium, .delivery(8), .essences(officeTypes), exempt: .nosniff,
      held: "types of Microsoft Office", freed: "nosniff", source: "net/base/mime_sniffer.cc", .high),
    ClientHold(
      "Chrome, Edge, Electron, Android WebView", .chromium, .none, .prose,
      held: "never: text/html, application/json, text/event-stream", freed: "", source: "net/base/mime_sniffer.cc",
      .high),
    ClientHold(
      "Firefox", .firefox, .delivery(512), .unknown, held: "no type, or an unknown one", freed: "a type",
      source: "netwerk/streamconv/converters/nsUnknownDecoder.cpp", .high),
    ClientHold(
      "Firefox", .firefox, .delivery(512),
      .values([
        "text/plain", "text/plain; charset=ISO-8859-1", "text/plain; charset=iso-8859-1", "text/plain; charset=UTF-8",
      ]),
      exempt: .contentCoding, held: "text/plain as old Apache servers send it to the letter",
      freed: "any other charset; Content-Encoding", source: "netwerk/streamconv/converters/nsUnknownDecoder.cpp",
      .medium),
    ClientHold(
      "Chrome's and Firefox's HTML parser", .unknown, .rendering(1024), .essences(["text/html"]), exempt: .charset,
      held: "text/html without charset: up to 1,024 B are searched for one before anything is shown", freed: "charset",
      source: "HTML standard, encoding sniffing", .low),
    ClientHold(
      "MIME Sniffing standard", .unknown, .remark, .prose,
      held: "up to 1,445 B, the end, or \"a reasonable time\"; HTML not at all since July 2024", freed: "nosniff",
      source: "mimesniff.spec.whatwg.org", .high),
    ClientHold(
      "Internet Explorer, Windows URLMON", .windows, .delivery(256), .text, held: "most text types", freed: "nosniff",
      source: "documentation of FindMimeFromData", .low),
    ClientHold(
      "curl, OkHttp, Node, Go, Java, Python, AsyncHTTPClient, swift-corelibs URLSession", .direct, .none, .prose,
      held: "nothing: they cannot show the fault (the curl program needs -N)", freed: "",
      source: "their sources, which hold no code that guesses", .high),
    ClientHold(
      "Go's net/http, as a server", .unknown, .remark, .prose,
      held: "guesses the type of an untyped response from its first write, and so makes others hold it",
      freed: "a Content-Type set by the handler", source: "net/http, DetectContentType", .high),
  ]

  /// For `explain`.
  package static let table = RuleTable(
    title: "Who holds what", columns: ["client", "bytes", "held", "freed", "source"],
    rows: all.map { [$0.client, $0.effect.words, $0.heldText, $0.freedText, "\($0.source) (\($0.confidence.name))"] })
}

extension ClientHold.Effect {
  fileprivate var words: String {
    switch self {
    case .delivery(let bytes): Wording.bytes(bytes)
    case .rendering(let bytes): "\(Wording.bytes(bytes)), shown late"
    case .rejection: "refused"
    case .none: "0 B"
    case .remark: ""
    }
  }
}
