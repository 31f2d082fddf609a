// swift-tools-version: 6.2
// The folder Sources reads like the path of a byte: Capture → Decode → Reassembly → Protocols → Dialogues → Rules →
// Reports. Who may import whom is the table below and nothing else: the build refuses an import that is not in it
// (--explicit-target-dependency-import-check=error), and .ci/arrows holds the table against the intended one.
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  // Span as a field, a result or a computed property; see CitedBytes.
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
  // A packet crosses five modules. Measured without: 2.9 × the time, in calls to accessors of a word.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path ?? "Sources/\(name)", exclude: exclude, swiftSettings: settings)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.byName(name: name), "Support"] + (name == "Citation" ? [] : ["Citation"]) + dependencies,
    path: "Tests/\(name)Tests", exclude: exclude, swiftSettings: settings)
}

/// A C library of the system, there or not by the trait of its name.
func library(_ name: String, _ trait: String) -> Target.Dependency {
  .target(name: name, condition: .when(traits: [trait]))
}

func systemLibrary(_ name: String, pkgConfig: String, brew: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.brew([brew]), .apt([apt])])
}

let package = Package(
  name: "streamscope",
  // InlineArray came with it.
  platforms: [.macOS(.v26)],
  products: [.executable(name: "streamscope", targets: ["streamscope"])],
  traits: [
    .default(enabledTraits: ["Zlib", "Brotli", "Zstd", "OpenSSL"]),
    .trait(name: "Zlib", description: "Read gzip captures; decode gzip and deflate bodies (zlib1g-dev)."),
    .trait(name: "Brotli", description: "Decode br bodies (libbrotli-dev)."),
    .trait(name: "Zstd", description: "Read zstd captures; decode zstd bodies (libzstd-dev)."),
    .trait(name: "OpenSSL", description: "Decrypt TLS with a key log (libssl-dev)."),
  ],
  targets: [
    .systemLibrary(name: "CLinux", path: "Sources/CLibraries/CLinux"),
    .systemLibrary(name: "CDarwin", path: "Sources/CLibraries/CDarwin"),
    systemLibrary("CPcap", pkgConfig: "libpcap", brew: "libpcap", apt: "libpcap-dev"),
    systemLibrary("CZlib", pkgConfig: "zlib", brew: "zlib", apt: "zlib1g-dev"),
    systemLibrary("CBrotli", pkgConfig: "libbrotlidec", brew: "brotli", apt: "libbrotli-dev"),
    systemLibrary("CZstd", pkgConfig: "libzstd", brew: "zstd", apt: "libzstd-dev"),
    systemLibrary("CCrypto", pkgConfig: "libcrypto", brew: "openssl@3", apt: "libssl-dev"),

    // What is the platform's is behind this one; nothing else imports the C library.
    module(
      "Platform",
      [
        .target(name: "CLinux", condition: .when(platforms: [.linux])),
        .target(name: "CDarwin", condition: .when(platforms: [.macOS])),
      ]),
    module("Citation"),
    module("Digests", [library("CCrypto", "OpenSSL")]),
    module("Arguments"),
    module("JSON5"),
    .target(
      name: "Assets", path: "Sources/Assets",
      resources: [.embedInCode("Page"), .embedInCode("Demo"), .embedInCode("Schemas"), .embedInCode("Rows")],
      swiftSettings: settings),
    module("Capture", ["Platform", "Citation", "CPcap", library("CZlib", "Zlib"), library("CZstd", "Zstd")]),
    module("Decode", ["Citation"]),
    module("Parquet", [library("CZlib", "Zlib"), library("CZstd", "Zstd")]),
    module("Reassembly", ["Citation", "Decode"]),
    module(
      "Codecs", ["Citation", library("CZlib", "Zlib"), library("CBrotli", "Brotli"), library("CZstd", "Zstd")]),
    module("HTTPSemantics", ["Citation"], path: "Sources/Protocols/HTTPSemantics"),
    module("HTTP1", ["Platform", "Citation", "HTTPSemantics"], path: "Sources/Protocols/HTTP1"),
    module("HTTP2Semantics", ["Citation"], path: "Sources/Protocols/HTTP2Semantics"),
    module("HPACK", ["Citation", "HTTPSemantics", "HTTP2Semantics"], path: "Sources/Protocols/HPACK"),
    module("HTTP2", ["Citation", "HTTPSemantics", "HTTP2Semantics"], path: "Sources/Protocols/HTTP2"),
    module("DNS", ["Citation"], path: "Sources/Protocols/DNS"),
    module("Multipart", ["Platform", "Citation", "HTTPSemantics"], path: "Sources/Protocols/Multipart"),
    module("EventStream", ["Citation"], path: "Sources/Protocols/EventStream"),
    module("LLMSemantics", ["Citation"], path: "Sources/Protocols/LLMSemantics"),
    module("LLM", ["Citation", "LLMSemantics"], path: "Sources/Protocols/LLM"),
    module("WebSocketSemantics", ["Citation"], path: "Sources/Protocols/WebSocketSemantics"),
    module("WebSocket", ["Citation", "WebSocketSemantics"], path: "Sources/Protocols/WebSocket"),
    module("TLSSemantics", ["Citation", "Digests"], path: "Sources/Protocols/TLSSemantics"),
    module("TLS", ["Citation", "TLSSemantics"], path: "Sources/Protocols/TLS"),
    module(
      "TLSProtection", ["Platform", "Citation", "TLSSemantics", library("CCrypto", "OpenSSL")],
      path: "Sources/Protocols/TLSProtection"),
    module(
      "Events",
      ["Citation", "HTTPSemantics", "HTTP2Semantics", "LLMSemantics", "WebSocketSemantics", "TLSSemantics"]),
    module("Queries", ["Citation", "HTTPSemantics", "WebSocketSemantics", "Events"]),
    module(
      "Dialogues",
      [
        "Citation", "Digests", "Reassembly", "Codecs", "Events", "HTTPSemantics", "HTTP1", "HTTP2Semantics", "HPACK",
        "HTTP2", "Multipart", "EventStream", "LLMSemantics", "LLM",
        "DNS",
        "WebSocketSemantics", "WebSocket", "TLSSemantics", "TLS", "TLSProtection",
      ]),
    module(
      "Rules",
      [
        "Citation", "Digests", "HTTPSemantics", "HTTP2Semantics", "LLMSemantics", "WebSocketSemantics", "TLSSemantics",
        "Events",
      ],
      exclude: ["README.md"]),
    module(
      "Comparison",
      ["Citation", "HTTPSemantics", "WebSocketSemantics", "TLSSemantics", "Events", "Rules"]),
    module(
      "Reports",
      [
        "Citation", "HTTPSemantics", "HTTP2Semantics", "LLMSemantics", "WebSocketSemantics", "TLSSemantics", "Events",
        "Digests", "Assets", "Parquet",
      ]),
    module(
      "Engine",
      [
        "Platform", "Citation", "Queries", "HTTPSemantics", "WebSocketSemantics", "TLSSemantics", "DNS",
        "TLSProtection",
        "Capture",
        "Decode", "Reassembly", "Dialogues", "Rules", "Events", "Digests",
      ]),
    module(
      "App",
      [
        "Platform", "Citation", "Digests", "Queries", "TLSProtection", "Capture", "Events", "Rules", "Engine",
        "Comparison",
        "Reports",
        "Arguments", "JSON5", "Assets",
      ],
      exclude: ["README.md"]),
    // Swift's own libraries are linked in: the program starts 2 ms sooner, and its reference counts need no jump table.
    // So is the C++ library they need, where .ci/setup found it as an archive: half of what the loader looked up was for it.
    .executableTarget(
      name: "streamscope", dependencies: ["App"], path: "Sources/streamscope", swiftSettings: settings,
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib", "-L", Context.packageDirectory + "/.build/archives"],
          .when(platforms: [.linux], configuration: .release))
      ]),

    .target(
      name: "Support", dependencies: ["Platform", "Citation", "Digests", "Decode"], path: "Tests/Support",
      swiftSettings: settings),
    .target(
      name: "RunSupport",
      dependencies: ["Support", "Citation", "TLSProtection", "Capture", "Events", "Engine", "Comparison"],
      path: "Tests/RunSupport", swiftSettings: settings),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CCount", "Platform", "Citation", "Digests", "Capture", "Decode", "Reassembly", "WebSocket", "TLSProtection",
        "Events",
        "Engine",
        "Reports", library("CCrypto", "OpenSSL"),
      ],
      path: "Tests/Bench", exclude: ["CCount"], swiftSettings: settings),
    .executableTarget(
      name: "wire", dependencies: ["Platform", "Support"], path: "Tests/Wire", swiftSettings: settings),
    .executableTarget(
      name: "blocks", dependencies: ["Platform", "Support", "HPACK", "HTTPSemantics"],
      path: "Tests/Blocks", swiftSettings: settings),
    .target(name: "CCount", path: "Tests/Bench/CCount"),
    tests(of: "Platform"),
    tests(of: "Citation"),
    tests(of: "Digests"),
    tests(of: "Arguments"),
    tests(of: "Queries", ["Events"]),
    tests(of: "JSON5"),
    tests(of: "Capture", ["Platform"]),
    tests(of: "Decode"),
    tests(of: "Reassembly", ["Decode"]),
    tests(of: "Codecs", [library("CZlib", "Zlib"), library("CZstd", "Zstd")]),
    tests(of: "HTTP1", ["HTTPSemantics"], exclude: ["llhttp-decisions.tsv"]),
    tests(of: "HPACK", ["HTTPSemantics", "HTTP2Semantics"]),
    tests(of: "HTTP2", ["HTTPSemantics", "HTTP2Semantics"]),
    tests(of: "DNS"),
    tests(of: "Multipart", ["HTTPSemantics"]),
    tests(of: "EventStream"),
    tests(of: "LLM", ["LLMSemantics"]),
    tests(of: "WebSocket", ["WebSocketSemantics"]),
    tests(of: "TLS", ["TLSSemantics"]),
    tests(of: "TLSProtection", ["TLSSemantics"], exclude: ["Vectors"]),
    tests(
      of: "Dialogues",
      [
        "Events", "HTTPSemantics", "HTTP2Semantics", "RunSupport", "TLSProtection", "TLSSemantics",
        library("CCrypto", "OpenSSL"),
      ]),
    tests(of: "Events", ["HTTPSemantics", "RunSupport"]),
    tests(of: "Comparison", ["Events", "HTTPSemantics", "Engine", "RunSupport"]),
    tests(of: "Rules", ["Events", "Engine", "RunSupport", "WebSocketSemantics"]),
    tests(of: "Engine", ["Events", "Decode", "Digests", "RunSupport"]),
    tests(of: "Parquet", [library("CZlib", "Zlib"), library("CZstd", "Zstd")]),
    tests(of: "Reports", ["HTTPSemantics", "Events", "RunSupport", "Assets", "Digests", "Parquet"]),
    tests(of: "App", ["Arguments", "Assets", "Capture", "Events", "Rules"]),
  ]
)
