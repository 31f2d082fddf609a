import Citation
import Support
import Testing

@testable import Decode

private let client: Endpoint = "10.1.2.3:40000"
private let server: Endpoint = "10.9.8.7:80"
private let client6: Endpoint = "[2001:db8::1]:40000"
private let server6: Endpoint = "[2001:db8::2]:80"

/// A packet whose every field differs from its neighbours.
private func sample(_ source: Endpoint = client, _ destination: Endpoint = server) -> PacketBuilder {
  var packet = PacketBuilder(
    from: source, to: destination, flags: [.ack, .psh], sequence: 0x0102_0304, acknowledgment: 0x0506_0708,
    payload: "GET / HTTP/1.1\r\n\r\n")
  packet.window = 0x1122
  packet.urgentPointer = 0x3344
  packet.options = TCPOption.nop + TCPOption.nop + TCPOption.timestamps(7, echo: 9)
  packet.timeToLive = 57
  packet.identification = 0xBEEF
  return packet
}

private let sampleV4 = sample().datagram
private let sampleV6 = sample(client6, server6).datagram

/// A decoder and what it answered, for frames of one link type.
struct Trial {
  var decoder = FrameDecoder()
  var frame = DecodedFrame()
  var number: UInt64 = 0

  @discardableResult
  mutating func decode(
    _ bytes: [UInt8], linkType: UInt16 = 1, wireLength: Int? = nil, at nanoseconds: Int64 = 0, base: Int = 0
  ) -> DecodedFrame.Kind {
    number += 1
    let packet = PacketRef(number: number, time: Timestamp(nanoseconds: nanoseconds))
    decoder.decode(
      bytes.span, linkType: linkType, packet: packet, wireLength: wireLength ?? bytes.count, interface: 3, base: base,
      into: &frame)
    return frame.kind
  }

  var segment: TCPSegment? {
    if case .tcp(let segment) = frame.kind { return segment }
    return nil
  }

  var undecoded: [String] { decoder.undecoded.map { "\($0.name): \($0.count)" } }
}

/// A way of carrying an IP packet, and what the segment should say about it.
struct Carrier: CustomTestStringConvertible, Sendable {
  var name: String
  var linkType: UInt16 = 1
  var encapsulation: Encapsulation = []
  var hasLinkSource = true
  var wrap: @Sendable ([UInt8]) -> [UInt8]
  var testDescription: String { name }

