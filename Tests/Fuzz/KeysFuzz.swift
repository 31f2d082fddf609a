// Fuzzes what is done with secrets: key logs, records that may be anything, and certificates. None of them may trap or
// leak, a key log must not hold more than its lines say, and a record that opens must fit into what it came in.
//
// The first byte chooses. A key log follows at once; a certificate, too. For records two bytes of the suite and one of
// settings follow (version, side, order of MAC), then records, each of a byte that says its length and so many bytes.
import TLSProtection
import TLSSemantics

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeys(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  switch data[0] {
  case UInt8(ascii: "k"): log(bytes)
  case UInt8(ascii: "c"): certificate(bytes)
  case UInt8(ascii: "r"): records(bytes)
  default: break
  }
  return 0
}

private func log(_ bytes: [UInt8]) {
  var log = KeyLog()
  let addition = log.add(bytes.span)
  let lines = bytes.count { $0 == 0x0A } + 1
  precondition(addition.secrets == log.secretCount && log.connectionCount <= log.secretCount)
  precondition(addition.secrets + addition.malformed + addition.ignored + addition.unsupported <= lines)
  precondition(addition.malformedLines.count == min(addition.malformed, KeyLog.notedLines))
  let again = log.add(bytes.span)
  precondition(again.secrets == 0 && again.repeated + again.contradictions >= addition.secrets)
}

private func certificate(_ bytes: [UInt8]) {
  guard let summary = CertificateSummary(der: bytes.span) else { return }
  precondition(summary.names.count + summary.addresses.count <= CertificateSummary.nameLimit)
  for name in summary.names.prefix(8) { _ = summary.covers(name: name) }
  for address in summary.addresses.prefix(8) { precondition(summary.covers(name: "\(address)")) }
  _ = summary.covers(name: "www.example.com")
}

private let randoms: [UInt8] = (0..<64).map { $0 }

private func records(_ bytes: [UInt8]) {
  guard bytes.count > 3 else { return }
  let suite = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  let settings = bytes[2]
  let version = 0x0301 + UInt16(settings & 3)
  let setup: RecordOpener.Setup
  if version == 0x0304 {
    let secret = randoms.span.extracting(..<(settings & 4 == 0 ? 32 : 48))
    setup = RecordOpener.make(suite: suite, trafficSecret: SecretBytes(secret))
  } else {
    let span = randoms.span
    guard let client = HelloRandom(span.extracting(..<32)), let server = HelloRandom(span.extracting(32...)) else {
      return
    }
    setup = RecordOpener.make(
      suite: suite, version: version, masterSecret: SecretBytes(randoms.span.extracting(..<48)), clientRandom: client,
      serverRandom: server, fromClient: settings & 8 == 0, encryptThenMAC: settings & 16 != 0)
  }
  guard case .ready(var opener) = setup else { return }
  var room: [UInt8] = []
  var position = 3
  while position < bytes.count {
    let length = Int(bytes[position])
    let end = min(bytes.count, position + 1 + length)
    let before = opener.sequence
    switch opener.open(type: 23, version: 0x0303, fragment: bytes.span.extracting(position + 1..<end), into: &room) {
    case .opened(_, let count):
      precondition(count < end - position && count <= room.count && opener.sequence == before &+ 1)
    case .failed:
      precondition(opener.sequence == before)
      if length & 1 == 0 { opener.skip(records: UInt64(length)) } else { opener.updateKeys() }
    }
    position = end
  }
}
