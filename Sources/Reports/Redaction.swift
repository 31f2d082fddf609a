import Citation
import Digests
import Events
import HTTPSemantics
import Synchronization

/// What of a capture's content a report may show.
///
/// Payload is replaced by its length and a hash, salted by the capture itself: equal bytes of one capture can be
/// recognised as equal, and nothing can be looked up in a table. Framing is never payload.
package struct Redaction: Sendable {
  package var isOn: Bool
  /// To a person at a terminal payload is shown. Secrets are another matter.
  package var showsPayload = false
  private let salt: RedactionSalt

  package init(isOn: Bool, salt: [UInt8]) {
    self.init(isOn: isOn) { salt }
  }

  /// With a salt that is made when something is hidden.
  package init(isOn: Bool, saltedBy make: @escaping @Sendable () -> [UInt8]) {
    self.isOn = isOn
    salt = RedactionSalt(make)
  }

  var hidesPayload: Bool { isOn && !showsPayload }

  /// An excerpt as text, with quotes when it is shown and brackets when it is not. What is shown passes the gate of heads:
  /// it may be a line of one, or a piece of one.
  func text(_ excerpt: Excerpt, limit: Int = Excerpt.limit) -> String {
    guard hidesPayload, excerpt.isPayload else {
      let bytes = Array(excerpt.bytes.prefix(limit))
      if excerpt.isBinaryFraming {
        return bytes.map { [$0].hex }.joined(separator: " ") + (excerpt.length > bytes.count ? " …" : "")
      }
      var shown: [UInt8] = []
      let secret = min(excerpt.secretFrom, bytes.count)
      append(bytes[..<secret], as: .lines, to: &shown)
      if secret < bytes.count {
        shown += (isOn ? hidden(bytes[secret...]) : EscapedText.text(Array(bytes[secret...]).span)).utf8
      }
      return "\"\(String(decoding: shown, as: UTF8.self))\"" + (excerpt.length > bytes.count ? "…" : "")
    }
    return placeholder(UInt64(excerpt.length), excerpt.bytes)
  }

  /// A piece of a stream: what is kept of it in quotes, its length and hash where it is hidden, nothing where nothing was
  /// kept.
  func preview(_ piece: Item) -> String {
    var text: [UInt8] = []
    appendPreview(piece, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The same behind other text: a document holds those of all pieces in one.
  func appendPreview(_ piece: Item, to text: inout [UInt8]) {
    guard !piece.preview.isEmpty else { return }
    guard !hidesPayload else { return appendPlaceholder(piece.bytes, piece.preview, to: &text) }
    guard piece.kind != .binary, Scalars.isUTF8(upToCut: piece.preview.span) else {
      text.append(contentsOf: "base64:".utf8)
      return Base64.append(piece.preview.span, to: &text)
    }
    text.append(contentsOf: EscapedText.text(piece.preview.span).utf8)
  }

  /// The name that a peer gave to something: shown, unless it does not look like one.
  func name(_ name: String) -> String {
    let isName = name.utf8.count <= 40 && name.utf8.allSatisfy(\.isOfNames)
    guard isOn else { return isName ? name : EscapedText.text(name) }
    guard isName, !SecretTokens.isLikeOne(name.utf8.span, 0..<name.utf8.count), gated(name, as: .value) == nil else {
      return hidden(name)
    }
    return name
  }

  // MARK: What rules and dialogues say

  /// An item whose sentences quote no secrets: titles of requests stand in many of them.
  package func withoutSecrets(_ item: ReportItem) -> ReportItem {
    guard isOn else { return item }
    switch item {
    case .exchange, .piece, .loss: return item
    case .connection(let record) where record.timeline.isEmpty: return item
    case .stall(var stall):
      stall.stream = withoutSecrets(stall.stream)
      return .stall(stall)
    case .finding(var finding):
      // Changed only where there is a secret, as nearly nowhere: others hold the finding, too, and it would be copied.
      if let shown = gated(finding.message.text, as: .sentence) { finding.message = FindingMessage(shown) }
      if let fix = finding.fix, let shown = gated(fix, as: .sentence) { finding.fix = shown }
      for at in finding.evidence.indices {
        if let shown = gated(finding.evidence[at].note, as: .sentence) { finding.evidence[at].note = shown }
      }
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

  /// Words that quote addresses, names or tokens, without what is secret of them.
  func sentence(_ text: String) -> String { gate(text, as: .sentence) }

  // MARK: Heads

  /// The name of a field: a line without a colon is nothing else.
  func name(ofField name: String) -> String {
    guard isOn, !name.utf8.allSatisfy(\.isTokenCharacter) else { return name }
    return gate(name, as: .lines)
  }

  /// The value of a field, whole or in parts hidden where it is a secret.
  func value(_ value: String, of name: String) -> String {
    guard isOn else { return value }
    return SecretNames.isField(name) ? hidden(value) : gate(value, as: .value)
  }

  /// A request target or another address: without whom it is for, and without the values of its query that look like
  /// secrets.
  func target(_ target: String) -> String { gate(target, as: .value) }

  // MARK: What is hidden

  private func gate(_ text: String, as kind: SecretScan.Text) -> String { gated(text, as: kind) ?? text }

  /// The one gate: text of the capture without its secrets, or nil where it has none.
  private func gated(_ text: String, as kind: SecretScan.Text) -> String? {
    guard isOn else { return nil }
    var text = text
    return text.withUTF8 { buffer -> String? in
      let ranges = SecretScan.secrets(in: buffer.span, as: kind)
      guard !ranges.isEmpty else { return nil }
      var shown: [UInt8] = []
      var place = 0
      for range in ranges {
        shown += buffer[place..<range.lowerBound]
        shown += hidden(buffer[range]).utf8
        place = range.upperBound
      }
      shown += buffer[place...]
      return String(decoding: shown, as: UTF8.self)
    }
  }

  /// Bytes, escaped but for what is hidden of them.
  private func append(_ bytes: ArraySlice<UInt8>, as kind: SecretScan.Text, to output: inout [UInt8]) {
    let bytes = Array(bytes)
    let secrets = isOn ? SecretScan.secrets(in: bytes.span, as: kind) : []
    var place = 0
    for secret in secrets {
      EscapedText.append(bytes.span.extracting(place..<secret.lowerBound), to: &output)
      output += hidden(bytes[secret]).utf8
      place = secret.upperBound
    }
    EscapedText.append(bytes.span.extracting(place..<bytes.count), to: &output)
  }

  private func hidden(_ value: String) -> String { hidden(Array(value.utf8)) }

  private func hidden(_ bytes: some Collection<UInt8>) -> String { placeholder(UInt64(bytes.count), Array(bytes)) }

  private func placeholder(_ count: UInt64, _ known: [UInt8]) -> String {
    var text: [UInt8] = []
    appendPlaceholder(count, known, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// What stands for bytes that are hidden, of which some are known. Not interpolated: there is one for each piece of a stream.
  private func appendPlaceholder(_ count: UInt64, _ known: [UInt8], to text: inout [UInt8]) {
    var hash = salt.hash
    hash.update(known.span)
    text.append(UInt8(ascii: "["))
    // As `Wording.bytes`; a number this short has no separators.
    if count < 1_000 { text.append(digits: count) } else { text.append(contentsOf: Wording.number(count).utf8) }
    text.append(contentsOf: " B sha256:".utf8)
    Hex.append(hash.beginning, first: 12, to: &text)
    text.append(UInt8(ascii: "]"))
  }
}

/// SHA-256 of the beginning of the capture. Made when something is hidden: most reports of a small capture hide nothing, and
/// it would be a fifth of their time.
private final class RedactionSalt: Sendable {
  private let make: @Sendable () -> [UInt8]
  private let made = Mutex<SHA256?>(nil)

  init(_ make: @escaping @Sendable () -> [UInt8]) {
    self.make = make
  }

  /// A hash that begins with it.
  var hash: SHA256 {
    made.withLock { hash in
      if let hash { return hash }
      var fresh = SHA256()
      fresh.update(make().span)
      hash = fresh
      return fresh
    }
  }
}

extension Excerpt {
  /// The header of a frame or a record: read as figures, and never as text. Framing that is text begins with a character.
  fileprivate var isBinaryFraming: Bool {
    guard !isPayload, let first = bytes.first else { return false }
    return first >= 0x80 || first < 0x20 && ![0x09, 0x0A, 0x0D].contains(first)
  }
}

extension UInt8 {
  /// A letter, a digit or what stands between the parts of a name: nothing of it is escaped.
  fileprivate var isOfNames: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
