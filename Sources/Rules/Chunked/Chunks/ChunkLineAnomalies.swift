import Events
import HTTPSemantics

/// What is odd in the lines around chunks, and was forgiven.
enum ChunkLineAnomalies {
  static let rows: [NamedAnomaly] = [
    leadingBlank, leadingZeros, extensionPresent, extensionMalformed, bareLF, bareCR,
  ]

  private static let lineEvidence =
    "The first such line of the body, byte by byte; the count says how many there were, up to what is kept of a message."
  private static let curlSentence =
    "That it works with curl shows nothing: curl's reader passes over everything between the digits and the LF."

  private static let leadingBlank = NamedAnomaly(
    RuleInfo(
      id: "chunked/size-leading-ws", severity: .error,
      summary: "A blank stands before a chunk's size.",
      explanation: """
        The grammar has no blanks there. Some readers skip them, some read a size of zero and end the body, some refuse \
        the message; proxies that forward the line unchanged let two hops disagree on where the body ends. \(curlSentence)
        """,
      evidence: lineEvidence, fix: "Sender: print the size without padding.", specifications: [.chunkedCoding],
      since: "0.1"),
    [.chunkSizeLeadingSpace], "a blank stands before a chunk's size", fix: "Sender: print the size without padding.")

  private static let leadingZeros = NamedAnomaly(
    RuleInfo(
      id: "chunked/size-leading-zeros", severity: .note,
      summary: "Chunk sizes are padded with zeros.",
      explanation: """
        This is legal, and the usual way to write a size line of fixed width before the size is known. Readers limit the \
        digits they take: curl stops at 16, h11 at 20. Eight digits work everywhere.
        """,
      evidence: lineEvidence, fix: "Nothing, up to 16 digits. Sender: write shorter sizes beyond that.",
      specifications: [.chunkedCoding], since: "0.1"),
    [.chunkSizeLeadingZeros], "chunk sizes are padded with zeros", fix: "Nothing to do, up to 16 digits.")

  private static let extensionPresent = NamedAnomaly(
    RuleInfo(
      id: "chunked/ext-present", severity: .note,
      summary: "Chunks carry extensions.",
      explanation: """
        What stands behind a semicolon in the size line belongs to this hop alone. Recipients ignore what they do not \
        know, proxies drop it, and some small servers do not expect it and refuse the message. Nothing that matters may \
        be sent there.
        """,
      evidence: lineEvidence, fix: "Sender: put such data into the content, or into fields.",
      specifications: [.chunkExtensions], since: "0.1"),
    [.chunkExtension], "chunks carry extensions", fix: "Sender: do not rely on extensions; every proxy drops them.")

  private static let extensionMalformed = NamedAnomaly(
    RuleInfo(
      id: "chunked/ext-malformed", severity: .error,
      summary: "A chunk's extension does not follow the grammar.",
      explanation: """
        A bare CR or LF inside, a quote that is never closed, a semicolon without a name. Readers that skip extensions \
        look for different line ends in them, and so two hops can find the data in different places: a known way of \
        request smuggling. llhttp, which Node.js reads with, refuses such lines. \(curlSentence)
        """,
      evidence: lineEvidence,
      fix: "Sender: send no extensions, or token=value pairs. Server and proxy: refuse such a message and close.",
      specifications: [.chunkExtensions], since: "0.1"),
    [.chunkExtensionMalformed], "a chunk's extension is malformed", fix: "Sender: send no chunk extensions.")

  private static let bareLF = NamedAnomaly(
    RuleInfo(
      id: "chunked/bare-lf", severity: .error,
      summary: "A line of the chunk framing ends in LF alone.",
      explanation: """
        Size lines, the end of a chunk's data and trailer lines end in CRLF; the leniency that HTTP allows for bare LF \
        is meant for heads only. Readers part ways here: nginx before 1.29.4 took it, later ones close the connection, \
        llhttp and Go refuse it. Such a peer works until something on the way is updated. \(curlSentence)
        """,
      evidence: lineEvidence,
      fix: """
        Sender: write \\r\\n after the size, after the data and after the last line; code that prints text with \\n, or \
        a text-mode stream, is the usual reason.
        """,
      specifications: [.chunkedCoding, .lineEnds], since: "0.1"),
    [.bareLF], in: [.chunkSize, .chunkEnd, .trailers], "a line of the chunk framing ends in LF without CR",
    fix: "Sender: end size lines, chunk data and trailer lines with CRLF.")

  private static let bareCR = NamedAnomaly(
    RuleInfo(
      id: "chunked/bare-cr", severity: .error,
      summary: "A CR in the chunk framing is not followed by LF.",
      explanation: """
        Some readers take CR and whatever follows it for a line end, others go on to the LF. Between two of them the \
        data begins in two places. No common library writes this; hand-made framing and attacks do.
        """,
      evidence: lineEvidence, fix: "Sender: end lines with CRLF. Server and proxy: refuse such a message and close.",
      specifications: [.chunkedCoding, .lineEnds], since: "0.1"),
    [.bareCR], in: [.chunkSize, .chunkEnd, .trailers], "a CR in the chunk framing is not followed by LF",
    fix: "Sender: end lines with CRLF.")
}
