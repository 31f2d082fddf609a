import Events
import HTTPSemantics

/// A word by which a request shows what it belongs to. Its value is a hash: it may be a secret, and is only compared.
struct PairID: Sendable, Equatable {
  /// As people know it: `X-Connection-ID`, `cid`.
  let place: String
  /// The place in lower case and without what stands around it; empty for a segment of the path.
  let name: String
  let value: Int

  private static let limit = 8

  /// Places that hold the id of a conversation of several requests.
  private static let names: Set<String> = [
    "channel", "channelid", "cid", "conn", "connectionid", "connid", "pair", "pairid", "session", "sessionid", "sid",
    "sessid", "transport", "transportid", "tunnel", "tunnelid",
  ]
  /// These hold other things as often: with the same value they may join two requests, with another one they say nothing.
  /// The id of a user or a client is not among them: that both requests are one client's is known.
  private static let vague: Set<String> = ["id", "link", "room", "stream", "streamid"]

  /// Two requests with the same value here belong together, and with other values they do not. What stands in a path as
  /// often names the user or the thing that many requests are about.
  var namesConversation: Bool { PairID.names.contains(name) }

  /// In the fields, the target and the first bytes of the body.
  static func all(_ request: Message, _ head: MessageHead) -> [PairID] {
    var ids: [PairID] = []
    let bytes = head.block.bytes
    for field in head.block.fields where mayName(bytes, field.name) {
      add(&ids, place: head.block.name(field), bytes[field.value.clamped(to: bytes.indices)])
    }
    if case .request(_, _, let target) = head.line {
      let target = bytes[target.clamped(to: bytes.indices)]
      let path = target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      scan(path, &ids, isPath: true)
      scan(target[path.endIndex...], &ids)
    }
    // What is cut off by the bound of the quotation is no word.
    let opening = request.opening[...]
    let isWhole = opening.count < MessageRecord.openingLimit
    let end = isWhole ? opening.endIndex : opening.lastIndex { !isWord($0) } ?? opening.startIndex
    scan(opening[..<end], &ids)
    return ids
  }

  /// Most fields are known by their first letter not to be one of these.
  private static func mayName(_ bytes: [UInt8], _ name: Range<Int>) -> Bool {
    guard let first = name.first, bytes.indices.contains(first) else { return false }
    switch bytes[first].lowercased {
    case UInt8(ascii: "x"), UInt8(ascii: "s"), UInt8(ascii: "c"), UInt8(ascii: "t"), UInt8(ascii: "p"): return true
    default: return false
    }
  }

  /// Words with names before them: `sid=7f3a`, `"cid": "7f3a"`, and in a path `/session/7f3a` or a long id alone.
  private static func scan(_ bytes: ArraySlice<UInt8>, _ ids: inout [PairID], isPath: Bool = false) {
    var before: ArraySlice<UInt8>?
    var isNamed = false
    var rest = bytes
    while ids.count < limit {
      let gap = rest.prefix { !isWord($0) }
      isNamed = isPath ? !gap.isEmpty : gap.contains { $0 == UInt8(ascii: "=") || $0 == .colon }
      rest = rest[gap.endIndex...]
      let word = rest.prefix(while: isWord)
      if word.isEmpty { return }
      rest = rest[word.endIndex...]
      if let before, isNamed { add(&ids, place: text(of: before), word) }
      if isPath, isRandom(word) {
        append(&ids, PairID(place: "the path", name: "", value: word.map(\.lowercased).hashValue))
      }
      before = isNamed && !isPath ? nil : word
    }
  }

  private static func add(_ ids: inout [PairID], place: String, _ value: ArraySlice<UInt8>) {
    guard place.utf8.count <= 32, 2...128 ~= value.count, value.allSatisfy(isWord),
      value.count >= 8 || value.contains(where: \.isDigit)
    else { return }
    var name = place.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "." }
    if place.lowercased().hasPrefix("x-") { name.removeFirst() }
    // `/sessions/7f3a`
    if name.hasSuffix("s"), names.contains(String(name.dropLast())) { name.removeLast() }
    guard names.contains(name) || vague.contains(name) else { return }
    append(&ids, PairID(place: place, name: name, value: value.map(\.lowercased).hashValue))
  }

  /// A UUID or a hash, or a long word with several digits: what never means one of many.
  private static func isRandom(_ word: ArraySlice<UInt8>) -> Bool {
    let digits = word.count(where: \.isDigit)
    if word.count >= 8, digits > 0, word.allSatisfy({ $0.hexadecimalValue < 16 || $0 == UInt8(ascii: "-") }) {
      return true
    }
    return word.count >= 16 && digits >= 4 && !word.contains(UInt8(ascii: "."))
  }

  private static func append(_ ids: inout [PairID], _ id: PairID) {
    if ids.count < limit, !ids.contains(id) { ids.append(id) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.lowercased &- 0x61 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "%")
  }

  private static func text(of bytes: ArraySlice<UInt8>) -> String { HTTPSemantics.text(of: bytes) }
}

extension [PairID] {
  /// One that both have, by what names it best. A name may be spelled differently: what counts is the value.
  func shared(with other: [PairID]) -> PairID? {
    let both = filter { mine in other.contains { $0.value == mine.value } }
    let theirs = other.filter { $0.namesConversation && both.map(\.value).contains($0.value) }
    return both.first(where: \.namesConversation) ?? theirs.first ?? both.first
  }

  /// The first place where both have one, and not the same.
  func differing(from other: [PairID]) -> PairID? {
    first { mine in mine.namesConversation && other.contains { $0.name == mine.name && $0.value != mine.value } }
  }
}
