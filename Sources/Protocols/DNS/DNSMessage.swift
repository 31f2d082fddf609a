// DNS reads responses of the domain name system (RFC 1035) far enough to know which names had which addresses. One
// message at a time, no state; what does not parse is ignored. DNSOverTCP finds the messages of a TCP connection.
import Citation

/// The addresses that a response gives for the requested name.
package struct DNSMessage: Hashable, Sendable {
  /// Records that are looked at; a response over UDP holds few.
  package static let recordLimit = 128
  /// Addresses that are kept.
  package static let addressLimit = 32

  /// In lower case, without the dot at its end.
  package var question: String
  /// In the order of the answers.
  package var addresses: [IPAddress]
  /// RCODE: 0 no error, 2 server failure, 3 no such name.
  package var code: UInt8
  /// How long it may be kept, in seconds: the shortest time of its records.
  package var timeToLive = UInt32.max
  /// The name may have other addresses: the response was truncated, names another place to ask, or holds more than is
  /// kept.
  package var isPartial: Bool

  /// nil for anything but a response with one question.
  package init?(_ bytes: Span<UInt8>) {
    var reader = DNSReader(bytes)
    guard reader.skip(2), let flags = reader.word(), flags & 0x8000 != 0, flags & 0x7800 == 0,
      let questions = reader.word(), let answers = reader.word(), reader.skip(4), questions == 1,
      let name = reader.name(), let type = reader.word(), reader.skip(2)
    else { return nil }
    guard Self.isAboutAddresses(type) else { return nil }
    question = name
    code = UInt8(flags & 0x0F)
    addresses = []
    isPartial = flags & 0x0200 != 0 || Int(answers) > DNSMessage.recordLimit
    for _ in 0..<min(Int(answers), DNSMessage.recordLimit) {
      // Names of answers follow the chain of aliases that began at the question: whatever they are, they are its answers.
      guard reader.skipName(), let type = reader.word(), reader.skip(2), let high = reader.word(),
        let low = reader.word(), let length = reader.word()
      else { return nil }
      timeToLive = min(timeToLive, UInt32(high) << 16 | UInt32(low))
      let start = reader.position
      if type == 1, length == 4, let address = reader.bytes(4) {
        note(.v4(address))
      } else if type == 28, length == 16, let address = reader.bytes(16) {
        note(.v6(address))
      } else if type == 64 || type == 65 {
        readService(&reader, end: start + Int(length))
      }
      guard reader.jump(to: start + Int(length)) else { return nil }
    }
  }

  /// A, AAAA, CNAME, SVCB, HTTPS, or whatever there is.
  private static func isAboutAddresses(_ type: UInt16) -> Bool {
    type == 1 || type == 28 || type == 5 || type == 64 || type == 65 || type == 255
  }

  /// A service binding (RFC 9460 §2.2) may hint at addresses, or send the client to another name.
  private mutating func readService(_ reader: inout DNSReader, end: Int) {
    guard reader.skip(2), reader.position < end, reader.bytes(1) == [0] else {
      isPartial = true
      return
    }
    while reader.position + 4 <= end, let key = reader.word(), let length = reader.word() {
      let next = reader.position + Int(length)
      guard next <= end else { return }
      let size = key == 4 ? 4 : key == 6 ? 16 : 0
      while size > 0, reader.position + size <= next, let address = reader.bytes(size) {
        note(size == 4 ? .v4(address) : .v6(address))
      }
      guard reader.jump(to: next) else { return }
    }
  }

  private mutating func note(_ address: IPAddress) {
    if addresses.contains(address) { return }
    if addresses.count < DNSMessage.addressLimit { addresses.append(address) } else { isPartial = true }
  }
}

extension IPAddress {
  fileprivate static func v4(_ bytes: [UInt8]) -> IPAddress {
    IPAddress(v4: bytes.reduce(0) { $0 << 8 | UInt32($1) })
  }

  fileprivate static func v6(_ bytes: [UInt8]) -> IPAddress {
    let word = { (part: ArraySlice<UInt8>) in part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    return IPAddress(high: word(bytes[..<8]), low: word(bytes[8...]))
  }
}

/// Reads forward, and never beyond the end.
private struct DNSReader: ~Escapable {
  private static let nameLimit = 255
  private static let pointerLimit = 16

  private let all: Span<UInt8>
  private(set) var position = 0

  @_lifetime(copy all)
  init(_ all: Span<UInt8>) {
    self.all = all
  }

  @_lifetime(self: copy self)
  mutating func skip(_ count: Int) -> Bool { jump(to: position + count) }

  @_lifetime(self: copy self)
  mutating func jump(to place: Int) -> Bool {
    guard place >= position, place <= all.count else { return false }
    position = place
    return true
  }

  @_lifetime(self: copy self)
  mutating func word() -> UInt16? {
    guard position + 2 <= all.count else { return nil }
    defer { position += 2 }
    return UInt16(all[position]) << 8 | UInt16(all[position + 1])
  }

  @_lifetime(self: copy self)
  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard position + count <= all.count else { return nil }
    defer { position += count }
    return (position..<position + count).map { all[$0] }
  }

  /// Passes a name without reading it.
  @_lifetime(self: copy self)
  mutating func skipName() -> Bool {
    while position < all.count {
      let length = Int(all[position])
      if length == 0 { return skip(1) }
      if length & 0xC0 == 0xC0 { return skip(2) }
      guard length < 64, skip(1 + length) else { return false }
    }
    return false
  }

  /// A name, with pointers followed backwards only, so that none can be followed for ever.
  @_lifetime(self: copy self)
  mutating func name() -> String? {
    var text: [UInt8] = []
    var place = position
    var hasJumped = false
    var pointers = 0
    while place < all.count {
      let length = Int(all[place])
      if length == 0 {
        if !hasJumped { position = place + 1 }
        return String(validating: text, as: UTF8.self)
      }
      if length & 0xC0 == 0xC0 {
        guard place + 1 < all.count, pointers < Self.pointerLimit else { return nil }
        let target = (length & 0x3F) << 8 | Int(all[place + 1])
        guard target < place else { return nil }
        if !hasJumped { position = place + 2 }
        hasJumped = true
        pointers += 1
        place = target
        continue
      }
      guard length < 64, place + 1 + length <= all.count, text.count + length + 1 <= Self.nameLimit else { return nil }
      if !text.isEmpty { text.append(UInt8(ascii: ".")) }
      for index in place + 1..<place + 1 + length {
        let byte = all[index]
        text.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
      }
      place += 1 + length
    }
    return nil
  }
}
