import Citation
import Decode
import Support
import Testing

@Suite("UDP and ICMP")
struct DatagramTests {
  private func frame(_ number: UInt8, _ payload: [UInt8], from source: IPAddress = "192.0.2.1") -> [UInt8] {
    let to: IPAddress = source.isV4 ? "192.0.2.2" : "2001:db8::2"
    return Wire.ethernet(Wire.ip(from: source, to: to, protocol: number, payload: payload), padded: true)
  }

  @Test("a datagram has its endpoints and its payload")
  func datagram() throws {
    var trial = Trial()
    let bytes = frame(17, Wire.udp(from: "192.0.2.1:5353", to: "192.0.2.2:53", payload: Array("hello".utf8)))
    guard case .udp(let datagram) = trial.decode(bytes, base: 7) else {
      Issue.record("no datagram")
      return
    }
    #expect(datagram.source == "192.0.2.1:5353")
    #expect(datagram.destination == "192.0.2.2:53")
    #expect(datagram.payloadLength == 5)
    #expect(
      bytes[datagram.payloadRange.lowerBound - 7..<datagram.payloadRange.upperBound - 7] == Array("hello".utf8)[...])
    #expect(trial.decoder.datagrams == 1)
  }

  @Test("a cut datagram knows its length on the wire")
  func cut() throws {
    var trial = Trial()
    let bytes = frame(
      17, Wire.udp(from: "192.0.2.1:5353", to: "192.0.2.2:53", payload: [UInt8](repeating: 1, count: 99)))
    guard case .udp(let datagram) = trial.decode(Array(bytes[..<60]), wireLength: bytes.count) else {
      Issue.record("no datagram")
      return
    }
    #expect(datagram.payloadLength == 99)
    #expect(datagram.payloadCaptured == 60 - 42)
  }

  @Test("a tunnel's port without a tunnel's header is a plain datagram", arguments: [4789, 8472, 6081, 2152, 4754])
  func onlyAPort(port: Int) {
    var trial = Trial()
    let to = Endpoint(address: "192.0.2.2", port: UInt16(port))
    trial.decode(frame(17, Wire.udp(from: "192.0.2.1:5353", to: to, payload: [0xC0, 1, 2, 3, 4, 5, 6, 7, 8])))
    #expect(trial.decoder.datagrams == 1)
    #expect(trial.undecoded.isEmpty)
  }

  @Test("Reserved bits of VXLAN may be anything where a known frame follows, and nothing where none does.")
  func reservedBits() {
    var trial = Trial()
    let header: [UInt8] = [0x08, 0, 0, 0x55, 0, 0, 42, 0]
    let inner = Wire.ethernet(0x9876, [UInt8](repeating: 1, count: 40))
    trial.decode(frame(17, Wire.udp(from: "192.0.2.1:5353", to: "192.0.2.2:4789", payload: header + inner)))
    #expect(trial.decoder.datagrams == 1)
    #expect(trial.undecoded.isEmpty)
  }

  @Test("What redirects IPv4 by WCCP may have a header of its own.", arguments: [[], [0, 1, 2, 3]] as [[UInt8]])
  func redirected(header: [UInt8]) {
    var trial = Trial()
    let inner = PacketBuilder(from: "10.0.0.1:40000", to: "10.0.0.2:80", payload: "GET").datagram
    trial.decode(frame(47, Wire.gre(0x883E, payload: header + inner)))
    #expect(trial.segment?.payloadLength == 3)
  }

  @Test("an error names the flow it quotes", arguments: [false, true], [false, true])
  func icmpError(isV6: Bool, fromServer: Bool) throws {
    let client: Endpoint = isV6 ? "[2001:db8::a]:40000" : "10.0.0.1:40000"
    let server: Endpoint = isV6 ? "[2001:db8::b]:80" : "10.0.0.2:80"
    var quoted = PacketBuilder(from: fromServer ? server : client, to: fromServer ? client : server)
    quoted.sequence = 0xCAFE_BABE
    let router: IPAddress = isV6 ? "2001:db8::ffff" : "10.0.0.254"
    let message = Wire.icmp(
      from: router, to: quoted.source.address, type: isV6 ? 2 : 3, code: isV6 ? 0 : 4, rest: 1400,
      payload: Array(quoted.datagram.prefix((isV6 ? 40 : 20) + 8)))
    var trial = Trial()
    guard case .icmpError(let error) = trial.decode(frame(isV6 ? 58 : 1, message, from: router)) else {
      Issue.record("no error")
      return
    }
    let (key, lower) = FlowKey.of(source: quoted.source, destination: quoted.destination)
    #expect(error.key == key)
    #expect(error.quotedSenderIsLower == lower)
    #expect(error.sequence == 0xCAFE_BABE)
    #expect(error.reporter == router)
    #expect(error.type == (isV6 ? 2 : 3))
    #expect(error.code == (isV6 ? 0 : 4))
    #expect(error.nextHopMTU == 1400)
  }

  @Test("a quotation of the ports alone has no sequence number; less is no quotation", arguments: 0...8)
  func shortQuotation(length: Int) {
    let quoted = PacketBuilder(from: "10.0.0.1:40000", to: "10.0.0.2:80")
    let datagram = Array(quoted.datagram.prefix(20 + length))
    let message = Wire.icmp(from: "10.0.0.2", to: "10.0.0.1", type: 3, code: 3, payload: datagram)
    let bytes = Wire.ethernet(Wire.ip(from: "10.0.0.2", to: "10.0.0.1", protocol: 1, payload: message))
    var trial = Trial()
    if case .icmpError(let error) = trial.decode(bytes) {
      #expect(length >= 4)
      #expect((error.sequence != nil) == (length == 8))
      #expect(error.nextHopMTU == nil)
    } else {
      #expect(length < 4)
    }
  }
}