  static let all: [Carrier] = [
    Carrier(name: "Ethernet") { Wire.ethernet($0) },
    Carrier(name: "Ethernet with padding") { Wire.ethernet($0) + [9, 9, 9, 9, 9] },
    Carrier(name: "802.3 and SNAP") {
      let body = Wire.snap(Wire.etherType(of: $0), $0)
      return Wire.ethernet(UInt16(body.count), body)
    },
    Carrier(name: "NULL, little-endian", linkType: 0, hasLinkSource: false) { Wire.null($0[0] >> 4 == 4 ? 2 : 30, $0) },
    Carrier(name: "NULL, big-endian", linkType: 0, hasLinkSource: false) {
      Wire.null($0[0] >> 4 == 4 ? 2 : 24, $0, bigEndian: true)
    },
    Carrier(name: "NULL of Linux", linkType: 0, hasLinkSource: false) { Wire.null($0[0] >> 4 == 4 ? 2 : 10, $0) },
    Carrier(name: "LOOP", linkType: 108, hasLinkSource: false) {
      Wire.null($0[0] >> 4 == 4 ? 2 : 28, $0, bigEndian: true)
    },
    Carrier(name: "raw IP", linkType: 101, hasLinkSource: false) { $0 },
    Carrier(name: "raw IP, number 12", linkType: 12, hasLinkSource: false) { $0 },
    Carrier(name: "raw IP, number 14", linkType: 14, hasLinkSource: false) { $0 },
    Carrier(name: "SLL", linkType: 113) { Wire.cooked(Wire.etherType(of: $0), $0) },
    Carrier(name: "SLL2", linkType: 276) { Wire.cooked2(Wire.etherType(of: $0), $0) },
    Carrier(name: "802.11", linkType: 105) { Wire.wlan(Wire.snap(Wire.etherType(of: $0), $0)) },
    Carrier(name: "802.11 QoS", linkType: 105) { Wire.wlan(Wire.snap(Wire.etherType(of: $0), $0), quality: true) },
    Carrier(name: "802.11 with four addresses", linkType: 105) {
      Wire.wlan(Wire.snap(Wire.etherType(of: $0), $0), quality: true, bridged: true)
    },
    Carrier(name: "radiotap", linkType: 127) { Wire.radiotap(Wire.wlan(Wire.snap(Wire.etherType(of: $0), $0))) },
    Carrier(name: "radiotap with a padded 802.11 header", linkType: 127) {
      let frame = Wire.wlan(Wire.snap(Wire.etherType(of: $0), $0), quality: true)
      return Wire.radiotap(Array(frame[..<26]) + [0, 0] + Array(frame[26...]), flags: 0x20)
    },
    Carrier(name: "PKTAP", linkType: 258) { Wire.processTap(1, Wire.ethernet($0)) },
    Carrier(name: "PKTAP of old systems", linkType: 149, hasLinkSource: false) { Wire.processTap(12, $0) },
    Carrier(name: "PPP", linkType: 9, hasLinkSource: false) { Wire.ppp($0) },
    Carrier(name: "PPP with address and control", linkType: 9, hasLinkSource: false) { [0xFF, 0x03] + Wire.ppp($0) },
    Carrier(name: "PPP with a short protocol", linkType: 9, hasLinkSource: false) { Array(Wire.ppp($0)[1...]) },
    Carrier(name: "PPP in HDLC", linkType: 50, hasLinkSource: false) { [0xFF, 0x03] + Wire.ppp($0) },
    Carrier(name: "Cisco HDLC", linkType: 104, hasLinkSource: false) { [0x0F, 0] + Wire.etherType(of: $0).wire + $0 },
    Carrier(name: "PPP with direction", linkType: 204, hasLinkSource: false) { [1, 0xFF, 0x03] + Wire.ppp($0) },
    Carrier(name: "PPPoE link", linkType: 51, encapsulation: .pppoe, hasLinkSource: false) { Wire.pppoe($0) },
    Carrier(name: "VLAN", encapsulation: .vlan) { Wire.ethernet(0x8100, Wire.vlan(7, Wire.etherType(of: $0), $0)) },
    Carrier(name: "three VLANs", encapsulation: .vlan) {
      let inner = Wire.vlan(8, 0x9100, Wire.vlan(7, Wire.etherType(of: $0), $0))
      return Wire.ethernet(0x88A8, Wire.vlan(9, 0x8100, inner))
    },
    Carrier(name: "MPLS", encapsulation: .mpls) { Wire.ethernet(0x8847, Wire.mpls([16, 17], $0)) },
    Carrier(name: "Ethernet over MPLS", encapsulation: .mpls) {
      Wire.ethernet(0x8847, Wire.mpls([16], Wire.ethernet($0)))
    },
    Carrier(name: "Ethernet over MPLS with control word", encapsulation: .mpls) {
      Wire.ethernet(0x8847, Wire.mpls([16], [0, 0, 0, 0] + Wire.ethernet($0)))
    },
    Carrier(name: "Ethernet over MPLS to an address that begins like IPv4", encapsulation: .mpls) {
      Wire.ethernet(0x8847, Wire.mpls([16], Wire.ethernet($0, to: [0x44, 0x85, 0, 1, 2, 3])))
    },
    Carrier(name: "Ethernet over MPLS to an address that begins like IPv6", encapsulation: .mpls) {
      Wire.ethernet(0x8847, Wire.mpls([16], Wire.ethernet($0, to: [0x60, 0x85, 0, 1, 0xF0, 3])))
    },
    Carrier(name: "Cisco metadata") { Wire.ethernet(0x8909, [1, 1, 0, 1, 0, 9] + Wire.etherType(of: $0).wire + $0) },
    Carrier(name: "Cisco metadata beside a VLAN", encapsulation: .vlan) {
      Wire.ethernet(0x8100, Wire.vlan(7, 0x8909, [1, 1, 0, 1, 0, 9] + Wire.etherType(of: $0).wire + $0))
    },
    Carrier(name: "NFLOG, little-endian", linkType: 239) {
      Wire.netfilterLog($0, [(1, [8, 0, 0, 1]), (8, [0, 6, 0, 0] + Wire.clientMAC + [0, 0]), (10, [0x61, 0])])
    },
    Carrier(name: "NFLOG, big-endian", linkType: 239, hasLinkSource: false) {
      Wire.netfilterLog($0, [(1, [8, 0, 0, 1]), (10, [0x61])], bigEndian: true)
    },
    Carrier(name: "PPPoE", encapsulation: .pppoe) { Wire.ethernet(0x8864, Wire.pppoe($0)) },
    Carrier(name: "GRE", encapsulation: .gre) { tunnel(47, Wire.gre(Wire.etherType(of: $0), payload: $0)) },
    Carrier(name: "GRE with every field", encapsulation: .gre) {
      tunnel(47, Wire.gre(Wire.etherType(of: $0), checksum: true, key: 5, sequence: 6, payload: $0))
    },
    Carrier(name: "Ethernet over GRE", encapsulation: .gre) {
      tunnel(47, Wire.gre(0x6558, key: 5, payload: Wire.ethernet($0)))
    },
    Carrier(name: "PPTP", encapsulation: .gre) {
      tunnel(47, UInt16(0x3081).wire + UInt16(0x880B).wire + [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3] + Wire.ppp($0))
    },
    Carrier(name: "EoIP", encapsulation: .gre) {
      tunnel(47, UInt16(0x2001).wire + UInt16(0x6400).wire + UInt16($0.count + 14).wire + [7, 0] + Wire.ethernet($0))
    },
    Carrier(name: "Cisco metadata in GRE", encapsulation: .gre) {
      tunnel(47, Wire.gre(0x8909, payload: Wire.etherType(of: $0).wire + [1, 1, 0, 1, 0, 9] + $0))
    },
    Carrier(name: "Aruba", encapsulation: .gre) {
      tunnel(47, Wire.gre(0x8230, payload: Wire.wlan(Wire.snap(Wire.etherType(of: $0), $0))))
    },
    Carrier(name: "GRE in UDP", encapsulation: .gre) {
      overlay(4754, Wire.gre(Wire.etherType(of: $0), key: 5, payload: $0))
    },
    Carrier(name: "MPLS in UDP", encapsulation: .mpls) { overlay(6635, Wire.mpls([16], $0)) },
    Carrier(name: "ERSPAN I", encapsulation: [.gre, .erspan]) {
      tunnel(47, Wire.gre(0x88BE, payload: Wire.ethernet($0)))
    },
    Carrier(name: "ERSPAN II", encapsulation: [.gre, .erspan]) {
      tunnel(47, Wire.gre(0x88BE, sequence: 6, payload: [0x10, 1, 0, 9, 0, 0, 0, 3] + Wire.ethernet($0)))
    },
    Carrier(name: "ERSPAN III", encapsulation: [.gre, .erspan]) {
      tunnel(
        47, Wire.gre(0x22EB, sequence: 6, payload: [0x20, 1, 0, 9, 1, 2, 3, 4, 0, 0, 0x80, 0] + Wire.ethernet($0)))
    },
    Carrier(name: "ERSPAN III of a platform, IP alone", encapsulation: [.gre, .erspan]) {
      let header: [UInt8] = [0x20, 1, 0, 9, 1, 2, 3, 4, 0, 0, 0x08, 1, 9, 9, 9, 9, 9, 9, 9, 9]
      return tunnel(47, Wire.gre(0x22EB, sequence: 6, payload: header + $0))
    },
    Carrier(name: "GTP-U", encapsulation: .gtp) {
      overlay(2152, [0x30, 255] + UInt16($0.count).wire + [0, 0, 0, 7] + $0)
    },
    Carrier(name: "GTP-U with a sequence number and an extension header", encapsulation: .gtp) {
      overlay(2152, [0x36, 255] + UInt16($0.count + 8).wire + [0, 0, 0, 7, 0, 1, 0, 0x85, 1, 0x10, 0, 0] + $0)
    },
    Carrier(name: "IP in IPv4", encapsulation: .ipInIP) { tunnel($0[0] >> 4 == 4 ? 4 : 41, $0) },
    Carrier(name: "IP in IPv6", encapsulation: .ipInIP) { tunnel6($0[0] >> 4 == 4 ? 4 : 41, $0) },
    Carrier(name: "VXLAN", encapsulation: .vxlan) { overlay(4789, Wire.vxlan(42, frame: Wire.ethernet($0))) },
    Carrier(name: "VXLAN on Linux's old port", encapsulation: .vxlan) {
      overlay(8472, Wire.vxlan(42, frame: Wire.ethernet($0)))
    },
    Carrier(name: "VXLAN with reserved bits set", encapsulation: .vxlan) {
      overlay(4789, [0x0C, 0xFF, 0x80, 3, 0, 0, 42, 0x7F] + Wire.ethernet($0))
    },
    Carrier(name: "VLAN in VXLAN", encapsulation: [.vxlan, .vlan]) {
      overlay(4789, Wire.vxlan(42, frame: Wire.ethernet(0x8100, Wire.vlan(7, Wire.etherType(of: $0), $0))))
    },
    Carrier(name: "Geneve", encapsulation: .geneve) { overlay(6081, Wire.geneve(42, payload: Wire.ethernet($0))) },
    Carrier(name: "IP in Geneve with options", encapsulation: .geneve) {
      overlay(6081, Wire.geneve(42, etherType: Wire.etherType(of: $0), options: [1, 2, 3, 1, 9, 9, 9, 9], payload: $0))
    },
    Carrier(name: "IPv6 extension headers", encapsulation: .ipInIP) {
      let options = Wire.extensionHeader(next: $0[0] >> 4 == 4 ? 4 : 41, body: [0, 0, 0, 0, 0, 0, 0, 0], payload: $0)
      return tunnel6(0, Wire.extensionHeader(next: 43, payload: Wire.extensionHeader(next: 60, payload: options)))
    },
    Carrier(name: "an atomic fragment", encapsulation: .ipInIP) {
      tunnel6(
        44,
        Wire.fragmentHeader(
          next: $0[0] >> 4 == 4 ? 4 : 41, offset: 0, hasMore: false, identification: 1, payload: $0))
    },
    Carrier(name: "AH in IPv4", encapsulation: .ipInIP) {
      tunnel(51, [$0[0] >> 4 == 4 ? 4 : 41, 4] + [UInt8](repeating: 1, count: 22) + $0)
    },
    Carrier(name: "AH in IPv6", encapsulation: .ipInIP) {
      tunnel6(51, [$0[0] >> 4 == 4 ? 4 : 41, 4] + [UInt8](repeating: 1, count: 22) + $0)
    },
  ]

