import RunSupport
import Testing

@testable import Reports

/// Documents by hand, and what becomes of them.
enum DocumentFixture {
  static let context = ConversionContext(version: "1.2.3", rules: [])

  static func document(_ text: String) throws -> DocumentNode { try DocumentParser.parse(Array(text.utf8)) }

  static func text(_ format: DocumentFormat, _ documents: [DocumentNode]) throws -> String {
    var sink = MemorySink()
    try format.write(documents, context, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  /// What a format says, read again.
  static func converted(_ format: DocumentFormat, _ documents: [DocumentNode]) throws -> DocumentNode {
    try DocumentParser.parse(Array(text(format, documents).utf8))
  }

  static func converted(_ format: DocumentFormat, _ texts: String...) throws -> DocumentNode {
    try converted(format, texts.map(document))
  }

  /// One capture around connections and findings.
  static func capture(
    _ connections: String, findings: String = "", mode: String = "default",
    first: String = "2024-02-29T23:59:59.999999999Z"
  ) -> String {
    """
    {"schema": "streamscope.result/1", "redaction": {"mode": "\(mode)"},
     "capture": {"file": "a.pcap", "complete": true, "problems": [], "firstTime": "\(first)"},
     "connections": [\(connections)], "findings": [\(findings)]}
    """
  }

  /// A TLS connection with two exchanges. The SYN-ACK took 20 ms, TLS 30 ms from 22 ms on; the first request leaves a
  /// nanosecond later.
  static let twoExchanges = """
    {"id": 7, "client": {"ip": "10.0.0.1", "port": 40000}, "server": {"ip": "2001:db8::2", "port": 443, "name": "shop.example"},
     "midstream": false, "startNs": 0, "endNs": 3000000000, "rtt": {"clientNs": 1000000, "serverNs": 20000000},
     "end": {"kind": "fin", "by": "client"}, "tls": {"sni": "shop.example", "decrypted": true,
       "phases": {"clientHelloNs": 22000000, "finishedNs": 30000000}},
     "timeline": [{"ns": 0, "packet": 1, "kind": "syn"}, {"ns": 20000000, "packet": 2, "kind": "synAck"},
       {"kind": "head", "direction": "toServer", "exchange": 1, "bytes": 120},
       {"kind": "head", "direction": "toClient", "exchange": 1, "bytes": 25},
       {"kind": "head", "direction": "toClient", "exchange": 1, "bytes": 210}],
     "exchanges": [
      {"id": 1,
       "request": {"method": "POST", "target": "/buy?item=7&x", "version": "1.1", "headers": [["Host", "shop.example"],
         ["Content-Type", "text/plain"], ["Cookie", "a=1; b=2"]], "bodyBytes": 10, "complete": true, "firstPacket": 9, "lastPacket": 10,
         "startNs": 52000001, "headNs": 52000001, "endNs": 53000001},
       "interim": [{"status": 100, "reason": "Continue", "version": "1.1", "headers": [], "startNs": 52500001, "firstPacket": 11}],
       "response": {"status": 302, "reason": "Found", "version": "1.1", "headers": [["Location", "/done"],
         ["Content-Type", "Text/HTML; charset=utf-8"], ["Set-Cookie", "s=9; Path=/; Secure; HttpOnly; SameSite=Lax"]],
         "framing": "chunked", "bodyBytes": 40, "contentBytes": 100, "complete": true, "firstPacket": 12, "lastPacket": 15,
         "startNs": 153000002, "headNs": 153000002, "endNs": 200000003}},
      {"id": 2,
       "request": {"method": "GET", "target": "/again", "version": "1.1", "headers": [["Host", "shop.example"]], "bodyBytes": 0,
         "complete": true, "firstPacket": 20, "lastPacket": 20, "startNs": 1000000001, "headNs": 1000000001, "endNs": 1000000001}}
     ]}
    """
}

extension DocumentNode {
  /// A number as it is written.
  var figure: String? {
    switch self {
    case .integer(let value): String(value)
    case .number(let text): text
    default: nil
    }
  }

  func figures(_ keys: String...) -> [String] { keys.map { self[$0]?.figure ?? "nothing" } }

  /// The same with each value of it in turn replaced by `other`.
  func replaced(by other: DocumentNode) -> [DocumentNode] {
    var all = [other]
    switch self {
    case .object(let fields):
      for (index, field) in fields.enumerated() {
        all += field.value.replaced(by: other).map { value in
          var copy = fields
          copy[index].value = value
          return .object(copy)
        }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        all += element.replaced(by: other).map { value in
          var copy = elements
          copy[index] = value
          return .array(copy)
        }
      }
    case .integers(let values):
      for index in values.indices {
        var copy = values.map(DocumentNode.integer)
        copy[index] = other
        all.append(.array(copy))
      }
    default: break
    }
    return all
  }
}
