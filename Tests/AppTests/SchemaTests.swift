import Assets
import Foundation
import Testing

@testable import App

/// What the schemas say of documents is checked end to end, with a validator; here that they are there, and whole.
@Suite("The schemas")
struct SchemaTests {
  @Test("Each is printed by its name, and by the form that documents name.", arguments: DocumentSchema.all.map(\.name))
  func printed(_ name: String) async throws {
    let run = await ProgramRun("schema", name)
    #expect(run.code == .success)
    let schema = try #require(try run.document() as? [String: Any])
    #expect(schema["title"] as? String == "streamscope.\(name)/1")
    #expect(await ProgramRun("schema", "streamscope.\(name)/1").output == run.output)
  }

  @Test("Without a name they are listed, a line each.")
  func listed() async {
    let lines = await ProgramRun("schema").output.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == DocumentSchema.all.map { $0.name[...] })
  }

  @Test("The schema of lines holds that of results as it is.")
  func bundled() async throws {
    let event = try #require(try await ProgramRun("schema", "event").document() as? [String: Any])
    let result = try #require(try await ProgramRun("schema", "result").document() as? NSDictionary)
    #expect((event["$defs"] as? [String: Any])?["result"] as? NSDictionary == result)
    #expect(result.count > 3)
  }
}
