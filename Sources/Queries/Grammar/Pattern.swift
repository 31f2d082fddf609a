/// A text with holes: * for any run of characters, ? for one.
package struct Pattern: Sendable, Equatable {
  private enum Piece: Sendable, Equatable {
    case any, one
    case scalar(Unicode.Scalar)
  }

  private let pieces: [Piece]
  private let ignoresCase: Bool

  package init(_ text: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    var pieces: [Piece] = []
    var isQuoted = false
    for scalar in (ignoresCase ? text.lowercased() : text).unicodeScalars {
      if isQuoted {
        pieces.append(.scalar(scalar))
        isQuoted = false
      } else if scalar == "\\" {
        isQuoted = true
      } else if scalar == "*" {
        // Two in a row are no more than one.
        if pieces.last != .any { pieces.append(.any) }
      } else {
        pieces.append(scalar == "?" ? .one : .scalar(scalar))
      }
    }
    if isQuoted { pieces.append(.scalar("\\")) }
    self.pieces = pieces
  }

  /// Goes back to the last * only: the work is at most the product of both lengths.
  package func matches(_ text: String) -> Bool {
    let scalars = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
    var at = 0
    var piece = 0
    var star: (piece: Int, at: Int)?
    while at < scalars.count {
      if piece < pieces.count, pieces[piece] == .any {
        star = (piece, at)
        piece += 1
      } else if piece < pieces.count, pieces[piece] == .one || pieces[piece] == .scalar(scalars[at]) {
        piece += 1
        at += 1
      } else if let last = star {
        star = (last.piece, last.at + 1)
        piece = last.piece + 1
        at = last.at + 1
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .any }
  }
}