  private static func tunnel(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    Wire.ethernet(Wire.ip(from: "192.0.2.1", to: "192.0.2.2", protocol: number, payload: payload))
  }

  private static func tunnel6(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    Wire.ethernet(Wire.ip(from: "2001:db8:f::1", to: "2001:db8:f::2", protocol: number, payload: payload))
  }

  private static func overlay(_ port: UInt16, _ payload: [UInt8]) -> [UInt8] {
    let to = Endpoint(address: "192.0.2.2", port: port)
    return tunnel(17, Wire.udp(from: "192.0.2.1:50000", to: to, payload: payload))
  }
}

@Suite("FrameDecoder")
struct FrameDecoderTests {
  @Test("a segment is small enough to be copied without a call")
  func size() { #expect(MemoryLayout<TCPSegment>.stride <= 128) }

  @Test("every carrier brings the same segment", arguments: Carrier.all, [false, true])
  func carriers(_ carrier: Carrier, isV6: Bool) throws {
    let bytes = carrier.wrap(isV6 ? sampleV6 : sampleV4)
    var trial = Trial()
    trial.decode(bytes, linkType: carrier.linkType, base: 1000)
    let segment = try #require(trial.segment, "\(trial.undecoded)")
    let (key, lower) =
      isV6 ? FlowKey.of(source: client6, destination: server6) : FlowKey.of(source: client, destination: server)
    #expect(segment.key == key)
    #expect(segment.sentByLower == lower)
    #expect(segment.packet.number == 1)
    #expect(segment.flags == [.ack, .psh])
    #expect(segment.sequence == 0x0102_0304)
    #expect(segment.acknowledgment == 0x0506_0708)
    #expect(segment.window == 0x1122)
    #expect(segment.urgentPointer == 0x3344)
    #expect(segment.timeToLive == 57)
    #expect(segment.identification == (isV6 ? nil : 0xBEEF))
    #expect(segment.interface == 3)
    #expect(segment.encapsulation == carrier.encapsulation)
    #expect((segment.linkSource != 0) == carrier.hasLinkSource)
    let payload = segment.payloadRange
    #expect(
      String(decoding: bytes[(payload.lowerBound - 1000)..<(payload.upperBound - 1000)], as: UTF8.self)
        == "GET / HTTP/1.1\r\n\r\n")
    #expect(segment.payloadLength == 18)
    let options = segment.optionsRange
    #expect(Array(bytes[(options.lowerBound - 1000)..<(options.upperBound - 1000)]) == sample().options)
    #expect(trial.decoder.undecoded.isEmpty)
    #expect(!trial.frame.isReassembled)
  }

