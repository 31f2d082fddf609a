import Citation
// Fuzzes the readers of DNS responses: any bytes are an answer or none, and over TCP every cut gives the same ones.
import DNS

private func questions(_ bytes: [UInt8], every size: Int) -> [String] {
  var stream = DNSOverTCP()
  var tokens: [DNSOverTCP.Token] = []
  for start in stride(from: 0, to: bytes.count, by: size) {
    let piece = Array(bytes[start..<min(start + size, bytes.count)])
    stream.consume(CitedBytes(piece.span, at: UInt64(start), in: .none, released: .none), into: &tokens)
  }
  return tokens.map { token in if case .response(let message, _) = token { message.question } else { "lost" } }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDNS(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: count))
  if let message = DNSMessage(bytes.span) {
    precondition(message.question.utf8.count <= 255 && message.addresses.count <= DNSMessage.addressLimit)
  }
  precondition(questions(bytes, every: 3) == questions(bytes, every: max(1, count)))
  return 0
}
