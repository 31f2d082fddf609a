import Citation
import HTTPSemantics

/// How a body is framed (RFC 9112 §6.3), decided from a head's fields and, for a response, its request.
///
/// Where the specification says "reject", the plan is what lets the reader see most of what the sender meant; the
/// leniences say that it was forgiven, and FramingReason on what ground.
struct BodyPlan {
  private(set) var framing: Framing = .none
  private(set) var reason: FramingReason = .noFields
  private(set) var length: UInt64 = 0

  init(
    _ held: borrowing HeldBytes, _ line: StartLine, _ section: borrowing FieldSection, for request: RequestContext?,
    leniences: inout LenienceList
  ) {
    // The usual heads need none of what follows.
    let codings =
      section.transferEncodings.isEmpty
      ? nil : Self.readCodings(section.transferEncodings, line.version, held, &leniences)
    let announced =
      section.contentLengths.isEmpty ? nil : Self.readLengths(section.contentLengths, held, &leniences)
    switch line.line {
    case .request(let method, _, _):
      decideRequest(method, line.version, codings, announced)
    case .response(let status, _):
      decideResponse(status, request, codings, announced)
      Self.noteForbidden(status, request, section, held, &leniences)
    }
    if codings != nil, !section.contentLengths.isEmpty {
      Self.note(.contentLengthAndTransferEncoding, section.contentLengths[0], held, &leniences)
    }
  }

  // MARK: Deciding

  private mutating func set(_ framing: Framing, _ reason: FramingReason, _ length: UInt64 = 0) {
    self.framing = framing
    self.reason = reason
    self.length = length
  }

  private mutating func decideRequest(
    _ method: Method, _ version: HTTPVersion, _ codings: Codings?, _ announced: Announced?
  ) {
    if version == .simple {
      set(.none, .simple)
    } else if method == .connect {
      set(.none, .connect)
    } else if let codings, codings.count > 0 {
      if codings.endsChunked {
        set(.chunked, .transferEncoding)
      } else if codings.chunked > 0 {
        set(.chunked, .chunkedNotLast)
      } else if let announced {
        set(.length, announced.reason, announced.length)
      } else {
        set(.none, .undecidable)
      }
    } else if let announced {
      set(.length, announced.reason, announced.length)
    } else {
      set(.none, .noFields)
    }
  }

  private mutating func decideResponse(
    _ status: Status, _ request: RequestContext?, _ codings: Codings?, _ announced: Announced?
  ) {
    if status == .switchingProtocols {
      set(.tunnel, .upgrade)
    } else if status.forbidsBody {
      set(.none, .status)
    } else if request?.method == .head {
      set(.none, .headRequest)
    } else if request?.method == .connect, status.isSuccess {
      set(.tunnel, .connect)
    } else if let codings, codings.count > 0 {
      if codings.endsChunked { set(.chunked, .transferEncoding) } else { set(.close, .codingWithoutChunked) }
    } else if let announced {
      set(.length, announced.reason, announced.length)
    } else {
      set(.close, .untilClose)
    }
  }

  // MARK: Reading the fields

  private struct Codings {
    /// Without `identity`, which frames nothing.
    var count = 0
    var chunked = 0
    var endsChunked = false
  }

  private struct Announced {
    var length: UInt64
    var reason: FramingReason = .contentLength
  }

  private static func note(
    _ kind: Lenience.Kind, _ field: HeaderField, at index: Int? = nil, _ held: borrowing HeldBytes,
    _ leniences: inout LenienceList
  ) {
    leniences.note(
      kind, in: .fields, held, line: field.name.lowerBound..<field.value.upperBound,
      at: index ?? field.name.lowerBound)
  }