  @Test(
    "every cut of every carrier gives a result or a count, and invents nothing", arguments: Carrier.all, [false, true])
  func cuts(_ carrier: Carrier, isV6: Bool) {
    let bytes = carrier.wrap(isV6 ? sampleV6 : sampleV4)
    var trial = Trial()
    var results: UInt64 = 0
    for length in 0..<bytes.count {
      trial.decode(Array(bytes[..<length]), linkType: carrier.linkType, wireLength: bytes.count)
      if case .none = trial.frame.kind { continue }
      results += 1
      guard let segment = trial.segment else { continue }
      #expect(segment.payloadLength == 18)
      #expect(segment.window == 0x1122)
      #expect(segment.payloadRange.upperBound <= length)
      #expect(segment.optionsRange.upperBound <= length)
      #expect(segment.payloadCaptured < 18 || bytes.count - length < 6)
    }
    let counted = trial.decoder.undecoded.reduce(0) { $0 + $1.count }
    #expect(results + counted == UInt64(bytes.count))
    #expect(results > 0)
  }

  @Test("a frame cut within the options is delivered with what is there")
  func cutOptions() throws {
    var trial = Trial()
    let bytes = sample().frame
    trial.decode(Array(bytes[..<(14 + 20 + 20 + 4)]), wireLength: bytes.count)
    let segment = try #require(trial.segment)
    #expect(segment.optionsLength == 4)
    #expect(segment.payloadCaptured == 0)
    #expect(segment.payloadLength == 18)
  }

