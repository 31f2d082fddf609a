import Citation
import Digests
import Events

/// What of a capture's content a report may show.
///
/// Payload is replaced by its length and a hash, salted by the capture itself: equal bytes of one capture can be
/// recognised as equal, and nothing can be looked up in a table. Framing is never payload.
package struct Redaction: Sendable {
  package var isOn: Bool
  /// To a person at a terminal payload is shown. Secrets are another matter.
  package var showsPayload = false
  /// SHA-256 of the beginning of the capture.
  package var salt: [UInt8]

  package init(isOn: Bool, salt: [UInt8]) {
    self.isOn = isOn
    self.salt = salt
  }

  var hidesPayload: Bool { isOn && !showsPayload }

  /// An excerpt as text, with quotes when it is shown and brackets when it is not.
  func text(_ excerpt: Excerpt, limit: Int = Excerpt.limit) -> String {
    guard hidesPayload, excerpt.isPayload else {
      let shown = excerpt.bytes.prefix(limit)
      let bytes = Array(shown)
      if excerpt.isBinaryFraming {
        return bytes.map { [$0].hex }.joined(separator: " ") + (excerpt.length > bytes.count ? " …" : "")
      }
      let shownText = withoutSecrets(EscapedText.text(bytes.span))
      return "\"\(shownText)\"" + (excerpt.length > bytes.count ? "…" : "")
    }
    return "[\(Wording.bytes(UInt64(excerpt.length))) \(digest(excerpt.bytes))]"
  }

  /// A piece of a stream: what is kept of it in quotes, its length and hash where it is hidden, nothing where nothing was
  /// kept.
  func preview(_ piece: Item) -> String {
    guard !piece.preview.isEmpty else { return "" }
    guard !hidesPayload else { return "[\(Wording.bytes(piece.bytes)) \(digest(piece.preview))]" }
    guard piece.kind != .binary, Scalars.isUTF8(upToCut: piece.preview.span) else {
      var text = Array("base64:".utf8)
      Base64.append(piece.preview.span, to: &text)
      return String(decoding: text, as: UTF8.self)
    }
    return EscapedText.text(piece.preview.span)
  }

  /// The name that a peer gave to something: shown, unless it does not look like one.
  func name(_ name: String) -> String {
    let isName =
      name.utf8.count <= 40
      && name.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || $0.properties.numericType != nil || "_-.:/".unicodeScalars.contains($0))
      }
    guard isOn, !isName || looksLikeToken(name[...]) else { return EscapedText.text(name) }
    return hidden(name)
  }

  // MARK: What rules and dialogues say

  /// An item whose sentences quote no secrets: titles of requests stand in many of them.
  package func withoutSecrets(_ item: ReportItem) -> ReportItem {
    guard isOn else { return item }
    switch item {
    case .exchange, .piece, .loss: return item
    case .stall(var stall):
      stall.stream = withoutSecrets(stall.stream)
      return .stall(stall)
    case .finding(var finding):
      finding.message = FindingMessage(sentence(finding.message.text))
      if let fix = finding.fix { finding.fix = sentence(fix) }
      for at in finding.evidence.indices { finding.evidence[at].note = sentence(finding.evidence[at].note) }
      return .finding(finding)
    case .connection(var record):
      for at in record.timeline.indices where record.timeline[at].kind == .head {
        record.timeline[at].label = sentence(record.timeline[at].label)
      }
      return .connection(record)
    }
  }

  package func withoutSecrets(_ stream: OpenStream) -> OpenStream {
    guard isOn else { return stream }
    var stream = stream
    stream.title = sentence(stream.title)
    return stream
  }

  /// The same for what two captures show together.
  package func withoutSecrets(_ record: ComparisonRecord) -> ComparisonRecord {
    guard isOn else { return record }
    var record = record
    for at in record.findings.indices {
      if case .finding(let finding) = withoutSecrets(ReportItem.finding(record.findings[at])) {
        record.findings[at] = finding
      }
    }
    return record
  }

  /// Words that are addresses or tokens, without what is secret of them.
  private func sentence(_ text: String) -> String {
    guard SecretNames.mayHold(text) else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
      let word = String(word)
      return SecretNames.mayHold(word) ? target(word) : word
    }.joined(separator: " ")
  }

  // MARK: Heads

  /// A quoted line of a head: a field, or a start line.
  private func withoutSecrets(_ line: String) -> String {
    guard isOn else { return line }
    if let colon = line.firstIndex(of: ":"), !line[..<colon].contains(" ") {
      let rest = line[line.index(after: colon)...]
      let text = rest.drop { $0 == " " }
      let shown = value(String(text), of: String(line[..<colon]))
      return shown == text ? line : "\(line[...colon]) \(shown)"
    }
    return line.split(separator: " ", omittingEmptySubsequences: false).map { target(String($0)) }
      .joined(separator: " ")
  }

  /// The value of a field, whole or in parts hidden where it is a secret.
  func value(_ value: String, of name: String) -> String {
    guard isOn else { return value }
    let name = name.lowercased()
    if SecretNames.isField(name) { return hidden(value) }
    if SecretNames.locations.contains(name) { return target(value) }
    return withoutTokens(value)
  }

  /// A request target or another address: without whom it is for, and without the values of its query that look like
  /// secrets.
  func target(_ target: String) -> String {
    guard isOn else { return target }
    let target = withoutUser(target)
    guard let mark = target.firstIndex(of: "?") else { return withoutTokens(target) }
    // A fragment may be a query, too.
    let parts = target[target.index(after: mark)...].split(separator: "#", omittingEmptySubsequences: false)
    return withoutTokens(String(target[..<mark])) + "?" + parts.map { query(String($0)) }.joined(separator: "#")
  }

  private func query(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty else { return String(pair) }
      let isSecret = SecretNames.isParameter(parts[0].lowercased()) || looksLikeToken(parts[1])
      return isSecret ? "\(parts[0])=\(hidden(String(parts[1])))" : String(pair)
    }.joined(separator: "&")
  }

  /// `https://name:password@host/`.
  private func withoutUser(_ address: String) -> String {
    let parts = address.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasSuffix(":") || parts[0].isEmpty else { return address }
    let authority = parts[1].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@") else { return address }
    return "\(parts[0])//" + hidden(String(authority[..<at])) + parts[1][at...]
  }

  /// Words that are tokens by their form, wherever they stand: JSON Web Tokens, and what begins as keys of well-known
  /// services do.
  private func withoutTokens(_ text: String) -> String {
    guard SecretNames.holdsToken(text) else { return text }
    var shown = ""
    var word = ""
    func end() {
      shown +=
        SecretNames.tokenBeginnings.contains { word.hasPrefix($0) } && word.utf8.count >= 16 ? hidden(word) : word
      word = ""
    }
    for character in text {
      if character.isLetter || character.isNumber || "-_.+=".contains(character) {
        word.append(character)
      } else {
        end()
        shown.append(character)
      }
    }
    end()
    return shown
  }

  /// A value this long with digits and without a word in it is taken for a token.
  private func looksLikeToken(_ value: Substring) -> Bool {
    value.utf8.count >= 24 && value.allSatisfy { $0.isLetter || $0.isNumber || "-_.%=+/".contains($0) }
      && value.contains(where: \.isNumber)
  }

  private func hidden(_ value: String) -> String {
    "[\(Wording.bytes(UInt64(value.utf8.count))) \(digest(Array(value.utf8)))]"
  }

  private func digest(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(salt.span)
    hash.update(bytes.span)
    return "sha256:\(Array(hash.finish().prefix(6)).hex)"
  }
}

extension Excerpt {
  /// The header of a frame or a record: read as figures, and never as text. Framing that is text begins with a character.
  fileprivate var isBinaryFraming: Bool {
    guard !isPayload, let first = bytes.first else { return false }
    return first >= 0x80 || first < 0x20 && ![0x09, 0x0A, 0x0D].contains(first)
  }
}
