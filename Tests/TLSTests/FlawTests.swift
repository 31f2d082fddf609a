import Support
import TLS
import TLSSemantics
import Testing

/// A message with something wrong in it, and what is reported of it before the message itself.
struct FlawRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let type: UInt8
  let body: [UInt8]
  let words: [String]
  var version: TLSVersion?

  init(_ what: String, _ type: UInt8, _ body: [UInt8], _ words: String..., version: TLSVersion? = nil) {
    testDescription = what
    self.type = type
    self.body = body
    self.words = words.map { "flaw " + $0 }
    self.version = version
  }

  private static func client(_ extensions: [UInt8]...) -> [UInt8] { Wire.clientHello(extensions: extensions) }
  private static func server(_ extensions: [UInt8]...) -> [UInt8] { Wire.serverHello(extensions: extensions) }
  private static let start: [UInt8] = [3, 3] + Wire.random

  static let all: [FlawRow] = [
    FlawRow("an empty hello", 1, [], "overrun ClientHello"),
    FlawRow("a random value that is cut", 1, Array(start.dropLast()), "overrun ClientHello"),
    FlawRow(
      "a session of 33 bytes", 1, start + Wire.list(1, Array(0..<33)) + [0, 2, 0, 47, 1, 0],
      "illegalLength ClientHello session_id"),
    FlawRow("a session that ends behind the message", 1, start + [9, 1], "overrun ClientHello"),
    FlawRow("no suites", 1, start + [0, 0, 0, 1, 0], "illegalLength ClientHello cipher_suites"),
    FlawRow(
      "suites of an odd length", 1, start + [0, 0, 3, 0, 47, 9, 1, 0], "illegalLength ClientHello cipher_suites"),
    FlawRow("suites that end behind the message", 1, start + [0, 0, 9, 0, 47], "overrun ClientHello"),
    FlawRow("no compression method", 1, start + [0, 0, 2, 0, 47, 0], "illegalLength ClientHello compression_methods"),
    FlawRow(
      "extensions that end behind the message", 1, Wire.clientHello() + [0, 9, 0, 23, 0, 0],
      "overrun ClientHello extensions"),
    FlawRow("one byte where extensions begin", 1, Wire.clientHello() + [0], "overrun ClientHello extensions"),
    FlawRow("bytes behind the extensions", 1, client() + [1], "excess ClientHello"),
    FlawRow("an extension's head that is cut", 1, client([0, 23, 0]), "overrun ClientHello extensions"),
    FlawRow("an extension that ends behind the list", 1, client([0, 23, 0, 1]), "overrun ClientHello extensions"),
    FlawRow(
      "an extension twice", 1, client(Wire.ext(23, []), Wire.ext(23, [])),
      "duplicate ClientHello extended_master_secret"),
    FlawRow("an empty server_name", 1, client(Wire.ext(0, [])), "overrun ClientHello server_name"),
    FlawRow("a server_name without names", 1, client(Wire.ext(0, [0, 0])), "illegalLength ClientHello server_name"),
    FlawRow("a name of no length", 1, client(Wire.serverName("")), "illegalLength ClientHello server_name"),
    FlawRow(
      "a name of 256 bytes", 1, client(Wire.serverName(String(repeating: "a", count: 256))),
      "illegalLength ClientHello server_name"),
    FlawRow(
      "a name of another type", 1, client(Wire.ext(0, [0, 4, 7, 0, 1, 65])), "illegalValue ClientHello server_name"),
    FlawRow(
      "two names", 1, client(Wire.ext(0, [0, 8, 0, 0, 1, 65, 0, 0, 1, 66])), "duplicate ClientHello server_name"),
    FlawRow("a name that is cut", 1, client(Wire.ext(0, [0, 4, 0, 0, 2, 65])), "overrun ClientHello server_name"),
    FlawRow("bytes behind a name", 1, client(Wire.ext(0, [0, 4, 0, 0, 1, 65, 1])), "excess ClientHello server_name"),
    FlawRow(
      "a protocol of no length", 1, client(Wire.protocols("")),
      "illegalLength ClientHello application_layer_protocol_negotiation"),
    FlawRow(
      "no protocols", 1, client(Wire.ext(16, [0, 0])),
      "illegalLength ClientHello application_layer_protocol_negotiation"),
    FlawRow(
      "a protocol that is cut", 1, client(Wire.ext(16, [0, 2, 5, 104])),
      "overrun ClientHello application_layer_protocol_negotiation"),
    FlawRow("half a version", 1, client(Wire.ext(43, [1, 3])), "illegalLength ClientHello supported_versions"),
    FlawRow("no group", 1, client(Wire.groups([])), "illegalLength ClientHello supported_groups"),
    FlawRow("groups that are cut", 1, client(Wire.ext(10, [0])), "overrun ClientHello supported_groups"),
    FlawRow("no scheme", 1, client(Wire.schemes([])), "illegalLength ClientHello signature_algorithms"),
    FlawRow("a key of no length", 1, client(Wire.ext(51, [0, 4, 0, 29, 0, 0])), "illegalLength ClientHello key_share"),
    FlawRow("a key that is cut", 1, client(Wire.ext(51, [0, 4, 0, 29, 0, 9])), "overrun ClientHello key_share"),
    FlawRow("no binders", 1, client(Wire.ext(41, [0, 7, 0, 1, 9, 0, 0, 0, 0])), "overrun ClientHello pre_shared_key"),
    FlawRow("no identities", 1, client(Wire.ext(41, [0, 0, 0, 0])), "illegalLength ClientHello pre_shared_key"),
    FlawRow(
      "an identity that is cut", 1, client(Wire.ext(41, [0, 2, 0, 9, 0, 0])), "overrun ClientHello pre_shared_key"),
    FlawRow("bytes behind binders", 1, client(Wire.preSharedKeys([[1]]).longer), "excess ClientHello pre_shared_key"),

    FlawRow("an empty answer", 2, [], "overrun ServerHello"),
    FlawRow("an answer without a suite", 2, start + [0, 0], "overrun ServerHello"),
    FlawRow("an answer's extensions that are cut", 2, Wire.serverHello() + [0, 1], "overrun ServerHello extensions"),
    FlawRow("bytes behind an answer", 2, server() + [0], "excess ServerHello"),
    FlawRow("half a chosen version", 2, server(Wire.ext(43, [3])), "overrun ServerHello supported_versions"),
    FlawRow("two chosen versions", 2, server(Wire.ext(43, [3, 4, 3, 3])), "excess ServerHello supported_versions"),
    FlawRow("a share without its key", 2, server(Wire.ext(51, [0, 29])), "overrun ServerHello key_share"),
    FlawRow("a chosen key that is cut", 2, server(Wire.ext(41, [0])), "overrun ServerHello pre_shared_key"),
    FlawRow(
      "two chosen protocols", 2, server(Wire.protocols("a", "b")),
      "excess ServerHello application_layer_protocol_negotiation"),
    FlawRow(
      "an answer to a name that says something", 2, server(Wire.ext(22, [1])), "excess ServerHello encrypt_then_mac"),

    FlawRow("an empty list of extensions", 8, [], "overrun EncryptedExtensions extensions"),
    FlawRow("bytes behind extensions", 8, [0, 0, 0], "excess EncryptedExtensions extensions"),
    FlawRow("an empty certificate message", 11, [], "overrun Certificate certificate_request_context"),
    FlawRow("the same, of a version", 11, [], "overrun Certificate certificate_list", version: .tls12),
    FlawRow("a certificate that is cut", 11, [0, 0, 4, 0, 0, 9, 1], "overrun Certificate certificate_list"),
    FlawRow("a certificate of no length", 11, [0, 0, 3, 0, 0, 0], "illegalLength Certificate certificate_list"),
    FlawRow("bytes behind certificates", 11, [0, 0, 0, 1], "excess Certificate", version: .tls12),
    FlawRow(
      "a certificate without its extensions", 11, [0, 0, 0, 4, 0, 0, 1, 7], "overrun Certificate extensions",
      version: .tls13),
    FlawRow("an empty ticket message", 4, [], "overrun NewSessionTicket"),
    FlawRow("a ticket that is cut", 4, [0, 0, 0, 9, 0, 2, 1], "overrun NewSessionTicket", version: .tls12),
    FlawRow("bytes behind a ticket", 4, [0, 0, 0, 9, 0, 0, 1], "excess NewSessionTicket", version: .tls12),
    FlawRow(
      "a ticket of no length", 4, [0, 0, 0, 9, 1, 2, 3, 4, 0, 0, 0, 0, 0], "illegalLength NewSessionTicket ticket",
      version: .tls13),
    FlawRow(
      "a limit that is cut", 4, [0, 0, 0, 9, 1, 2, 3, 4, 0, 0, 1, 7] + Wire.list(2, Wire.ext(42, [1])),
      "illegalLength NewSessionTicket early_data", version: .tls13),
    FlawRow("an empty request", 13, [], "overrun CertificateRequest"),
    FlawRow(
      "algorithms that are cut", 13, [0, 0, 9], "overrun CertificateRequest supported_signature_algorithms"),
    FlawRow(
      "authorities that are cut", 13, [0, 0, 2, 4, 3, 0, 2, 0, 9],
      "overrun CertificateRequest certificate_authorities"),
    FlawRow("an empty key update", 24, [], "illegalLength KeyUpdate"),
    FlawRow("a key update that wants something else", 24, [2], "illegalValue KeyUpdate request_update"),
    FlawRow("a done that says something", 14, [1], "excess ServerHelloDone"),
    FlawRow("a request that says something", 0, [1], "excess HelloRequest"),
  ]
}

