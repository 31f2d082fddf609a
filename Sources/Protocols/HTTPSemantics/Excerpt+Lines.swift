import Citation

extension Excerpt {
  /// A piece of a line of a head, which knows what is secret of it by what stands before: the name of its field, and that
  /// of the field which a line that begins with a blank continues.
  package init(of piece: Range<Int>, in line: Range<Int>, of bytes: Span<UInt8>) {
    self.init(bytes.extracting(piece), isPayload: false)
    var start = min(line.lowerBound, piece.lowerBound)
    while start > 0, start < bytes.count, bytes[start].isBlank {
      start -= 1
      while start > 0, bytes[start - 1] != .lineFeed { start -= 1 }
    }
    guard start < piece.lowerBound else { return }
    let context = bytes.extracting(start..<max(line.upperBound, piece.upperBound))
    for secret in SecretScan.secrets(in: context, as: .lines) where secret.upperBound > piece.lowerBound - start {
      secretFrom = max(0, secret.lowerBound - (piece.lowerBound - start))
      break
    }
  }
}
