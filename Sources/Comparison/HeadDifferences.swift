import Citation
import Events
import HTTPSemantics

/// What two heads of the same message do not have in common: start line, framing, and fields, those that concern one
/// hop distinguished.
struct HeadDifferences {
  private let part: Difference.Part
  private let heads: BothSides<MessageHead>
  /// Fields that the Connection field of either names, in lower case.
  private let ofOneHop: Set<String>
  private(set) var found: [Difference] = []

  init(_ part: Difference.Part, _ a: MessageHead, _ b: MessageHead) {
    self.part = part
    heads = BothSides(a: a, b: b)
    ofOneHop = a.named.union(b.named)
    compareStartLines()
    compareFraming()
    compareFields()
  }

  private mutating func add(
    _ kind: Difference.Kind, name: String = "", _ a: String?, _ b: String?, _ role: Difference.Role = .plain,
    at fields: BothSides<HeaderField?> = BothSides(a: nil, b: nil)
  ) {
    var packets = BothSides<PacketRef?>(a: heads.a.span.first, b: heads.b.span.first)
    for side in CompareSide.allCases {
      if let field = fields[side] { packets[side] = heads[side].block.span(of: field.name).first }
    }
    var difference = Difference(part, kind, name: name, a: a, b: b, packets: packets)
    difference.role = role
    found.append(difference)
  }

  // MARK: Start lines and framing

  private mutating func compareStartLines() {
    let (a, b) = (heads.a, heads.b)
    if a.methodText != b.methodText { add(.method, a.methodText, b.methodText) }
    if a.targetText != b.targetText { add(.target, a.targetText, b.targetText) }
    if a.status != b.status { add(.status, a.statusText, b.statusText) }
    if a.version != b.version { add(.version, "HTTP/\(a.version)", "HTTP/\(b.version)") }
  }

  private mutating func compareFraming() {
    let fields = BothSides<HeaderField?>(
      a: heads.a.block.first("transfer-encoding"), b: heads.b.block.first("transfer-encoding"))
    if heads.a.framing != heads.b.framing {
      add(.framing, heads.a.framingText, heads.b.framingText, at: fields)
    } else if let one = fields.a, let other = fields.b {
      let a = heads.a.block.value(one)
      let b = heads.b.block.value(other)
      if a != b, a.lowercased() == b.lowercased() { add(.codingCase, name: "Transfer-Encoding", a, b, at: fields) }
    }
  }

  // MARK: Fields

  private struct Named {
    /// As far as it can be one: a line without a colon is all name, and a secret may stand in it.
    var name: String
    /// In lower case.
    var key: String
    var field: HeaderField
  }

  private func named(_ side: CompareSide) -> [Named] {
    let block = heads[side].block
    return block.fields.map { field in
      let name = block.name(field)
      let shown = name.prefix { $0 != " " && $0 != "\t" && $0 != "=" }
      return Named(name: shown.isEmpty ? name : String(shown), key: name.lowercased(), field: field)
    }
  }

  private mutating func compareFields() {
    let a = named(.a)
    let b = named(.b)
    let others = Dictionary(grouping: b, by: \.key)
    var met: [String: Int] = [:]
    for field in a {
      let place = met[field.key, default: 0]
      met[field.key] = place + 1
      if let same = others[field.key], place < same.count {
        compare(field, same[place])
      } else {
        tell(.fieldRemoved, field, nil)
      }
    }
    var passed: [String: Int] = [:]
    for field in b {
      let place = passed[field.key, default: 0]
      passed[field.key] = place + 1
      if place >= met[field.key, default: 0] { tell(.fieldAdded, nil, field) }
    }
    compareOrder(a, b)
  }

  private mutating func compare(_ a: Named, _ b: Named) {
    if a.name != b.name { tell(.fieldCase, a, b) }
    let one = heads.a.block.value(a.field)
    let other = heads.b.block.value(b.field)
    guard one != other else { return }
    // The letter case of the coding is reported by itself, and what the framing says need not be reported twice.
    if FieldKind.isFraming(a.key), one.lowercased() == other.lowercased() || heads.a.framing != heads.b.framing {
      return
    }
    tell(a.key == "content-encoding" ? .contentCoding : .fieldValue, a, b)
  }