extension [UInt8] {
  /// An extension with one byte more.
  fileprivate var longer: [UInt8] {
    Array(self[..<2]) + Wire.list(2, Array(self[4...]) + [0])
  }
}

@Suite("Messages with something wrong")
struct FlawTests {
  private func tokens(_ bytes: [UInt8], cutAt cuts: [Int] = [], version: TLSVersion? = nil) -> [HandshakeToken] {
    var feeding = HandshakeFeeding()
    feeding.handshakes.version = version
    return feeding.tokens(of: bytes, cutAt: cuts)
  }

  @Test("What is reported of it, at every cut.", arguments: FlawRow.all)
  func rows(_ row: FlawRow) {
    let bytes = Wire.message(row.type, row.body)
    let whole = tokens(bytes, version: row.version)
    #expect(whole.dropLast().map(\.words) == row.words)
    #expect(whole.last?.message?.length == row.body.count)
    for cut in 0...bytes.count { #expect(tokens(bytes, cutAt: [cut], version: row.version) == whole) }
  }

  @Test("Any message cut or changed anywhere is read without harm.")
  func changes() {
    let messages = [
      Array(Wire.client[5..<Wire.client.count - 63]),
      Wire.handshake(2, Wire.serverHello(extensions: [Wire.ext(43, [3, 4]), Wire.ext(51, [0, 29, 0, 1, 1])])),
      Wire.handshake(11, Wire.list(3, Wire.list(3, [1, 2, 3]) + Wire.list(3, [4]))),
      Wire.handshake(4, Wire.number(9, 4) + [1, 2, 3, 4, 1, 7] + Wire.list(2, [1]) + [0, 0]),
    ]
    for message in messages {
      for place in message.indices {
        for value in [UInt8(0), 1, 0x7F, 0xFF] {
          var changed = message
          changed[place] = value
          _ = tokens(Wire.record(22, changed))
        }
        var cut = Array(message[..<place])
        if cut.count >= 4 { cut.replaceSubrange(1..<4, with: Wire.number(cut.count - 4, 3)) }
        _ = tokens(Wire.record(22, cut))
      }
    }
  }

  @Test("Of many flaws a few are reported.")
  func many() {
    let same = (0..<100).map { _ in Wire.ext(23, []) }
    let told = tokens(Wire.message(1, Wire.clientHello(extensions: same)))
    #expect(told.count == 9)
    #expect(told.clientHellos.map(\.extensionCount) == [100] && told.clientHellos.map(\.extensions.count) == [64])
  }
}