  @Test("a header cut before the window is counted, behind it delivered", arguments: 34...54)
  func cutHeader(length: Int) {
    var trial = Trial()
    let bytes = sample().frame
    trial.decode(Array(bytes[..<length]), wireLength: bytes.count)
    #expect((trial.segment == nil) == (length < 50))
    #expect(trial.undecoded == (length < 50 ? ["TCP header cut by the snapshot length: 1"] : []))
  }

  @Test("padding behind a short packet is no payload")
  func padding() throws {
    var trial = Trial()
    trial.decode(Wire.ethernet(PacketBuilder(from: client, to: server).datagram, padded: true))
    let segment = try #require(trial.segment)
    #expect(segment.payloadLength == 0)
    #expect(segment.payloadCaptured == 0)
  }

  @Test("a length of zero reaches to the end of the frame", arguments: [false, true])
  func offloadedLength(isV6: Bool) throws {
    var bytes = Wire.ethernet(isV6 ? sampleV6 : sampleV4)
    bytes.replaceSubrange(isV6 ? 18..<20 : 16..<18, with: [0, 0])
    var trial = Trial()
    trial.decode(Array(bytes.dropLast(5)), wireLength: bytes.count)
    let segment = try #require(trial.segment)
    #expect(segment.payloadLength == 18)
    #expect(segment.payloadCaptured == 13)
  }

