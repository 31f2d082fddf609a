import Support
import TLSProtection
import Testing

@Suite(.enabled(if: isTLSProtectionBuiltIn)) struct RecordOpenerTests {
  @Test("every record opens to what was sent", arguments: VectorConnection.all)
  func contents(_ connection: VectorConnection) throws {
    let opener = try connection.opener()
    var text: [UInt8] = []
    for step in connection.steps {
      guard case .record(let type, let bytes, let plain) = step else {
        #expect(opener.updateKeys())
        continue
      }
      let opened = opener.open(bytes)
      guard case .opened(type, _) = opened else {
        Issue.record("\(opened)")
        return
      }
      switch plain {
      case "?": break
      case "-": #expect(opener.content.isEmpty)
      case "+": text += opener.content
      default: #expect(opener.content == VectorConnection.bytes(plain))
      }
    }
    #expect(text == connection.text)
    #expect(opener.opener.sequence == UInt64(connection.steps.reversed().prefix { $0.isRecord }.count))
  }

  @Test("there are rows for every way of protection, and all of RFC 8448's handshakes")
  func rows() {
    #expect(VectorConnection.rfc8448.count == 21)
    #expect(Set(VectorConnection.rfc8448.compactMap { $0.name.split(separator: ":").first }).count == 5)
    let suites = Set(VectorConnection.libcrypto.map(\.suite))
    #expect(suites.count > 80)
    #expect(suites.isSuperset(of: [0x1301, 0x1302, 0x1303, 0x1304, 0x1305]))
    #expect(Set(VectorConnection.libcrypto.map(\.version)) == [0x0301, 0x0302, 0x0303, 0x0304])
  }

  @Test("a record cut at any length fails, and changes nothing", arguments: VectorConnection.all)
  func cut(_ connection: VectorConnection) throws {
    let opener = try connection.opener()
    let record = connection.records[0]
    for length in 5..<record.count {
      #expect(opener.open(Array(record[..<length])) == .failed)
    }
    #expect(opener.open(record + [0]) == .failed)
    #expect(opener.opener.sequence == 0)
    #expect(opener.open(record) != .failed)
  }

  @Test("a record with any bit changed fails", arguments: VectorConnection.all)
  func damage(_ connection: VectorConnection) throws {
    let opener = try connection.opener()
    var random = SplitMix64(seed: 6)
    let record = connection.records[0]
    // The length in the header is not looked at: the fragment is as long as it is.
    for index in record.indices where index != 3 && index != 4 {
      var record = record
      record[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      #expect(opener.open(record) == .failed)
    }
  }

  @Test("another secret, another side or another number opens nothing", arguments: VectorConnection.all)
  func wrongKeys(_ connection: VectorConnection) throws {
    let record = connection.records[0]
    var secret = connection.secret
    secret[secret.count - 1] ^= 1
    guard case .ready(let wrong) = connection.setup(secret: secret) else { throw VectorConnection.NotReady() }
    #expect(OpenerUnderTest(wrong).open(record) == .failed)
    if connection.version < 0x0304 {
      var other = connection
      other.isFromClient.toggle()
      #expect(try other.opener().open(record) == .failed)
      other = connection
      other.serverRandom[31] ^= 1
      #expect(try other.opener().open(record) == .failed)
    }
    let opener = try connection.opener()
    opener.opener.sequence = 1
    #expect(opener.open(record) == .failed)
    opener.opener.sequence = 0
    #expect(opener.open(record) != .failed)
  }

  @Test("records may be missing where the caller knows how many", arguments: VectorConnection.all)
  func missing(_ connection: VectorConnection) throws {
    // TLS 1.0 needs the end of a record to begin the next, and RC4 all that came before it.
    guard try !connection.opener().opener.isChained, connection.steps.allSatisfy(\.isRecord),
      connection.records.count > 1
    else {
      return
    }
    let opener = try connection.opener()
    let last = connection.records.count - 1
    #expect(opener.open(connection.records[last]) == .failed)
    opener.opener.skip(records: UInt64(last))
    #expect(opener.open(connection.records[last]) != .failed)
  }

  @Test(
    "TLS 1.0 goes on behind a record that failed",
    arguments: VectorConnection.all.filter { $0.version == 0x0301 && !$0.isStream })
  func chain(_ connection: VectorConnection) throws {
    let opener = try connection.opener()
    #expect(connection.records.count > 2)
    // The first was not seen, so the second fails: all that it is good for is its end.
    opener.opener.skip()
    #expect(opener.open(connection.records[1]) == .failed)
    opener.opener.skip()
    for record in connection.records[2...] { #expect(opener.open(record) != .failed) }
  }

  @Test("RC4 goes on behind a record that failed, and not behind one that was not seen")
  func stream() throws {
    let connection = try #require(VectorConnection.all.first { $0.suite == 0x0004 })
    let opener = try connection.opener()
    var damaged = connection.records[0]
    damaged[7] ^= 1
    #expect(opener.open(damaged) == .failed)
    opener.opener.skip()
    for record in connection.records[1...] { #expect(opener.open(record) != .failed) }
    let late = try connection.opener()
    late.opener.skip()
    #expect(late.open(connection.records[1]) == .failed)
    late.opener.skip()
    #expect(late.open(connection.records[2]) == .failed)
  }

  @Test("padding of TLS 1.3 is not content")
  func padding() throws {
    let connections = VectorConnection.all.filter { $0.name.hasPrefix("padding") }
    #expect(connections.count == 2)
    #expect(connections.allSatisfy { $0.records.allSatisfy { $0.count > 64 } })
  }

  @Test("other suites, versions and secrets are refused")
  func refused() throws {
    let new = try #require(VectorConnection.all.first { $0.suite == 0x1301 })
    let old = try #require(VectorConnection.all.first { $0.suite == 0xC02F })
    #expect(new.setup(suite: 0xC02F).isUnsupported(0xC02F))
    #expect(old.setup(suite: 0x1301).isUnsupported(0x1301))
    for suite in [0x0000, 0x0003, 0x0006, 0x0008, 0x00FF, 0x0A0A, 0xC030 + 0x100, 0xFFFF] as [UInt16] {
      #expect(new.setup(suite: suite).isUnsupported(suite))
      #expect(old.setup(suite: suite).isUnsupported(suite))
    }
    for version in [0x0000, 0x0300, 0x0301, 0x0302, 0x0305, 0xFEFD] as [UInt16] {
      var other = old
      other.version = version
      #expect(other.setup().isUnsupported(0xC02F))
    }
    for length in [0, 1, 31, 33, 47, 49, 200] {
      let secret = [UInt8](repeating: 7, count: length)
      guard case .secretOfOtherLength = new.setup(secret: secret), case .secretOfOtherLength = old.setup(secret: secret)
      else {
        Issue.record("\(length)")
        continue
      }
    }
    let opener = try old.opener()
    #expect(!opener.updateKeys())
  }

  @Test("a copy goes its own way")
  func copies() throws {
    let connection = try #require(VectorConnection.all.first { $0.name.hasPrefix("key updates") })
    let opener = try connection.opener()
    let copy = OpenerUnderTest(opener.opener)
    #expect(opener.updateKeys())
    #expect(opener.open(connection.records[0]) == .failed)
    #expect(copy.open(connection.records[0]) != .failed)
    #expect(opener.opener.sequence == 0 && copy.opener.sequence == 1)
  }
}

extension VectorConnection {
  /// RC4 or no cipher: what a record looks like does not depend on the end of the one before alone.
  fileprivate var isStream: Bool { [0x0001, 0x0002, 0x0004, 0xC011].contains(suite) }
}

extension VectorConnection.Step {
  var isRecord: Bool { if case .record = self { true } else { false } }
}

extension RecordOpener.Setup {
  func isUnsupported(_ suite: UInt16) -> Bool {
    if case .unsupported(suite) = self { true } else { false }
  }
}
