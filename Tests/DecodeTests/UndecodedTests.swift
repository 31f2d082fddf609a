import Citation
import Support
import Testing

@testable import Decode

private struct Row: CustomTestStringConvertible, Sendable {
  var name: String
  var linkType: UInt16 = 1
  var bytes: [UInt8]
  var testDescription: String { name }

  static let all: [Row] = [
    Row(name: "ARP", bytes: Wire.ethernet(0x0806, [0, 1])),
    Row(name: "LLDP", bytes: Wire.ethernet(0x88CC, [2, 7])),
    Row(name: "EAPOL", bytes: Wire.ethernet(0x888E, [1])),
    Row(name: "PPPoE discovery", bytes: Wire.ethernet(0x8863, [0x11, 9])),
    Row(name: "PPP control", linkType: 9, bytes: [0xC0, 0x21, 1]),
    Row(name: "PPP protocol 0x002b", linkType: 9, bytes: [0x00, 0x2B, 1]),
    Row(name: "unknown ethertype 0x9876", bytes: Wire.ethernet(0x9876, [1])),
    Row(name: "spanning tree", bytes: Wire.ethernet(3, [0x42, 0x42, 3])),
    Row(name: "LLC service access point 0xe0", bytes: Wire.ethernet(3, [0xE0, 0xE0, 3])),
    Row(name: "SNAP organization 0x00000c", bytes: Wire.ethernet(8, [0xAA, 0xAA, 3, 0, 0, 0x0C, 0x20, 0])),
    Row(name: "SCTP", bytes: datagram(132, [1, 2, 3])),
    Row(name: "ESP", bytes: datagram(50, [1, 2, 3])),
    Row(name: "IGMP", bytes: datagram(2, [1, 2, 3])),
    Row(name: "IP protocol 89", bytes: datagram(89, [1, 2, 3])),
    Row(name: "IP protocol 60", bytes: datagram(60, [UInt8](repeating: 0, count: 40))),
    Row(name: "ICMP", bytes: datagram(1, [8, 0, 0, 0, 0, 0, 0, 0])),
    Row(name: "ICMP error that quotes no TCP ports", bytes: datagram(1, [3, 1, 0, 0, 0, 0, 0, 0, 0x45])),
    Row(name: "IPv6 neighbour discovery", bytes: datagram6(58, [135, 0, 0, 0])),
    Row(name: "IPv6 multicast listener", bytes: datagram6(58, [143, 0, 0, 0])),
    Row(name: "ICMPv6", bytes: datagram6(58, [128, 0, 0, 0])),
    Row(name: "IPv6 without payload", bytes: datagram6(59, [])),
    Row(
      name: "ERSPAN of an unknown kind",
      bytes: datagram(47, Wire.gre(0x88BE, sequence: 1, payload: [UInt8](repeating: 0, count: 30)))),
    Row(
      name: "ERSPAN of an unknown kind",
      bytes: datagram(47, Wire.gre(0x22EB, sequence: 1, payload: [0x20] + [UInt8](repeating: 0xFE, count: 30)))),
    Row(name: "truncated tunnel header", bytes: datagram(47, Wire.gre(0x22EB, sequence: 1, payload: [0x20, 0, 0]))),
    Row(
      name: "NFLOG without a packet", linkType: 239, bytes: Wire.netfilterLog([], [(1, [8, 0, 0, 1])], brings: false)),
    Row(name: "malformed link header", linkType: 239, bytes: [2, 0, 0, 0, 3, 0, 1, 0]),
    Row(name: "malformed link header", bytes: Wire.ethernet(0x8909, [2, 1, 0, 1, 0, 9, 8, 0])),
    Row(name: "truncated VLAN, MPLS or PPPoE header", bytes: Wire.ethernet(0x8909, [1, 200, 0, 1, 0, 9, 8, 0])),
    Row(name: "GRE with source routes", bytes: datagram(47, [0x40, 0, 8, 0])),
    Row(name: "MPLS payload other than IP or Ethernet", bytes: Wire.ethernet(0x8847, Wire.mpls([3], [0x10, 0, 0]))),
    Row(name: "802.11 management", linkType: 105, bytes: [0x80, 0]),
    Row(name: "802.11 control", linkType: 105, bytes: [0xD4, 0]),
    Row(name: "802.11 without data", linkType: 105, bytes: [0x48, 1]),
    Row(name: "802.11 encrypted data", linkType: 105, bytes: Wire.wlan([1, 2], control: 0x40)),
    Row(name: "802.11 fragment", linkType: 105, bytes: Wire.wlan([1, 2], control: 0x04)),
    Row(name: "loopback address family 7", linkType: 0, bytes: Wire.null(7, [1])),
    Row(name: "unsupported link type linktype 42", linkType: 42, bytes: [1]),
    Row(name: "unsupported link type netlink", linkType: 253, bytes: [1]),
    Row(name: "unsupported link type linktype 149", linkType: 149, bytes: [UInt8](repeating: 7, count: 200)),
    Row(name: "truncated link header", bytes: [1, 2, 3]),
    Row(name: "truncated VLAN, MPLS or PPPoE header", bytes: Wire.ethernet(0x8100, [1])),
    Row(name: "truncated IPv4 header", bytes: Wire.ethernet(0x0800, [0x45, 0, 0])),
    Row(name: "truncated IPv6 header", bytes: Wire.ethernet(0x86DD, [0x60, 0, 0])),
    Row(name: "malformed IPv4 header", bytes: Wire.ethernet(0x0800, [0x44] + [UInt8](repeating: 0, count: 30))),
    Row(
      name: "malformed IPv4 header",
      bytes: Wire.ethernet(Wire.ip(from: "1.2.3.4", to: "5.6.7.8", protocol: 6, totalLength: 19, payload: [1]))),
    Row(name: "malformed IPv6 header", bytes: Wire.ethernet(0x86DD, [0x40] + [UInt8](repeating: 0, count: 50))),
    Row(name: "malformed TCP header", bytes: datagram(6, [UInt8](repeating: 0, count: 20))),
    Row(name: "malformed TCP header", bytes: datagram(6, [UInt8](repeating: 0xFF, count: 20))),
    Row(name: "malformed TCP header", bytes: datagram(6, [0, 1, 0, 2])),
    Row(name: "malformed UDP header", bytes: datagram(17, [0, 1, 0, 2, 0, 7, 0, 0])),
    Row(name: "malformed fragment", bytes: datagram(6, [1, 2, 3], fragment: 0x2000)),
    Row(name: "malformed fragment", bytes: datagram(6, [UInt8](repeating: 1, count: 16), fragment: 0x1FFF)),
  ]

