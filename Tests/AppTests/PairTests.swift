import Foundation
import Testing

@testable import App

/// What only the whole capture shows of an exchange.
@Suite("Pairs in the result document")
struct PairTests {
  private static let script = """
    == 10.0.0.1:40000 10.0.0.2:80
    > SYN
    < SYN ACK
    > ACK
    > "POST /up HTTP/1.1\\r\\nHost: h\\r\\nX-Connection-ID: 7f3a91\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nhi\\r\\n"
    +300ms
    > "2\\r\\nho\\r\\n"
    == 10.0.0.1:40001 10.0.0.2:80 +100ms
    > SYN
    < SYN ACK
    > ACK
    > "GET /down?cid=7f3a91 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n"
    < "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nhi\\r\\n"
    """

  private func pairs(_ script: String) async throws -> [[Int]] {
    let scratch = try Scratch()
    let run = await ProgramRun("--json", try scratch.captures(script))
    return try run.connections().map { connection in
      let exchanges = connection["exchanges"] as? [[String: Any]]
      let stream = exchanges?.first?["stream"] as? [String: Any]
      let pair = stream?["pairOf"] as? [String: Int]
      return [pair?["connection"], pair?["exchange"]].compactMap { $0 }
    }
  }

  @Test("Uplink and downlink that share an id name each other, and others nobody.")
  func pair() async throws {
    #expect(try await pairs(Self.script) == [[2, 1], [1, 1]])
    #expect(try await pairs(Self.script.replacing("cid=7f3a91", with: "cid=7f3a92")) == [[], []])
  }
}