  private mutating func tell(_ kind: Difference.Kind, _ a: Named?, _ b: Named?) {
    guard let known = a ?? b else { return }
    if FieldKind.isFraming(known.key), a == nil || b == nil, heads.a.framing != heads.b.framing { return }
    var kind = kind
    if known.key == "content-encoding", a == nil || b == nil { kind = .contentCoding }
    var values = BothSides<String?>(a: nil, b: nil)
    if let a { values.a = kind == .fieldCase ? a.name : heads.a.block.value(a.field) }
    if let b { values.b = kind == .fieldCase ? b.name : heads.b.block.value(b.field) }
    // It concerns one hop, and to lose it is to lose the protocol that was asked for.
    let isLost = known.key == "upgrade" && (a == nil || b == nil)
    add(
      kind, name: known.name, values.a, values.b, isLost ? .plain : role(known.key),
      at: BothSides(a: a?.field, b: b?.field))
  }

  private func role(_ key: String) -> Difference.Role {
    if FieldKind.isHopByHop(key) || ofOneHop.contains(key) { return .hop }
    if FieldKind.isForwarding(key) { return .hop }
    return FieldKind.isIndividual(key) ? .individual : .plain
  }

  /// The order of those that both have; a list of them is the difference.
  private mutating func compareOrder(_ a: [Named], _ b: [Named]) {
    let ofB = Set(b.map(\.key))
    let ofA = Set(a.map(\.key))
    // What is made anew on each hop stands where it stands.
    let one = a.filter { ofB.contains($0.key) && role($0.key) != .hop }
    let other = b.filter { ofA.contains($0.key) && role($0.key) != .hop }
    guard one.count == other.count, one.map(\.key) != other.map(\.key),
      let at = zip(one, other).firstIndex(where: { $0.key != $1.key })
    else { return }
    add(
      .fieldOrder, name: one[at].name, one[at].name, other[at].name,
      at: BothSides(a: one[at].field, b: other[at].field))
  }
}

extension Zip2Sequence {
  fileprivate func firstIndex(where isWanted: (Element) -> Bool) -> Int? {
    for (index, element) in self.enumerated() where isWanted(element) { return index }
    return nil
  }
}

extension MessageHead {
  var statusText: String { "\(status.code)\(reasonText.isEmpty ? "" : " \(reasonText)")" }

  var framingText: String {
    switch framing {
    case .none: "no body"
    case .length: "Content-Length: \(contentLength)"
    case .chunked: "chunked"
    case .close: "up to the close"
    case .tunnel: "tunnel"
    case .stream: "up to the end of its stream"
    }
  }

  /// What its Connection field names, in lower case.
  fileprivate var named: Set<String> {
    Set(block.elements("connection").map { block.text(of: $0).lowercased() })
  }
}

/// What a field is, by its name in lower case.
enum FieldKind {
  static func isFraming(_ name: String) -> Bool { name == "content-length" || name == "transfer-encoding" }

  /// RFC 9110 §7.6.1, and those that older proxies treat so.
  static func isHopByHop(_ name: String) -> Bool {
    ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"].contains(name)
  }

  /// What proxies add to say that they were there.
  static func isForwarding(_ name: String) -> Bool {
    ["via", "forwarded", "x-real-ip", "x-original-url", "x-original-host"].contains(name)
      || name.hasPrefix("x-forwarded-") || name.hasPrefix("x-envoy-")
  }

  /// Another one in every exchange.
  static func isIndividual(_ name: String) -> Bool {
    [
      "date", "age", "expires", "traceparent", "tracestate", "server-timing", "x-runtime", "sec-websocket-key",
      "sec-websocket-accept", "cf-ray", "x-amz-cf-id", "x-azure-ref", "x-served-by", "x-timer", "x-cache", "nel",
      "report-to", "idempotency-key",
    ].contains(name)
      || ["request-id", "requestid", "correlation", "trace", "span", "nonce", "timestamp"].contains {
        name.contains($0)
      }
  }
}
