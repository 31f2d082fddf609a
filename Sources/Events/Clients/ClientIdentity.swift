import HTTPSemantics

/// Clients that buffer the start of a response in the same way; see ClientHold.
package enum ClientFamily: String, Sendable, CaseIterable {
  /// CFNetwork and all that loads through it: URLSession, Safari, web views on Apple systems, browsers on iOS.
  case apple
  case chromium, firefox
  /// URLMON: Internet Explorer and what is built on it.
  case windows
  /// Libraries that deliver bytes as they arrive.
  case direct
  /// A known client of unknown behaviour.
  case unknown

  /// Names of buffering clients in documents.
  package var title: String {
    switch self {
    case .apple: "Apple URLSession"
    case .chromium: "Chromium"
    case .firefox: "Firefox"
    case .windows: "Windows URLMON"
    case .direct, .unknown: ""
    }
  }
}

/// Who sent a request, as far as its User-Agent shows. A client may call itself what it likes: this is a claim.
package struct ClientIdentity: Sendable, Equatable {
  /// The library or browser: `Apple URLSession`, `OkHttp`, `Chrome`.
  package var library: String
  /// As the client writes it.
  package var version: String?
  /// The program that uses the library, where the library is not the program: `IMClient 3.1`.
  package var app: String?
  package var family: ClientFamily
  /// Identified by something other than the User-Agent.
  package var isInferred = false

  /// `Apple URLSession (IMClient 3.1)`, `OkHttp 4.9.3`
  package var name: String {
    if let app { return "\(library) (\(app))" }
    return version.map { "\(library) \($0)" } ?? library
  }

  /// The client that a User-Agent names; nil for one that is in no row of ClientPattern.
  package init?(agent: String) {
    let words = AgentWords(agent)
    guard let pattern = ClientPattern.all.first(where: { words.match($0) }) else { return nil }
    library = pattern.library
    family = pattern.family
    version = pattern.marks.first.flatMap { words.version(after: $0) }
    app = pattern.namesApp ? words.app(besides: pattern.marks) : nil
  }

  /// The client of a request: by its User-Agent or, where it sends none, by a spelling that only one library uses.
  package init?(_ request: MessageHead) {
    if let agent = request.block.value("user-agent"), !agent.isEmpty {
      self.init(agent: agent)
      return
    }
    guard request.block.value("transfer-encoding") == "Chunked" else { return nil }
    self.init(library: "Apple URLSession", family: .apple, isInferred: true)
  }

  private init(library: String, family: ClientFamily, isInferred: Bool) {
    self.library = library
    self.family = family
    self.isInferred = isInferred
  }
}

/// A User-Agent cut at the places where the name of a product can begin.
private struct AgentWords {
  private static let limit = 1024
  private static let appLimit = 48

  private let bytes: [UInt8]

  init(_ agent: String) {
    bytes = Array(agent.utf8.prefix(Self.limit))
  }

  func match(_ pattern: ClientPattern) -> Bool {
    pattern.marks.allSatisfy { place(of: $0) != nil }
      && (pattern.anyOf.isEmpty || pattern.anyOf.contains { place(of: $0) != nil })
      && pattern.without.allSatisfy { place(of: $0) == nil }
  }

  /// The end of a mark that begins a word. One that ends in a letter must end the word, too.
  private func place(of mark: String) -> Int? {
    let mark = mark.utf8
    guard let first = mark.first, let last = mark.last, bytes.count >= mark.count else { return nil }
    for start in 0...(bytes.count - mark.count) where bytes[start] == first {
      if start > 0, Self.isPartOfWord(bytes[start - 1]) { continue }
      guard bytes[start..<(start + mark.count)].elementsEqual(mark) else { continue }
      let end = start + mark.count
      if Self.isPartOfWord(last), end < bytes.count, Self.isPartOfWord(bytes[end]) { continue }
      return end
    }
    return nil
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x7A).contains(byte.lowercased) || byte >= 0x80
  }

  /// What stands behind a mark that ends in a slash.
  func version(after mark: String) -> String? {
    guard let end = place(of: mark) else { return nil }
    let start = mark.utf8.last == UInt8(ascii: "/") ? end : end + 1
    guard start == end || (end < bytes.count && bytes[end] == UInt8(ascii: "/")), start < bytes.count else {
      return nil
    }
    let version = bytes[start...].prefix { Self.isPartOfWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    return version.isEmpty ? nil : text(of: version)
  }

  /// The product that stands first, unless it is one of the marks or a browser's `Mozilla`.
  func app(besides marks: [String]) -> String? {
    let word = bytes.prefix { !$0.isBlank }
    let name = word.prefix { $0 != UInt8(ascii: "/") }
    guard !name.isEmpty, !name.elementsEqual("Mozilla".utf8), bytes[0] != UInt8(ascii: "(") else { return nil }
    let product = text(of: name)
    guard !marks.contains(where: { $0 == product || $0 == product + "/" }) else { return nil }
    let version = word.dropFirst(name.count + 1)
    return String((version.isEmpty ? product : "\(product) \(text(of: version))").prefix(Self.appLimit))
  }
}
