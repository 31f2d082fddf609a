import HTTPSemantics

/// How clients buffer the start of a body to guess its type: data, not code. The rows are in ClientHold+Table.
///
/// Bytes are counted after chunk decoding and before content decoding. A body that ends below the limit is handed over at
/// its end.
package struct ClientHold: Sendable {
  package enum Effect: Sendable, Equatable {
    /// The application receives nothing before this many bytes of body.
    case delivery(UInt64)
    /// The application has the bytes, but shows nothing before this many.
    case rendering(UInt64)
    /// The client rejects the response, whatever its body.
    case rejection
    case none
    /// It is about no client.
    case remark
  }

  package enum Types: Sendable {
    /// Media types without parameters, in lower case. The empty one stands for a missing field.
    case essences(Set<String>)
    /// The field as it was sent, parameters included.
    case values(Set<String>)
    /// No type, or one that says nothing: see `isUnknown`.
    case unknown
    /// Every text type, and those that are unknown.
    case text
    /// For documentation only; it is not evaluated.
    case prose
  }

  /// What besides the type prevents buffering.
  package struct Exemptions: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let nosniff = Exemptions(rawValue: 1)
    package static let charset = Exemptions(rawValue: 2)
    package static let contentCoding = Exemptions(rawValue: 4)
    /// The first bytes may decide it; see BodyOpening.
    package static let opening = Exemptions(rawValue: 8)
  }

  package let client: String
  package let family: ClientFamily
  package let effect: Effect
  package let types: Types
  package let exemptions: Exemptions
  /// The end of the path for which the row holds; empty for any.
  package let pathEnd: String
  /// The same as text: what is buffered, and what prevents it.
  package let heldText: String
  package let freedText: String
  package let source: String
  package let confidence: Confidence

  package init(
    _ client: String, _ family: ClientFamily, _ effect: Effect, _ types: Types, exempt exemptions: Exemptions = [],
    pathEnd: String = "", held heldText: String, freed freedText: String, source: String, _ confidence: Confidence
  ) {
    self.client = client
    self.family = family
    self.effect = effect
    self.types = types
    self.exemptions = exemptions
    self.pathEnd = pathEnd
    self.heldText = heldText
    self.freedText = freedText
    self.source = source
    self.confidence = confidence
  }

  /// Body bytes after which the application has what arrived; nil for rows that delay nothing.
  package var bytes: UInt64? {
    if case .delivery(let bytes) = effect { bytes } else { nil }
  }

  /// Whether such a client would wait with this response; not where its type may be among what is not known. `opening` is
  /// the beginning of its body, `path` the request's.
  package func applies(to response: MessageHead, opening: [UInt8] = [], path: String = "") -> Bool {
    guard response.framing != .none, response.framing != .tunnel, path.hasSuffix(pathEnd), !response.block.lacksFields,
      matches(response.block)
    else { return false }
    if exemptions.contains(.nosniff), response.saysNosniff { return false }
    if exemptions.contains(.charset), response.block.contentType?["charset"] != nil { return false }
    if exemptions.contains(.contentCoding), response.block.first("content-encoding") != nil { return false }
    return !exemptions.contains(.opening) || !BodyOpening(opening).decides(types)
  }

  private func matches(_ block: HeaderBlock) -> Bool {
    switch types {
    case .essences(let essences): return essences.contains(block.contentType?.essence ?? "")
    case .values(let values): return values.contains(block.value("content-type") ?? "")
    case .unknown: return Self.isUnknown(block.contentType?.essence ?? "")
    case .text:
      let essence = block.contentType?.essence ?? ""
      return essence.hasPrefix("text/") || Self.isUnknown(essence)
    case .prose: return false
    }
  }

  /// A type that all browser engines treat as missing.
  package static func isUnknown(_ essence: String) -> Bool {
    switch essence {
    case "", "*/*", "unknown/unknown", "application/unknown": true
    default: !essence.utf8.contains(UInt8(ascii: "/"))
    }
  }
}

extension MessageHead {
  /// `X-Content-Type-Options: nosniff`
  package var saysNosniff: Bool { block.contains("nosniff", in: "x-content-type-options") }
}

/// The first bytes of a body, as a browser looks at them.
struct BodyOpening {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether these bytes may be enough for a client that guesses: then nothing is held, or it cannot be determined.
  func decides(_ types: ClientHold.Types) -> Bool {
    if case .essences(let essences) = types, essences.contains("text/xml") { return hasElement }
    if case .unknown = types, looksLikeTag || hasMagic { return true }
    return hasMark || looksBinary
  }

  /// A byte order mark.
  private var hasMark: Bool {
    bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
  }

  /// Control characters that text does not contain: all but TAB, LF, FF, CR and ESC.
  private var looksBinary: Bool {
    bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0C && $0 != 0x0D && $0 != 0x1B }
  }

  private var looksLikeTag: Bool {
    bytes.first { !$0.isBlank && $0 != .lineFeed && $0 != .carriageReturn && $0 != 0x0C } == UInt8(ascii: "<")
  }

  /// The beginnings of usual files that hold no byte which is binary at once.
  private var hasMagic: Bool {
    ["%PDF-", "%!PS-Adobe-", "GIF87a", "GIF89a", "BM", "RIFF", "{\\rtf", "OggS"].contains {
      bytes.starts(with: $0.utf8)
    }
      || (bytes.first ?? 0) >= 0x80
  }

  /// A tag that is neither a declaration nor a comment.
  private var hasElement: Bool {
    bytes.indices.dropLast().contains { at in
      bytes[at] == UInt8(ascii: "<") && bytes[at + 1] != UInt8(ascii: "?") && bytes[at + 1] != UInt8(ascii: "!")
    }
  }
}
