// Fuzzes the reader of DNS responses: any bytes are an answer or none.
import DNS
import Trace

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDNS(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: count))
  if let message = DNSMessage(bytes.span) {
    precondition(message.question.utf8.count <= 255 && message.addresses.count <= DNSMessage.addressLimit)
  }
  return 0
}
