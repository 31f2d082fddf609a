import Citation

/// The rows: which timer, how long, how it ends. Defaults are those of the vendors; where
/// the source is reports, it was not verified in the product.
extension KnownTimeout {
  private static func server(
    _ name: String, _ seconds: [Int64], _ phases: [Phase], _ closes: [Close], _ hints: [Hint], alone: Bool = false,
    times: String, close: String, hint: String, source: String
  ) -> KnownTimeout {
    KnownTimeout(
      name: name, seconds: seconds, phases: phases, closes: closes, side: .toClient, hints: hints, standsAlone: alone,
      texts: (times, close, hint, source))
  }

  private static func client(
    _ name: String, _ seconds: [Int64], _ hints: [Hint], times: String, hint: String, source: String
  ) -> KnownTimeout {
    KnownTimeout(
      name: name, seconds: seconds, phases: [.wait, .response], closes: [.fin, .reset], side: .toServer, hints: hints,
      standsAlone: false, texts: (times, "FIN or RST of the client", hint, source))
  }

  /// Only documentation: it ends connections without a request, or ends them silently.
  private static func prose(
    _ name: String, _ seconds: [Int64], times: String, close: String, hint: String, source: String
  ) -> KnownTimeout {
    KnownTimeout(
      name: name, seconds: seconds, phases: [], closes: [], side: .toClient, hints: [], standsAlone: false,
      texts: (times, close, hint, source))
  }

  /// Flows that are dropped silently; later packets meet silence or a reset.
  package static let drops: [KnownTimeout] = [
    prose(
      "Azure Load Balancer's idle timeout", [240], times: "an idle flow, 4 to 100 min",
      close: "silence; RST if enabled",
      hint: "", source: "vendor's documentation"),
    prose(
      "AWS NLB's idle timeout", [350], times: "an idle flow, 60 to 6,000 s; TLS listeners always 350 s",
      close: "silence, then RST to the next packet", hint: "", source: "vendor's documentation"),
  ]

  /// Defaults, in seconds, of timers that end or drop a connection that is silent during a response, which is how
  /// proxies see a WebSocket.
  package static let silences: Set<Int64> = Set(
    (all.filter { $0.phases.contains(.response) } + drops).flatMap(\.seconds))

