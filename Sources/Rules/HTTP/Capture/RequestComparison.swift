import Citation
import Events
import HTTPSemantics

/// What two requests do not have in common, the smallest difference first.
///
/// Values of secrets are compared and never shown. Fields that differ on every request are left out.
struct RequestComparison: Sendable {
  struct Difference: Sendable {
    /// The name of the field in lower case, or of another part of the request.
    var what: String
    var text: String
    /// About how many bytes differ.
    var size: Int
    var failed: HeaderField?
    var sibling: HeaderField?
  }

  private(set) var differences: [Difference] = []

  init(_ failed: Message, _ failedHead: MessageHead, _ sibling: Message, _ siblingHead: MessageHead) {
    if failedHead.version != siblingHead.version {
      add("version", "HTTP/\(failedHead.version) instead of HTTP/\(siblingHead.version)", 1)
    }
    if Self.hasQuery(failedHead) != Self.hasQuery(siblingHead) {
      add("query", Self.hasQuery(failedHead) ? "a query, which the other lacks" : "no query", 8)
    }
    compareFields(failedHead, siblingHead)
    compareBodies(failed, failedHead, sibling, siblingHead)
    differences.sort { ($0.size, $0.what) < ($1.size, $1.what) }
  }

  /// Takes out what differs in another comparison, too.
  mutating func leaveOut(_ other: RequestComparison) {
    let names = Set(other.differences.map(\.what))
    differences.removeAll { names.contains($0.what) }
  }

  private mutating func add(
    _ what: String, _ text: String, _ size: Int, _ failed: HeaderField? = nil, _ sibling: HeaderField? = nil
  ) {
    differences.append(Difference(what: what, text: text, size: size, failed: failed, sibling: sibling))
  }

  private static func hasQuery(_ head: MessageHead) -> Bool { head.targetText.contains("?") }

  // MARK: Fields

  private mutating func compareFields(_ failed: MessageHead, _ sibling: MessageHead) {
    var others: [String: HeaderField] = [:]
    for field in sibling.block.fields {
      let name = sibling.block.name(field).lowercased()
      if others[name] == nil { others[name] = field }
    }
    var seen: Set<String> = []
    for field in failed.block.fields {
      let spelled = failed.block.name(field)
      let name = spelled.lowercased()
      guard seen.insert(name).inserted, !Self.isIndividual(name) else { continue }
      guard let other = others[name] else {
        add(name, "\(spelled) only here", field.value.count + spelled.utf8.count + 4, Self.shown(field, name))
        continue
      }
      compare(name, field, failed, other, sibling)
    }
    for field in sibling.block.fields {
      let spelled = sibling.block.name(field)
      let name = spelled.lowercased()
      guard seen.insert(name).inserted, !Self.isIndividual(name) else { continue }
      add(
        name, "without \(spelled)", field.value.count + spelled.utf8.count + 4, nil, Self.shown(field, name))
    }
  }

  private mutating func compare(
    _ name: String, _ field: HeaderField, _ failed: MessageHead, _ other: HeaderField, _ sibling: MessageHead
  ) {
    let spelled = failed.block.name(field)
    let otherSpelled = sibling.block.name(other)
    if spelled != otherSpelled {
      add(
        "name of " + name, "\(spelled) instead of \(otherSpelled)", Self.distance(spelled, otherSpelled),
        Self.shown(field, name), Self.shown(other, name))
    }
    let value = failed.block.value(field)
    let otherValue = sibling.block.value(other)
    guard value != otherValue else { return }
    // Two bodies may well differ in length; a body and none is reported with the bodies.
    if name == "content-length" { return }
    guard !Self.isSecret(name) else {
      // It is another one in every session: reported last.
      add(name, "another value of \(spelled)", Self.last)
      return
    }
    add(
      name, "\(spelled): \(Self.short(value)) instead of \(Self.short(otherValue))",
      Self.distance(value, otherValue), field, other)
  }

  private mutating func compareBodies(
    _ failed: Message, _ failedHead: MessageHead, _ sibling: Message, _ siblingHead: MessageHead
  ) {
    if failedHead.framing != siblingHead.framing {
      add("framing", "\(Self.words(failedHead)) instead of \(Self.words(siblingHead))", 12)
    } else if (failed.bodyBytes == 0) != (sibling.bodyBytes == 0) {
      add(
        "body", "a body of \(Wording.bytes(failed.bodyBytes)) instead of \(Wording.bytes(sibling.bodyBytes))", 2,
        failedHead.block.first("content-length"), siblingHead.block.first("content-length"))
    }
  }

  private static func words(_ head: MessageHead) -> String {
    switch head.framing {
    case .length: "a body with Content-Length"
    case .chunked: "a chunked body"
    case .stream: "a body"
    default: "no body"
    }
  }

  // MARK: Words

  private static let last = Int.max

  /// Bytes between what both have in common at the beginning and at the end.
  private static func distance(_ a: String, _ b: String) -> Int {
    let left = Array(a.utf8)
    let right = Array(b.utf8)
    if left.count == right.count {
      return zip(left, right).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
    }
    let least = min(left.count, right.count)
    var head = 0
    while head < least, left[head] == right[head] { head += 1 }
    var tail = 0
    while tail < least - head, left[left.count - 1 - tail] == right[right.count - 1 - tail] { tail += 1 }
    return max(left.count, right.count) - head - tail
  }

  private static func short(_ value: String) -> String {
    value.count > 40 ? "\"\(value.prefix(39))…\"" : "\"\(value)\""
  }

  private static func shown(_ field: HeaderField, _ name: String) -> HeaderField? { isSecret(name) ? nil : field }

  /// Fields whose value may be a credential. A referrer and a cookie hold what a query holds.
  private static func isSecret(_ name: String) -> Bool {
    name == "referer" || name == "location"
      || ["cookie", "authorization", "token", "secret", "key", "password", "session", "signature", "auth"]
        .contains { name.contains($0) }
  }

  /// Fields that have another value on every request.
  private static func isIndividual(_ name: String) -> Bool {
    ["date", "age", "traceparent", "tracestate", "content-md5", "digest", "if-none-match", "if-modified-since"]
      .contains(name)
      || ["request-id", "requestid", "correlation", "trace", "span", "nonce", "timestamp", "amzn", "x-amz-date"]
        .contains { name.contains($0) }
  }
}
