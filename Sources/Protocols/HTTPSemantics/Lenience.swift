import Citation

/// Something a parser had to forgive to read on. Rules judge it.
///
/// Those of a head are gathered by kind: `span` and `excerpt` show the first, `count` says how many.
package struct Lenience: Hashable, Sendable {
  package var kind: Kind
  package var place: Place
  /// The line it stands in.
  package var span: ByteSpan
  /// Bytes of that line, around the offending one.
  package var excerpt: Excerpt
  package var count: Int

  package init(_ kind: Kind, in place: Place, _ span: ByteSpan, _ excerpt: Excerpt, count: Int = 1) {
    self.kind = kind
    self.place = place
    self.span = span
    self.excerpt = excerpt
    self.count = count
  }

  package enum Place: UInt8, Hashable, Sendable {
    /// Before a start line, after the message before it.
    case between
    case startLine, fields, chunkSize, chunkEnd, trailers, body
  }

  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    // Lines.
    case bareLF, bareCR
    /// One or more empty lines before a start line.
    case leadingEmptyLines
    /// A message after one that said the connection would close.
    case messageAfterClose

    // Start lines.
    case startLineLeadingSpace
    /// Parted by something else than one space.
    case startLineSpacing
    case spaceInTarget
    /// Bytes after the version.
    case startLineTrailingBytes
    case methodCase, methodUnknown
    /// A request or a reply without version.
    case simpleMessage
    /// Neither HTTP/1.0 nor HTTP/1.1.
    case versionUnusual
    case versionCase, versionMalformed
    /// Not three digits.
    case statusMalformed
    /// Outside 100 to 599.
    case statusUnusual
    case reasonSeparatorMissing

    // Fields.
    case foldedLine, spaceBeforeColon, spaceBeforeFirstField
    case nameEmpty, nameInvalid, colonMissing
    case valueNUL, valueControl, valueNotASCII
    /// More than HeaderBlock.fieldLimit.
    case fieldsCut

    // Framing fields.
    case contentLengthInvalid, contentLengthOverflow
    /// The same value more than once, in one field or in several.
    case contentLengthRepeated
    case contentLengthConflicting
    /// In 1xx or 204.
    case contentLengthForbidden
    case contentLengthAndTransferEncoding
    /// More than one Transfer-Encoding field.
    case transferEncodingRepeated
    case transferEncodingEmptyElement, transferEncodingMalformed
    case transferEncodingInHTTP10
    /// In 1xx, 204, or 2xx to CONNECT.
    case transferEncodingForbidden
    case chunkedTwice, chunkedNotLast
    /// `Chunked`
    case chunkedCase
    case codingUnknown, codingIdentity

    // Chunks.
    case chunkSizeLeadingSpace, chunkSizeTrailingSpace, chunkSizeLeadingZeros, chunkSizePrefix, chunkSizeSign
    case chunkSizeHuge
    case chunkExtension, chunkExtensionMalformed
    /// The next size line follows the data at once.
    case chunkEndMissing
    /// A start line follows the last chunk, without the empty line between.
    case finalLineMissing
  }
}

/// Something that cannot be read past. What follows is searched for the next thing that can be read.
package struct FramingError: Hashable, Sendable {
  package static let excerptLength = 32

  package var kind: Kind
  /// The bytes quoted: from the first that makes no sense, at most `excerptLength`, up to where reading goes on.
  package var span: ByteSpan
  package var excerpt: Excerpt
  /// The framing of the message it is in or, between messages, of the one before.
  package var framing: Framing?
  /// Which chunk, for those of chunks.
  package var chunkIndex: Int

  package init(_ kind: Kind, _ span: ByteSpan, _ excerpt: Excerpt, framing: Framing?, chunkIndex: Int) {
    self.kind = kind
    self.span = span
    self.excerpt = excerpt
    self.framing = framing
    self.chunkIndex = chunkIndex
  }

  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Bytes where a message should begin, that do not begin one.
    case unexpectedBytes
    /// The same, and they are a chunk after the last chunk.
    case chunkAfterLastChunk
    /// A line that began as a start line and is none.
    case startLineMalformed
    /// Over HeaderBlock.limit.
    case headTooLarge, trailersTooLarge
    case chunkSizeMalformed, chunkSizeEmpty, chunkSizeOverflow, chunkLineTooLong
    /// What follows a chunk's data is not its line end: the size is wrong.
    case chunkDataMismatch
  }
}
