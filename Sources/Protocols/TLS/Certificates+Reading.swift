import Citation
import TLSSemantics

extension CertificateList {
  /// Before TLS 1.3 a list of certificates (RFC 5246 §7.4.2); since then a context, and extensions behind each of them
  /// (RFC 8446 §4.4.2). Where the version is not known, the shape whose lengths agree with the message's.
  static func read(_ bytes: Span<UInt8>, in version: TLSVersion?, _ flaws: inout Flaws) -> CertificateList? {
    var cursor = FieldCursor(bytes)
    let hasContext = version?.isTLS13 ?? !isOld(bytes)
    if hasContext, cursor.list(1) == nil {
      flaws.note(.overrun, "certificate_request_context")
      return nil
    }
    guard let list = cursor.list(3) else {
      flaws.note(.overrun, "certificate_list")
      return nil
    }
    if !cursor.isAtEnd { flaws.note(.excess) }
    var certificates = CertificateList()
    var kept = 0
    var items = FieldCursor(bytes, in: list)
    while !items.isAtEnd {
      guard let one = items.list(3) else {
        flaws.note(.overrun, "certificate_list")
        break
      }
      if one.isEmpty { flaws.note(.illegalLength, "certificate_list") }
      certificates.count += 1
      certificates.byteCount += one.count
      // What was left out once is left out for good: the first ones are those that matter.
      if kept + one.count <= byteLimit, certificates.certificates.count + 1 == certificates.count,
        certificates.count <= countLimit
      {
        kept += one.count
        certificates.certificates.append(bytes.copy(one))
      }
      if hasContext, items.list(2) == nil {
        flaws.note(.overrun, "extensions")
        break
      }
    }
    return certificates
  }

  private static func isOld(_ bytes: Span<UInt8>) -> Bool {
    var cursor = FieldCursor(bytes)
    return cursor.u24() == bytes.count - 3
  }
}

extension CertificateRequest {
  /// RFC 5246 §7.4.4, which RFC 4346 has without the algorithms, and RFC 8446 §4.3.2.
  static func read(_ bytes: Span<UInt8>, in version: TLSVersion?, _ flaws: inout Flaws) -> CertificateRequest? {
    var cursor = FieldCursor(bytes)
    // Certificate types, or a context.
    guard cursor.list(1) != nil else {
      flaws.note(.overrun)
      return nil
    }
    var request = CertificateRequest()
    var schemes: [UInt16] = []
    if version?.isTLS13 == true {
      guard let list = flaws.onlyList(bytes, cursor.rest, lengthSize: 2, "extensions") else { return nil }
      _ = flaws.extensions(bytes, list) { code, body, flaws in
        guard code == .signatureAlgorithms, let list = flaws.onlyList(bytes, body, lengthSize: 2, code.name)
        else { return }
        schemes = flaws.numbers(bytes, list, code.name)
      }
    } else {
      if version ?? .tls12 >= .tls12 {
        guard let list = cursor.list(2) else {
          flaws.note(.overrun, "supported_signature_algorithms")
          return nil
        }
        schemes = flaws.numbers(bytes, list, "supported_signature_algorithms")
      }
      guard let list = flaws.onlyList(bytes, cursor.rest, lengthSize: 2, "certificate_authorities") else { return nil }
      var names = FieldCursor(bytes, in: list)
      while !names.isAtEnd {
        guard names.list(2) != nil else {
          flaws.note(.overrun, "certificate_authorities")
          break
        }
        request.authorityCount += 1
      }
    }
    request.signatureSchemes = schemes.prefix(ClientHello.listLimit).map(SignatureScheme.init)
    return request
  }
}

extension NewSessionTicket {
  /// RFC 5077 §3.3, or RFC 8446 §4.6.1. Where the version is not known, the shape whose lengths agree with the message's.
  static func read(_ bytes: Span<UInt8>, in version: TLSVersion?, _ flaws: inout Flaws) -> NewSessionTicket? {
    var cursor = FieldCursor(bytes)
    let isNew = version?.isTLS13 ?? !isOld(bytes)
    guard let lifetime = cursor.u32(), !isNew || cursor.take(4) != nil, !isNew || cursor.list(1) != nil,
      let ticket = cursor.list(2)
    else {
      flaws.note(.overrun)
      return nil
    }
    var given = NewSessionTicket(lifetime: lifetime, ticket: TLSTicket(bytes.extracting(ticket)))
    guard isNew else {
      if !cursor.isAtEnd { flaws.note(.excess) }
      return given
    }
    if ticket.isEmpty { flaws.note(.illegalLength, "ticket") }
    guard let list = flaws.onlyList(bytes, cursor.rest, lengthSize: 2, "extensions") else { return given }
    _ = flaws.extensions(bytes, list) { code, body, flaws in
      guard code == .earlyData else { return }
      var cursor = FieldCursor(bytes, in: body)
      guard let limit = cursor.u32(), cursor.isAtEnd else { return flaws.note(.illegalLength, code.name) }
      given.earlyDataLimit = limit
    }
    return given
  }

  private static func isOld(_ bytes: Span<UInt8>) -> Bool {
    var cursor = FieldCursor(bytes)
    return cursor.u32() != nil && cursor.list(2) != nil && cursor.isAtEnd
  }
}