  private static func datagram(_ number: UInt8, _ payload: [UInt8], fragment: UInt16 = 0) -> [UInt8] {
    Wire.ethernet(
      Wire.ip(from: "192.0.2.1", to: "192.0.2.2", protocol: number, fragment: fragment, payload: payload))
  }

  private static func datagram6(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    Wire.ethernet(Wire.ip(from: "2001:db8::1", to: "2001:db8::2", protocol: number, payload: payload))
  }
}

@Suite("What is not decoded")
struct UndecodedTests {
  @Test("is counted by its name", arguments: Row.all)
  fileprivate func named(_ row: Row) {
    var trial = Trial()
    trial.decode(row.bytes, linkType: row.linkType)
    #expect(trial.undecoded == ["\(row.name): 1"])
  }

  @Test("unknown numbers are listed ascending, and past the bound together")
  func bounded() {
    var trial = Trial()
    for type in (0x9800..<0x9800 + 70).reversed() { trial.decode(Wire.ethernet(UInt16(type), [0])) }
    trial.decode(Wire.ethernet(0x9845, [0]))
    let list = trial.decoder.undecoded
    #expect(list.count == UndecodedCounts.unknownLimit + 1)
    #expect(list.map(\.name).dropLast() == list.map(\.name).dropLast().sorted()[...])
    #expect(list.first?.name == "unknown ethertype 0x9806")
    #expect(list[63] == ("unknown ethertype 0x9845", 2))
    #expect(list[64] == ("other protocols", 6))
  }

  @Test("names differ from each other")
  func distinct() {
    #expect(Set(Undecoded.allCases.map(\.name)).count == Undecoded.allCases.count)
  }

  @Test("link types have names", arguments: [(1, "Ethernet"), (276, "Linux SLL2"), (42, "linktype 42")])
  func linkTypes(number: Int, name: String) {
    #expect(FrameDecoder.name(ofLinkType: UInt16(number)) == name)
  }
}