  package static let all: [KnownTimeout] =
    [
      server(
        "nginx's proxy_read_timeout", [60], [.wait, .response], [.fin, .status(504)], [.server("nginx")],
        times: "between two reads from the upstream", close: "504, or FIN in the middle of the body",
        hint: "Server: nginx", source: "nginx source, 1.31"),
      server(
        "nginx's client_body_timeout", [60], [.upload], [.fin, .status(408)], [.server("nginx")],
        times: "between two reads of a request's body", close: "FIN, or 408", hint: "Server: nginx",
        source: "nginx source, 1.31"),
      server(
        "nginx's send_timeout", [60], [.response], [.fin], [.server("nginx")],
        times: "between two writes to a client that does not read", close: "FIN", hint: "Server: nginx",
        source: "nginx source, 1.31"),
      server(
        "Apache httpd's Timeout", [60], [.upload, .wait, .response], [.fin, .status(408), .status(502), .status(504)],
        [.server("apache")], times: "stalled input or output; of a proxy, the origin's answer",
        close: "FIN, 408, 502 or 504", hint: "Server: Apache", source: "documentation, reports"),
      server(
        "Apache httpd's mod_reqtimeout", [20], [.upload], [.fin, .status(408)], [.server("apache")],
        times: "a request's body: 20 s, and 1 s more for each 500 B", close: "408 and FIN", hint: "Server: Apache",
        source: "documentation"),
      server(
        "Kestrel's minimum data rate", [5], [.upload, .response], [.reset, .fin, .status(408)], [.server("kestrel")],
        times: "240 B/s after 5 s of grace, both ways", close: "RST or 408", hint: "Server: Kestrel",
        source: "vendor's documentation"),
      server(
        "IIS's connection timeout", [120], [.upload, .response], [.reset, .fin], [.server("microsoft-iis")],
        times: "an idle connection; and 240 B/s at least", close: "RST", hint: "Server: Microsoft-IIS",
        source: "reports"),
      server(
        "Node's requestTimeout", [300], [.upload], [.fin, .status(408)], [.field("keep-alive")],
        times: "a whole request", close: "408 or FIN", hint: "Keep-Alive: timeout=5", source: "Node issues, reports"),
      server(
        "AWS ALB's idle timeout", [60], [.upload, .wait, .response], [.fin, .status(408), .status(504)],
        [.server("awselb")], alone: true, times: "any byte of the stream either way; TCP keep-alives do not count",
        close: "FIN; 504 before a head", hint: "Server: awselb/2.0", source: "vendor's documentation"),
      server(
        "CloudFront's origin response timeout", [30], [.wait, .response], [.fin, .status(504)],
        [.via("cloudfront"), .field("x-amz-cf-id")], times: "between two packets of the origin, 1 to 120 s",
        close: "504, or FIN in the middle of the body", hint: "Via: … cloudfront, X-Amz-Cf-Id",
        source: "vendor's documentation"),
      server(
        "Cloudflare's proxy read timeout", [120, 100], [.wait, .response], [.fin, .reset, .status(524)],
        [.field("cf-ray")], times: "the origin's next bytes; 100 s in older documents", close: "524, or the end",
        hint: "CF-RAY", source: "vendor's documentation"),
      server(
        "Azure App Service's request timeout", [230], [.wait], [.fin, .reset, .status(502), .status(504)],
        [.fields("x-ms-"), .cookie("ARRAffinity")], times: "from the request to the answer",
        close: "FIN or 502", hint: "x-ms-…, ARRAffinity", source: "vendor's answers"),
      server(
        "Azure Front Door's origin response timeout", [30], [.wait, .response], [.fin, .status(503), .status(504)],
        [.field("x-azure-ref")], times: "the origin's answer, 16 to 240 s; event streams are not supported",
        close: "503 or 504", hint: "X-Azure-Ref", source: "vendor's documentation"),
      server(
        "GCP load balancer's backend timeout", [30], [.wait, .response], [.fin, .status(502), .status(504)],
        [.via("google")], times: "a whole response, streams and WebSocket too", close: "502, 504 or FIN",
        hint: "Via: 1.1 google", source: "vendor's documentation, reports"),
      server(
        "Heroku router's timeout", [30, 55], [.wait, .response], [.fin, .status(503)], [.via("heroku")],
        times: "30 s to the first byte, then 55 s between bytes", close: "503 (H12), FIN (H15, H28)",
        hint: "Via: … heroku-router", source: "vendor's documentation"),
      server(
        "Envoy's route timeout", [15], [.wait, .response], [.fin, .reset, .status(504)], [.server("envoy")],
        times: "a whole response", close: "504 upstream request timeout", hint: "server: envoy", source: "Envoy FAQ"),
      server(
        "Envoy's stream idle timeout", [300], [.upload, .wait, .response],
        [.fin, .reset, .status(408), .status(504)], [.server("envoy")], times: "any byte of a stream",
        close: "408 stream timeout, or the end", hint: "server: envoy", source: "Envoy FAQ"),
      server(
        "HAProxy's timeout server or client in sample configurations", [50, 60], [.upload, .wait, .response],
        [.fin, .reset, .status(408), .status(504)], [], alone: true, times: "an idle side; there is no default",
        close: "408, 504 or RST", hint: "", source: "documentation"),
      server(
        "Varnish's first_byte_timeout or between_bytes_timeout", [60], [.wait, .response], [.fin, .status(503)],
        [.field("x-varnish")], times: "the backend's next bytes", close: "503 or FIN", hint: "X-Varnish",
        source: "reports"),
      server(
        "Fastly's first byte or between bytes timeout", [15, 10], [.wait, .response], [.fin, .status(503)],
        [.field("x-served-by")], times: "15 s to the first byte, 10 s between bytes", close: "503 or FIN",
        hint: "X-Served-By", source: "reports"),
      server(
        "OCI load balancer's timeout", [65, 300], [.upload, .wait, .response], [.fin, .status(504)], [],
        times: "65 s towards clients, 300 s towards servers", close: "FIN", hint: "", source: "vendor's documentation"),
      client(
        "URLSession's timeoutIntervalForRequest", [60], [.agent("CFNetwork"), .agent("Darwin")],
        times: "the next byte; a resource in all, 7 days", hint: "User-Agent: … CFNetwork/… Darwin/…",
        source: "swift-corelibs-foundation; vendor's documentation"),
      client(
        "OkHttp's read timeout", [10], [.agent("okhttp")], times: "the next bytes; connecting and writing alike",
        hint: "User-Agent: okhttp/…", source: "reports"),
      prose(
        "nginx's keepalive_timeout", [75], times: "an idle connection; after 1,000 requests, too", close: "FIN",
        hint: "no Keep-Alive field unless it is set", source: "nginx source, 1.31"),
      prose(
        "nginx's lingering_close", [5, 30], times: "the rest of an upload after an early answer: 5 s idle, 30 s in all",
        close: "FIN, then RST", hint: "Server: nginx", source: "nginx source, 1.31"),
      prose(
        "Node, Apache, uvicorn: keep-alive", [5], times: "an idle connection", close: "FIN",
        hint: "Keep-Alive: timeout=5", source: "documentation"),
      prose(
        "gunicorn, Tomcat, Jetty: keep-alive", [2, 20, 30], times: "an idle connection", close: "FIN", hint: "",
        source: "reports"),
      prose(
        "Kestrel's keep-alive", [130], times: "an idle connection", close: "FIN", hint: "Server: Kestrel",
        source: "vendor's documentation"),
      prose(
        "GCP load balancer's keep-alive", [610, 600], times: "an idle connection of a client, of a backend",
        close: "FIN", hint: "Via: 1.1 google", source: "vendor's documentation"),
      prose(
        "Cloudflare's client keep-alive", [400], times: "an idle connection of a client", close: "FIN", hint: "CF-RAY",
        source: "vendor's documentation"),
      prose(
        "Heroku, Envoy: keep-alive", [90, 3_600], times: "an idle connection", close: "FIN", hint: "",
        source: "vendors' documentation"),
      prose(
        "curl, OkHttp, Chrome, Firefox: reuse", [118, 300, 300, 115],
        times: "an idle connection is not used again after so long", close: "FIN of the client", hint: "",
        source: "curl source; reports"),
    ] + drops

  /// For `explain`.
  package static let table = RuleTable(
    title: "Timeouts that end streams", columns: ["timer", "default", "what it times", "end", "hint", "source"],
    rows: all.map { row in
      [
        row.name, row.seconds.map { "\($0) s" }.joined(separator: ", "), row.texts.times, row.texts.close,
        row.texts.hint, row.texts.source,
      ]
    })
}
