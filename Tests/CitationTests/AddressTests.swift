import Citation
import Foundation
import Testing

private func v6(_ groups: UInt16...) -> IPAddress {
  let words = groups.map(UInt64.init)
  return IPAddress(
    high: words[0] << 48 | words[1] << 32 | words[2] << 16 | words[3],
    low: words[4] << 48 | words[5] << 32 | words[6] << 16 | words[7])
}

@Suite struct AddressTests {
  @Test(
    "an address is written in the canonical form of RFC 5952",
    arguments: [
      (v6(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), "2001:db8::1"),
      // §4.1: no leading zeros, and a lone zero group stays.
      (v6(0x2001, 0xdb8, 0xaaaa, 0xbbbb, 0xcccc, 0xdddd, 0xeeee, 0x1), "2001:db8:aaaa:bbbb:cccc:dddd:eeee:1"),
      // §4.2.2: "::" never stands for a single group.
      (v6(0x2001, 0xdb8, 0, 1, 1, 1, 1, 1), "2001:db8:0:1:1:1:1:1"),
      // §4.2.3: the longest run, and the first of two equal ones.
      (v6(0x2001, 0, 0, 1, 0, 0, 0, 1), "2001:0:0:1::1"),
      (v6(0x2001, 0xdb8, 0, 0, 1, 0, 0, 1), "2001:db8::1:0:0:1"),
      // §4.3: lower case.
      (v6(0xABCD, 0, 0, 0, 0, 0, 0, 0xEF), "abcd::ef"),
      (v6(0, 0, 0, 0, 0, 0, 0, 0), "::"),
      (v6(0, 0, 0, 0, 0, 0, 0, 1), "::1"),
      (v6(0xfe80, 0, 0, 0, 0, 0, 0, 0), "fe80::"),
      (v6(0, 1, 2, 3, 4, 5, 6, 7), "0:1:2:3:4:5:6:7"),
      (v6(0, 0, 2, 3, 4, 5, 6, 7), "::2:3:4:5:6:7"),
      (v6(1, 2, 3, 4, 5, 6, 0, 0), "1:2:3:4:5:6::"),
      (v6(0, 0, 0, 0, 0, 0xFFFE, 1, 2), "::fffe:1:2"),
      (IPAddress(v4: 0), "0.0.0.0"),
      (IPAddress(v4: 0xC0A8_01FE), "192.168.1.254"),
      (IPAddress(v4: .max), "255.255.255.255"),
    ])
  func text(address: IPAddress, expected: String) {
    #expect(address.description == expected)
  }

  @Test(
    "a text is an address, or none: as inet_pton reads it",
    arguments: [
      "192.0.2.7", "0.0.0.0", "255.255.255.255", "256.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.04", "00.0.0.0", "1..2.3",
      ".1.2.3", "1.2.3.", "1.2.3.4 ", " 1.2.3.4", "+1.2.3.4", "0x1.2.3.4", "1.2.3.1000", "", ".", ":",
      "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
      "1::2:3:4:5:6:7:8", "2001:DB8:0::7", "2001:db8::1::2", ":::", "1:::2", ":1::2", "1::2:", "1:2:3:4:5:6:7:8:",
      "12345::", "00001::", "0001::", "g::", "+1::", "-1::", "::ffff:192.0.2.7", "::192.0.2.7", "1:2:3:4:5:6:1.2.3.4",
      "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:1.2.3.4", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::", "fe80::1%lo", "[::1]", "a.b",
    ])
  func reading(text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    var expected: [UInt8]?
    if inet_pton(AF_INET, text, &bytes) == 1 {
      expected = Array(bytes[..<4])
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      expected = bytes
    }
    let address = IPAddress(text: text[...].utf8)
    // A mapped address is the IPv4 address, and has its bytes.
    if let all = expected, all.count == 16, address?.isV4 == true { expected = Array(all[12...]) }
    #expect(address?.wireBytes == expected)
  }

  @Test("a mapped address is the IPv4 address")
  func mapped() {
    #expect(v6(0, 0, 0, 0, 0, 0xFFFF, 0x0A00, 0x0001) == IPAddress(v4: 0x0A00_0001))
    #expect(IPAddress(v4: 0x0A00_0001).isV4)
    #expect(!v6(0, 0, 0, 1, 0, 0xFFFF, 0x0A00, 0x0001).isV4)
    #expect(!v6(0, 0, 0, 0, 0, 0, 0x0A00, 0x0001).isV4)
  }

  @Test("wire bytes are four or sixteen, in network order")
  func wireBytes() {
    #expect(IPAddress(v4: 0x0102_0304).wireBytes == [1, 2, 3, 4])
    #expect(
      v6(0x0102, 0x0304, 0x0506, 0x0708, 0x090A, 0x0B0C, 0x0D0E, 0x0F10).wireBytes == Array(1...16))
  }

  @Test("an endpoint brackets what has colons")
  func endpoint() {
    #expect(Endpoint(address: IPAddress(v4: 0x7F00_0001), port: 80).description == "127.0.0.1:80")
    #expect(Endpoint(address: v6(0, 0, 0, 0, 0, 0, 0, 1), port: 65535).description == "[::1]:65535")
  }
}
