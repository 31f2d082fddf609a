import Citation
import Support
import TLSProtection
import Testing

/// What one side of a connection sent under one secret, and what is in it.
///
/// The files in Vectors have a line for each value, an empty one between connections:
///
///     name TEXT
///     suite HEX                         and secret HEX (TLS 1.3), or these:
///     version HEX, from client|server, encrypt-then-mac 0|1, master HEX, client HEX, server HEX (the randoms)
///     record TYPE HEX PLAIN             the record whole; its content in hexadecimal, - for none, ? for not known, or + for a part
///     text HEX                          what the parts are together
///     update                            the keys change here
struct VectorConnection: CustomTestStringConvertible, Sendable {
  enum Step: Sendable {
    case record(type: UInt8, bytes: [UInt8], plain: String)
    case update
  }

  var name = ""
  var suite: UInt16 = 0
  var secret: [UInt8] = []
  var version: UInt16 = 0x0304
  var isFromClient = false
  var encryptThenMAC = false
  var clientRandom: [UInt8] = []
  var serverRandom: [UInt8] = []
  var steps: [Step] = []
  var text: [UInt8] = []

  var testDescription: String { name }

  static let rfc8448 = read("rfc8448.txt")
  static let libcrypto = read("records.txt")
  static let all = rfc8448 + libcrypto + read("sealed.txt")

  private static func read(_ file: String) -> [VectorConnection] {
    var all: [VectorConnection] = []
    var one = VectorConnection()
    for line in lines(of: file) {
      let words = line.split(separator: " ")
      let value = words.count > 1 ? String(words[1]) : ""
      switch words[0] {
      case "name":
        if !one.steps.isEmpty { all.append(one) }
        one = VectorConnection()
        one.name = String(line.dropFirst(5))
      case "suite": one.suite = UInt16(value, radix: 16) ?? 0
      case "version": one.version = UInt16(value, radix: 16) ?? 0
      case "secret", "master": one.secret = bytes(value)
      case "client": one.clientRandom = bytes(value)
      case "server": one.serverRandom = bytes(value)
      case "from": one.isFromClient = value == "client"
      case "encrypt-then-mac": one.encryptThenMAC = value == "1"
      case "record":
        one.steps.append(.record(type: UInt8(value) ?? 0, bytes: bytes(String(words[2])), plain: String(words[3])))
      case "text": one.text = bytes(value)
      case "update": one.steps.append(.update)
      default: Issue.record("\(file): \(line)")
      }
    }
    return all + [one]
  }

  /// Lines that are neither empty nor a comment.
  static func lines(of file: String) -> [Substring] {
    let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    guard let text = TextFile.read("/\(folder)/Vectors/\(file)") else {
      Issue.record("cannot read \(file)")
      return []
    }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  static func bytes(_ hex: some StringProtocol) -> [UInt8] {
    let digits = hex.utf8.map { UInt8($0 >= 0x61 ? $0 - 0x61 + 10 : $0 >= 0x41 ? $0 - 0x41 + 10 : $0 - 0x30) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension VectorConnection {
  func setup(secret: [UInt8]? = nil, suite: UInt16? = nil) -> RecordOpener.Setup {
    let bytes = secret ?? self.secret
    let secret = SecretBytes(bytes.span)
    if version == 0x0304 { return RecordOpener.make(suite: suite ?? self.suite, trafficSecret: secret) }
    guard let client = HelloRandom(clientRandom.span), let server = HelloRandom(serverRandom.span) else {
      return .notBuiltIn
    }
    return RecordOpener.make(
      suite: suite ?? self.suite, version: version, masterSecret: secret, clientRandom: client, serverRandom: server,
      fromClient: isFromClient, encryptThenMAC: encryptThenMAC)
  }

  func opener() throws -> OpenerUnderTest {
    guard case .ready(let opener) = setup() else { throw NotReady() }
    return OpenerUnderTest(opener)
  }

  struct NotReady: Error {}

  var records: [[UInt8]] {
    steps.compactMap { if case .record(_, let bytes, _) = $0 { bytes } else { nil } }
  }
}

/// An opener and its room, in a class so that a test can open records inside of an expectation.
final class OpenerUnderTest {
  var opener: RecordOpener
  private var room: [UInt8] = []
  private var count = 0

  init(_ opener: RecordOpener) {
    self.opener = opener
  }

  func updateKeys() -> Bool { opener.updateKeys() }

  var content: [UInt8] { Array(room[..<count]) }

  /// Opens a record with its header.
  func open(_ record: [UInt8]) -> RecordOpener.Opened {
    let opened = opener.open(
      type: record[0], version: UInt16(record[1]) << 8 | UInt16(record[2]), fragment: record.span.extracting(5...),
      into: &room)
    if case .opened(_, let count) = opened { self.count = count }
    return opened
  }
}
