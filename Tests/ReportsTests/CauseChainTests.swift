import Testing

@testable import Reports

@Suite("Chains of causes")
struct CauseChainTests {
  private let chain: CauseChain = {
    var chain = CauseChain()
    chain.add("tcp/reset", causedBy: "chunked/unfinished", on: 1)
    chain.add("chunked/unfinished", causedBy: "stream/cut", on: 1)
    chain.add("stream/cut", causedBy: nil, on: 1)
    chain.add("a/a", causedBy: "a/b", on: 2)
    chain.add("a/b", causedBy: "a/a", on: 2)
    chain.add("a/c", causedBy: "a/d", on: 2)
    chain.add("a/c", causedBy: nil, on: 2)
    return chain
  }()

  @Test(
    "A chain leads to the finding without a cause, on its own connection, and ends in a circle.",
    arguments: [
      ("chunked/unfinished", 1, "stream/cut"), ("stream/cut", 1, "stream/cut"), ("stream/cut", 2, nil),
      ("a/a", 2, nil), ("a/c", 2, "a/c"), ("a/d", 2, nil), ("nosuch/rule", 1, nil),
    ] as [(String, Int64, String?)])
  func roots(_ cause: String, _ connection: Int64, _ root: String?) {
    #expect(chain.root(of: cause, on: connection) == root)
  }
}
