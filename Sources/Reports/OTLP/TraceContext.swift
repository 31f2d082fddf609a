import Digests
import Events
import HTTPSemantics

/// Which trace an exchange belongs to, and which span it is there.
///
/// A valid `traceparent` of the request names the trace and the parent. Everything else follows from the exchange's uid, so
/// that each run over the same bytes gives the same identifiers, and two captures of one exchange two spans of one trace.
/// https://www.w3.org/TR/trace-context/
struct TraceContext: Equatable {
  /// What the request says.
  struct Parent: Equatable {
    let trace: String
    let span: String
    let flags: UInt8
  }

  let parent: Parent?
  let trace: String
  let span: String

  init(uid: String, parent: Parent?) {
    self.parent = parent
    trace = parent?.trace ?? Self.identifier("trace", uid, bytes: 16)
    span = Self.identifier("span", uid, bytes: 8)
  }

  /// Identifiers of zeros alone are invalid.
  private static func identifier(_ kind: String, _ uid: String, bytes: Int) -> String {
    var digest = Array(SHA256.digest(of: Array("\(kind) \(uid)".utf8).span).prefix(bytes))
    if digest.allSatisfy({ $0 == 0 }) { digest[bytes - 1] = 1 }
    return digest.hexText
  }
}

extension TraceContext.Parent {
  /// Nil for anything but `version-trace-parent-flags`, in lower case and not of zeros. Later versions may append fields.
  init?(_ value: String) {
    let bytes = Array(value.utf8)
    let dash = UInt8(ascii: "-")
    guard bytes.count >= 55, bytes.count == 55 || bytes[55] == dash && !value.hasPrefix("00-"),
      bytes[2] == dash, bytes[35] == dash, bytes[52] == dash, !value.hasPrefix("ff")
    else { return nil }
    let fields = [0..<2, 3..<35, 36..<52, 53..<55].map { bytes[$0] }
    let isHex = fields.allSatisfy { field in
      field.allSatisfy {
        $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f")
      }
    }
    let zero = UInt8(ascii: "0")
    guard isHex, fields[1].contains(where: { $0 != zero }), fields[2].contains(where: { $0 != zero }) else {
      return nil
    }
    trace = String(decoding: fields[1], as: UTF8.self)
    span = String(decoding: fields[2], as: UTF8.self)
    flags = UInt8(String(decoding: fields[3], as: UTF8.self), radix: 16) ?? 0
  }

  /// Of several fields of the name none counts.
  init?(_ exchange: ExchangeRecord) {
    guard let block = exchange.request?.head?.block, let value = block.value("traceparent") else { return nil }
    guard block.fields.count(where: { block.name($0).lowercased() == "traceparent" }) == 1 else { return nil }
    self.init(value)
  }
}
