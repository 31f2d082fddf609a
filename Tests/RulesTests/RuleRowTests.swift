import Testing

// A suite for each family, so that `swift test --filter SSERowTests` runs the rows of one.

/// The rows of all families.
enum RuleRows {
  static let all: [RuleRow] =
    CaptureRowTests.rows
    + CaseRowTests.rows
    + ChunkedRowTests.rows
    + DirectRowTests.rows
    + GRPCRowTests.rows
    + HTTP2RowTests.rows
    + HTTPRowTests.rows
    + LLMRowTests.rows
    + MultipartRowTests.rows
    + PollRowTests.rows
    + ProxyRowTests.rows
    + SniffRowTests.rows
    + SSERowTests.rows
    + StreamRowTests.rows
    + TCPRowTests.rows
    + TLSRowTests.rows
    + WebSocketRowTests.rows
}

@Suite("Rows of capture/")
struct CaptureRowTests {
  static let rows: [RuleRow] = CaptureRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of case/")
struct CaseRowTests {
  static let rows: [RuleRow] = CaseRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of chunked/")
struct ChunkedRowTests {
  static let rows: [RuleRow] = ChunkedRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of direct/")
struct DirectRowTests {
  static let rows: [RuleRow] = DirectRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of grpc/")
struct GRPCRowTests {
  static let rows: [RuleRow] = GRPCRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of h2/")
struct HTTP2RowTests {
  static let rows: [RuleRow] = HTTP2Rows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of http/")
struct HTTPRowTests {
  static let rows: [RuleRow] = HTTPRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of llm/")
struct LLMRowTests {
  static let rows: [RuleRow] = LLMRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of multipart/")
struct MultipartRowTests {
  static let rows: [RuleRow] = MultipartRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of poll/")
struct PollRowTests {
  static let rows: [RuleRow] = PollRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of proxy/")
struct ProxyRowTests {
  static let rows: [RuleRow] = ProxyRows.rows + ComparedRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of sniff/")
struct SniffRowTests {
  static let rows: [RuleRow] = SniffRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of sse/")
struct SSERowTests {
  static let rows: [RuleRow] = SSERows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of stream/")
struct StreamRowTests {
  static let rows: [RuleRow] = StreamRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of tcp/")
struct TCPRowTests {
  static let rows: [RuleRow] = TCPRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of tls/")
struct TLSRowTests {
  static let rows: [RuleRow] = TLSRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}

@Suite("Rows of ws/")
struct WebSocketRowTests {
  static let rows: [RuleRow] = WebSocketRows.rows

  @Test("A rule fires on the marked packets, and on no near miss.", arguments: rows)
  func row(_ row: RuleRow) async throws { try await row.check() }
}