  @Test("IPv4 options are passed over")
  func internetOptions() throws {
    let datagram = Wire.ip(
      from: client.address, to: server.address, protocol: 6, options: [7, 3, 4, 0], payload: sample().segment)
    var trial = Trial()
    trial.decode(Wire.ethernet(datagram))
    #expect(trial.segment?.payloadLength == 18)
  }

  @Test("the length on the wire is the packet's, not the frame's")
  func wireLength() throws {
    var trial = Trial()
    trial.decode(Array(sample().frame.dropLast(10)), wireLength: 0)
    let segment = try #require(trial.segment)
    #expect(segment.payloadLength == 18)
    #expect(segment.payloadCaptured == 8)
  }

  @Test("link sources distinguish frames of different senders")
  func linkSources() {
    var trial = Trial()
    trial.decode(Wire.ethernet(sampleV4, from: [0, 0, 0, 0, 0, 1]))
    let first = trial.segment?.linkSource
    trial.decode(Wire.ethernet(sampleV4, from: [0, 0, 0, 0, 0, 2]))
    #expect(first != trial.segment?.linkSource)
    trial.decode(Wire.ethernet(sampleV4, from: [0, 1, 0, 0, 0, 1]))
    #expect(first != trial.segment?.linkSource)
    trial.decode(Wire.cooked(0x0800, sampleV4, from: [0, 0, 0, 0, 0, 1]), linkType: 113)
    #expect(first == trial.segment?.linkSource)
    trial.decode(Wire.ethernet(sampleV4, from: [0, 0, 0, 0, 0, 0]))
    #expect(trial.segment?.linkSource == 0)
  }

  @Test("headers nest up to the bound and are counted past it", arguments: [(13, true), (14, false), (200, false)])
  func nesting(tags: Int, isDecoded: Bool) {
    var payload = Wire.etherType(of: sampleV4).wire + sampleV4
    for _ in 0..<tags { payload = UInt16(0x8100).wire + UInt16(7).wire + payload }
    var trial = Trial()
    trial.decode(Wire.serverMAC + Wire.clientMAC + payload)
    #expect((trial.segment != nil) == isDecoded)
    #expect(trial.undecoded == (isDecoded ? [] : ["headers nested too deep: 1"]))
    #expect(trial.decoder.problems.map(\.kind) == (isDecoded ? [] : [.nestingLimit]))
  }

  @Test("a long chain of extension headers is counted")
  func extensionChain() {
    var payload = sample().segment
    for index in 0..<20 { payload = Wire.extensionHeader(next: index == 0 ? 6 : 60, payload: payload) }
    var trial = Trial()
    trial.decode(Wire.ethernet(Wire.ip(from: "::1", to: "::2", protocol: 60, payload: payload)))
    #expect(trial.segment == nil)
    #expect(trial.undecoded == ["IPv6 extension header chain too long: 1"])
  }
}