  private static func readCodings(
    _ fields: [HeaderField], _ version: HTTPVersion, _ held: borrowing HeldBytes, _ leniences: inout LenienceList
  ) -> Codings? {
    let bytes = held.bytes.span
    var codings = Codings()
    // As nearly all are; the list of the elements of one would be allocated.
    if fields.count == 1, version >= .http11, isPlainlyChunked(bytes, fields[0].value) {
      (codings.count, codings.chunked, codings.endsChunked) = (1, 1, true)
      return codings
    }
    if fields.count > 1 { note(.transferEncodingRepeated, fields[1], held, &leniences) }
    if version < .http11 { note(.transferEncodingInHTTP10, fields[0], held, &leniences) }
    for field in fields {
      for element in FieldList.elements(bytes, field.value) {
        let name = FieldList.trim(
          bytes, element.lowerBound..<(element.first { bytes[$0] == 0x3B } ?? element.upperBound))
        if name.isEmpty {
          note(.transferEncodingEmptyElement, field, at: element.lowerBound, held, &leniences)
          continue
        }
        if let odd = name.first(where: { !bytes[$0].isTokenCharacter }) {
          note(.transferEncodingMalformed, field, at: odd, held, &leniences)
        }
        codings.endsChunked = false
        if matches(bytes, name, "identity") {
          note(.codingIdentity, field, at: name.lowerBound, held, &leniences)
          continue
        }
        codings.count += 1
        if matches(bytes, name, "chunked") {
          codings.chunked += 1
          codings.endsChunked = true
          if codings.chunked == 2 { note(.chunkedTwice, field, at: name.lowerBound, held, &leniences) }
          if name.contains(where: { bytes[$0].lowercased != bytes[$0] }) {
            note(.chunkedCase, field, at: name.lowerBound, held, &leniences)
          }
        } else if !isRegistered(bytes, name) {
          note(.codingUnknown, field, at: name.lowerBound, held, &leniences)
        }
      }
    }
    if codings.chunked > 0, !codings.endsChunked {
      note(.chunkedNotLast, fields[0], held, &leniences)
    }
    return codings
  }

  private static func isPlainlyChunked(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
    matches(bytes, value, "chunked") && !value.contains { bytes[$0].lowercased != bytes[$0] }
  }

  private static func isRegistered(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    matches(bytes, name, "gzip") || matches(bytes, name, "deflate") || matches(bytes, name, "x-gzip")
      || matches(bytes, name, "compress") || matches(bytes, name, "x-compress")
  }

  /// The first value that is a number; later ones only count as repeated or conflicting.
  private static func readLengths(
    _ fields: [HeaderField], _ held: borrowing HeldBytes, _ leniences: inout LenienceList
  ) -> Announced? {
    let bytes = held.bytes.span
    if fields.count == 1, let length = plainLength(bytes, fields[0].value) { return Announced(length: length) }
    var result: Announced?
    for field in fields {
      for element in FieldList.elements(bytes, field.value) {
        guard let length = readLength(bytes, element, field, held, &leniences) else { continue }
        guard let first = result else {
          result = Announced(length: length)
          continue
        }
        if first.length == length {
          note(.contentLengthRepeated, field, at: element.lowerBound, held, &leniences)
        } else {
          note(.contentLengthConflicting, field, at: element.lowerBound, held, &leniences)
          result?.reason = .conflictingLengths
        }
      }
    }
    return result
  }

  /// Digits and nothing else, as nearly all are; nil where there is more to say.
  private static func plainLength(_ bytes: Span<UInt8>, _ value: Range<Int>) -> UInt64? {
    guard 1...18 ~= value.count, value.upperBound <= bytes.count else { return nil }
    var length: UInt64 = 0
    for index in value {
      guard bytes[index].isDigit else { return nil }
      length = length &* 10 &+ UInt64(bytes[index] &- 0x30)
    }
    return length
  }

  /// Digits, perhaps behind a plus sign. What follows them is left out, as many readers of numbers do; a value too large
  /// for 64 bits is held at the maximum, so that the body goes on to the end of the stream.
  private static func readLength(
    _ bytes: Span<UInt8>, _ element: Range<Int>, _ field: HeaderField, _ held: borrowing HeldBytes,
    _ leniences: inout LenienceList
  ) -> UInt64? {
    var index = element.lowerBound
    if index < element.upperBound, bytes[index] == UInt8(ascii: "+") { index += 1 }
    let digits = index
    var length: UInt64 = 0
    var overflows = false
    while index < element.upperBound, bytes[index].isDigit {
      let (product, overflow) = length.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(bytes[index] &- 0x30))
      overflows = overflows || overflow || carry
      length = sum
      index += 1
    }
    if index != element.upperBound || digits != element.lowerBound || index == digits {
      note(.contentLengthInvalid, field, at: index, held, &leniences)
    }
    guard index > digits else { return nil }
    if overflows {
      note(.contentLengthOverflow, field, at: digits, held, &leniences)
      return .max
    }
    return length
  }

  /// Framing fields where there can be no body (RFC 9112 §6.1, RFC 9110 §8.6).
  private static func noteForbidden(
    _ status: Status, _ request: RequestContext?, _ section: borrowing FieldSection, _ held: borrowing HeldBytes,
    _ leniences: inout LenienceList
  ) {
    let bodyless = status.isInformational || status == .noContent
    let tunnels = request?.method == .connect && status.isSuccess
    guard bodyless || tunnels else { return }
    if let field = section.transferEncodings.first { note(.transferEncodingForbidden, field, held, &leniences) }
    if let field = section.contentLengths.first { note(.contentLengthForbidden, field, held, &leniences) }
  }
}
