import Citation
import HTTPSemantics

/// The trailers of gRPC-Web: a frame of the body that holds lines as a head of HTTP/1 does.
///
/// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md
enum GRPCTrailers {
  /// A code of more digits is none.
  private static let digits = 1...9

  /// The value of `grpc-status`, in letters of either case; nil where none of the lines is one, or its value no number. A
  /// line that was cut at the end of what is kept is no line.
  static func status(in bytes: [UInt8]) -> UInt32? {
    for line in bytes.split(separator: .lineFeed) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isStatus(line[..<colon]) else { continue }
      let value = line[(colon + 1)...].drop(while: \.isBlank)
      let text = value.prefix(while: \.isDigit)
      guard digits.contains(text.count), value[text.endIndex...].allSatisfy({ $0.isBlank || $0 == .carriageReturn })
      else { return nil }
      return text.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
    }
    return nil
  }

  private static func isStatus(_ name: ArraySlice<UInt8>) -> Bool {
    name.elementsEqual("grpc-status".utf8) { $0 == $1 || $0 | 0x20 == $1 }
  }
}
