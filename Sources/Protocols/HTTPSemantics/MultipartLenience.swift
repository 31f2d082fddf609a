import Citation

/// Something that a reader of a multipart body (RFC 2046 §5.1, RFC 7578) had to forgive to read on. Rules judge it.
package struct MultipartLenience: Hashable, Sendable {
  package var kind: Kind
  /// Which part it is in or before, from 1; 0 before the first one.
  package var part: Int
  /// The line, or the bytes, that show it.
  package var span: ByteSpan
  package var excerpt: Excerpt
  package var count: Int

  package init(_ kind: Kind, part: Int, _ span: ByteSpan, _ excerpt: Excerpt, count: Int = 1) {
    self.kind = kind
    self.part = part
    self.span = span
    self.excerpt = excerpt
    self.count = count
  }

  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    // Lines.
    /// A delimiter, or a line of a part's header, that begins behind or ends with LF alone.
    case bareLF
    /// A line that is the boundary, without the two dashes before it.
    case dashesMissing
    /// A delimiter in the middle of a line.
    case delimiterInLine
    /// The last delimiter begins no part, and does not have the two dashes behind it.
    case closeDashesMissing
    /// A delimiter behind the closing one.
    case delimiterAfterClose

    // Headers of parts.
    /// Data follow the header's lines at once.
    case blankLineMissing
    /// Data follow the delimiter at once.
    case headerMissing
    /// Over MultipartLenience.headerLimit.
    case headerTooLarge

    // Fields of parts, of form-data only.
    case dispositionMissing
    /// Another disposition than form-data.
    case dispositionOther
    case quoteUnbalanced
    case nameMissing
    /// A name or file name without quotes that is no token.
    case parameterUnquoted
    /// A quote, a backslash or a line end inside a file name.
    case fileNameRaw
    /// `filename*`
    case fileNameExtended
    /// A file name without Content-Type.
    case fileWithoutType
    /// Content-Transfer-Encoding.
    case transferEncoding
  }

  /// What is held of a part's header.
  package static let headerLimit = 8 * 1024
}
